//! Many motions of one problem from given starts, four at once.

use crate::motion::MotionProblem;
use rattleback::ensemble::{Code, Field};
use rattleback::simulation::Recurrences;
use rattleback_integrate::taylor::StepPolicy;
use rattleback_integrate::{Ensemble, Span, Tolerance};
use rattleback_native::Lanes;
use std::sync::Arc;

/// Members from their starts to one end time.
pub struct Crowd {
    code: Arc<Code>,
    policy: Option<StepPolicy>,
    starts: Vec<f64>,
    dimension: usize,
    until: f64,
}

impl Crowd {
    /// Compiles; `starts` has the states one after the other.
    pub fn new(
        problem: &MotionProblem,
        by_series: bool,
        tolerance: Tolerance,
        starts: Vec<f64>,
        until: f64,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let program = problem.program()?;
        let series = by_series.then(|| Recurrences::in_lanes(&program, tolerance, Lanes::Four));
        let series = series.transpose()?;
        Ok(Self {
            policy: series.as_ref().map(|series| series.policy),
            code: Arc::new(Code::new(program, series)),
            starts,
            dimension: problem.state.len(),
            until,
        })
    }

    /// The order and the step sizes of the series, where they are followed.
    pub fn policy(&self) -> Option<StepPolicy> {
        self.policy
    }
}

impl Ensemble for Crowd {
    type Field = Field;

    fn members(&self) -> usize {
        self.starts.len() / self.dimension
    }

    fn field(&self) -> Field {
        Field::new(&self.code)
    }

    fn start(&self, member: usize, x: &mut [f64]) -> Span {
        x.copy_from_slice(&self.starts[member * self.dimension..][..self.dimension]);
        Span {
            start: 0.0,
            end: self.until,
        }
    }
}
