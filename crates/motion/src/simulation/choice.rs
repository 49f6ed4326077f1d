//! The method for a motion, unless one is asked for.

use super::error::SimulationError;
use super::field::Field;
use super::method::Method;
use super::options::Options;
use super::trial::{Stretch, Work};
use rattleback_compile::Motion;
use rattleback_compile::program::Program;
use rattleback_compile::taylor::{PlanError, StepCost, TaylorPlan};
use rattleback_integrate::Tolerance;
use rattleback_integrate::taylor::StepPolicy;
use rattleback_native::Lanes;

/// The Taylor series of a motion, of the order that costs least.
#[derive(Clone, Debug)]
pub struct Recurrences {
    /// Coefficient by coefficient.
    pub plan: TaylorPlan,
    /// The order and the step sizes.
    pub policy: StepPolicy,
    /// What a step takes.
    cost: StepCost,
}

impl Recurrences {
    /// The series of the rates that a program works out from (t, x, constants).
    pub fn of(program: &Program, tolerance: Tolerance) -> Result<Self, PlanError> {
        Self::in_lanes(program, tolerance, Lanes::One)
    }

    /// The same for one motion, or for four at once.
    pub fn in_lanes(
        program: &Program,
        tolerance: Tolerance,
        lanes: Lanes,
    ) -> Result<Self, PlanError> {
        let plan = TaylorPlan::new(program)?;
        let cost = match lanes {
            Lanes::One => plan.cost(),
            Lanes::Four => plan.cost().of_four(),
        };
        let policy = StepPolicy::cheapest(tolerance, |order| cost.of_order(order));
        Ok(Self { plan, policy, cost })
    }

    /// What a step of its order takes.
    pub fn step_cost(&self) -> f64 {
        self.cost.of_order(self.policy.order())
    }

    /// What it takes to follow a motion through its radius of convergence.
    fn way_cost(&self) -> f64 {
        self.step_cost() / self.policy.reach()
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
        Self::cheaper(program, tolerance, Lanes::One)
    }

    fn cheaper(program: &Program, tolerance: Tolerance, lanes: Lanes) -> Self {
        match Recurrences::in_lanes(program, tolerance, lanes) {
            Err(e) => Self::preferred(Method::DOP853, None, format!("no Taylor series: {e}")),
            Ok(series) if series.way_cost() <= dop853_cost(program, tolerance, lanes) => {
                Self::preferred(Method::TAYLOR, Some(series), SERIES_WIN)
            }
            Ok(_) => Self::preferred(Method::DOP853, None, STEPS_WIN),
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
            series: series.step_cost(),
            runge_kutta: dop853_step(program, Lanes::One),
        };
        let sharper = Tolerance {
            relative: tolerance.relative / DOP853_ERROR,
            absolute: tolerance.absolute / DOP853_ERROR,
        };
        let ratio = stretch.ratio(field, series.policy, sharper, work)?;
        Some(match ratio >= 1.0 {
            true => Self::preferred(Method::TAYLOR, Some(series), SERIES_WIN),
            false => Self::preferred(Method::DOP853, None, STEPS_WIN),
        })
    }

    /// Taylor series, which alone can pass positions where constraints lose rank; none where there are none.
    pub(super) fn passing(program: &Program, tolerance: Tolerance) -> Option<Self> {
        let series = Recurrences::of(program, tolerance).ok()?;
        let why = "series can pass where constraints lose their rank";
        Some(Self::preferred(Method::TAYLOR, Some(series), why))
    }

    /// The method that is asked for, or the one that suits the motion.
    pub fn of(motion: &Motion, options: &Options) -> Result<Self, SimulationError> {
        Self::in_lanes(motion, options, Lanes::One)
    }

    /// The same for one motion, or for four at once.
    pub fn in_lanes(
        motion: &Motion,
        options: &Options,
        lanes: Lanes,
    ) -> Result<Self, SimulationError> {
        let tolerance = options.tolerance();
        let Some(method) = options.method else {
            return Ok(Self::cheaper(&motion.rates()?, tolerance, lanes));
        };
        let series = match method {
            Method::TAYLOR => match Recurrences::in_lanes(&motion.rates()?, tolerance, lanes) {
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
fn dop853_cost(program: &Program, tolerance: Tolerance, lanes: Lanes) -> f64 {
    let larger = tolerance.relative.max(tolerance.absolute);
    let reach = DOP853_REACH * (larger / DOP853_ERROR).powf(1.0 / 8.0);
    dop853_step(program, lanes) / reach
}

/// What one step of it takes: of so many motions, whose rates cost no more together than those of one.
fn dop853_step(program: &Program, lanes: Lanes) -> f64 {
    let components = (lanes.count() * program.outputs.len()) as f64;
    DOP853_STEP + DOP853_COMPONENT * components + 12.0 * program.optimized().cost()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::Simulation;
    use rattleback_language::{Source, parse};
    use rattleback_mechanics::Problem;

    /// The rates of three bodies in a plane.
    fn bodies() -> Program {
        let text = "system bodies\ncoord x, y, u, v, p, q\nkinetic (x'^2 + y'^2 + u'^2 + v'^2 + p'^2 + q'^2)/2\n\
                    potential -1/((x - u)^2 + (y - v)^2) - 1/((x - p)^2 + (y - q)^2) - 1/((u - p)^2 + (v - q)^2)\n\
                    start x = 1, v = 1, p = -1\ntime 0 .. 1\n";
        let model = parse(&Source::new("model.mech", text)).model.unwrap();
        let problem = Problem::from_model(&model).unwrap();
        let options = Options::default();
        let made = Simulation::new(&problem, &problem.system, &options, Vec::new());
        made.unwrap().motion.rates().unwrap()
    }

    #[test]
    fn members_side_by_side_take_series_of_a_lower_order() {
        let (program, tolerance) = (bodies(), Tolerance::both(1e-9));
        let [one, four] = [Lanes::One, Lanes::Four]
            .map(|lanes| Recurrences::in_lanes(&program, tolerance, lanes).unwrap());
        assert!(four.policy.order() < one.policy.order());
        // The same order takes more of four, but less than four times as much.
        let order = one.policy.order();
        let ratio = four.cost.of_order(order) / one.cost.of_order(order);
        assert!((1.0..4.0).contains(&ratio), "{ratio}");
    }
}
