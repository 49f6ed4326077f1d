//! The step of a system in steps.

use super::InStepsError;
use rattleback_mechanics::{Clock, Problem};
use rattleback_motion::simulation::{Horizon, Options};
use rattleback_symbolic::{Expr, Rational};

/// The step of a problem as it is stated, exactly, or the one that simulations from `time` take; none where the discrete
/// Lagrangian is given.
pub fn step_of(problem: &Problem, time: f64) -> Result<Option<Expr>, InStepsError> {
    if problem.clock == Clock::DiscreteLagrangian {
        return Ok(None);
    }
    let stated = problem.horizon.as_ref().and_then(|h| h.step.as_ref());
    if let Some(step) = stated {
        return Ok(Some(problem.values.at(step)));
    }
    let step = Horizon::of(problem, &Options::default(), time)?.step;
    let exact = format!("{step}").parse::<Rational>();
    exact
        .map(|h| Some(Expr::from(h)))
        .map_err(|_| InStepsError::Step)
}
