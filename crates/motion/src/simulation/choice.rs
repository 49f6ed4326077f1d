//! The method for a motion, unless one is asked for.

use super::error::SimulationError;
use super::field::Field;
use super::method::Method;
use super::options::Options;
use super::trial::{Stretch, Work};
use rattleback_compile::Motion;
use rattleback_compile::program::Program;
use rattleback_compile::taylor::{PlanError, TaylorPlan};
use rattleback_integrate::Tolerance;
use rattleback_integrate::taylor::StepPolicy;

/// The Taylor series of a motion, of the order that costs least.
#[derive(Clone, Debug)]
pub struct Recurrences {
    /// Coefficient by coefficient.
    pub plan: TaylorPlan,
    /// The order and the step sizes.
    pub policy: StepPolicy,
}

impl Recurrences {
    /// The series of the rates that a program works out from (t, x, constants).
    pub fn of(program: &Program, tolerance: Tolerance) -> Result<Self, PlanError> {
        let plan = TaylorPlan::new(program)?;
        let cost = plan.cost();
        let policy = StepPolicy::cheapest(tolerance, |order| cost.of_order(order));
        Ok(Self { plan, policy })
    }

    /// What it takes to follow a motion through its radius of convergence.
    fn cost(&self) -> f64 {
        let order = self.policy.order();
        self.plan.cost().of_order(order) / self.policy.reach()
    }
}

const SERIES_WIN: &str =
    "an analytic right-hand side, whose series cost less than Runge-Kutta steps";
const STEPS_WIN: &str = "Runge-Kutta steps cost less than series here";

/// A method, with what it needs of a motion.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The method.
    pub method: Method,
    /// The series, where it follows them.
    pub series: Option<Recurrences>,
    /// Why it was chosen, where it was not asked for.
    pub reason: Option<String>,
}

impl Choice {
    fn preferred(method: Method, series: Option<Recurrences>, reason: impl Into<String>) -> Self {
        Self {
            method,
            series,
            reason: Some(reason.into()),
        }
    }

    /// From node to node by a map.
    pub(crate) fn iteration() -> Self {
        Self {
            method: Method::Iteration,
            series: None,
            reason: None,
        }
    }

    /// Taylor series or DOP853, whichever should take less time to the same error.
    pub fn for_rates(program: &Program, tolerance: Tolerance) -> Self {
        match Recurrences::of(program, tolerance) {
            Err(e) => Self::preferred(Method::Dop853, None, format!("no Taylor series: {e}")),
            Ok(series) if series.cost() <= dop853_cost(program, tolerance) => {
                Self::preferred(Method::Taylor, Some(series), SERIES_WIN)
            }
            Ok(_) => Self::preferred(Method::Dop853, None, STEPS_WIN),
        }
    }

    /// The same after the first stretch of a motion: what the steps of both methods take there, counted. The field has
    /// the series.
    pub(super) fn after_trial(
        program: &Program,
        series: Recurrences,
        tolerance: Tolerance,
        field: &mut Field,
        stretch: &Stretch<'_>,
    ) -> Option<Self> {
        let work = Work {
            series: series.plan.cost().of_order(series.policy.order()),
            runge_kutta: dop853_step(program),
        };
        let sharper = Tolerance {
            relative: tolerance.relative / DOP853_ERROR,
            absolute: tolerance.absolute / DOP853_ERROR,
        };
        let ratio = stretch.ratio(field, series.policy, sharper, work)?;
        Some(match ratio >= 1.0 {
            true => Self::preferred(Method::Taylor, Some(series), SERIES_WIN),
            false => Self::preferred(Method::Dop853, None, STEPS_WIN),
        })
    }

    /// Taylor series, which alone can pass positions where constraints lose rank; none where there are none.
    pub(super) fn passing(program: &Program, tolerance: Tolerance) -> Option<Self> {
        let series = Recurrences::of(program, tolerance).ok()?;
        let why = "series can pass where constraints lose their rank";
        Some(Self::preferred(Method::Taylor, Some(series), why))
    }

    /// The method that is asked for, or the one that suits the motion.
    pub fn of(motion: &Motion, options: &Options) -> Result<Self, SimulationError> {
        let tolerance = options.tolerance();
        let Some(method) = options.method else {
            return Ok(Self::for_rates(&motion.rates()?, tolerance));
        };
        let series = match method {
            Method::Taylor => match Recurrences::of(&motion.rates()?, tolerance) {
                Ok(series) => Some(series),
                Err(e) => {
                    let why = format!("{e}; dop853 fits");
                    return Err(SimulationError::method(method, motion.form, &why));
                }
            },
            _ => None,
        };
        Ok(Self {
            method,
            series,
            reason: None,
        })
    }
}

/// A step of DOP853 without its twelve right-hand sides, and what each component adds to it, in the units of
/// [`Program::cost`].
const DOP853_STEP: f64 = 300.0;
const DOP853_COMPONENT: f64 = 6.0;
/// Its step over ρ ε^(1/8), where ρ is the radius of convergence.
const DOP853_REACH: f64 = 1.8;
/// The error of DOP853 over that of Taylor series at the same tolerance.
const DOP853_ERROR: f64 = 50.0;

/// What DOP853 takes to follow a motion through its radius of convergence.
fn dop853_cost(program: &Program, tolerance: Tolerance) -> f64 {
    let larger = tolerance.relative.max(tolerance.absolute);
    let reach = DOP853_REACH * (larger / DOP853_ERROR).powf(1.0 / 8.0);
    dop853_step(program) / reach
}

/// What one step of it takes.
fn dop853_step(program: &Program) -> f64 {
    let components = program.outputs.len() as f64;
    DOP853_STEP + DOP853_COMPONENT * components + 12.0 * program.optimized().cost()
}
