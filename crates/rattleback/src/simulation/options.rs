//! What may be asked of a simulation.

use super::method::Method;
use rattleback_language::{Model, Values};
use rattleback_mechanics::Form;

/// What may be asked of a simulation; everything left out is chosen by what the system is.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The formulation.
    pub form: Option<Form>,
    /// The method.
    pub method: Option<Method>,
    /// The end time.
    pub until: Option<f64>,
    /// The step of fixed-step methods, and the output spacing of the others.
    pub step: Option<f64>,
    /// The relative tolerance of adaptive methods.
    pub rtol: f64,
    /// The absolute tolerance of adaptive methods.
    pub atol: f64,
    /// Is what drifts moved back onto constraints and groups after each step?
    pub project: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            form: None,
            method: None,
            until: None,
            step: None,
            rtol: 1e-9,
            atol: 1e-12,
            project: true,
        }
    }
}

/// The horizon where neither the model nor the options say one.
const DEFAULT_UNTIL: f64 = 10.0;
/// Rows of output where no spacing is said.
const DEFAULT_ROWS: f64 = 1000.0;

/// When a motion is followed, and how finely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Horizon {
    pub(super) from: f64,
    pub(super) until: f64,
    pub(super) step: f64,
}

impl Horizon {
    pub(super) fn of(model: &Model, options: &Options, from: f64) -> Self {
        let values = Values::of(model);
        let stated = model.time.as_ref();
        let until = options
            .until
            .or_else(|| values.number(&stated?.to))
            .unwrap_or(from + DEFAULT_UNTIL);
        let step = options
            .step
            .or_else(|| values.number(stated?.step.as_ref()?))
            .filter(|h| *h != 0.0)
            .unwrap_or((until - from) / DEFAULT_ROWS);
        Self {
            from,
            until,
            step: step.abs(),
        }
    }
}
