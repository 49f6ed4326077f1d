//! The method for a motion: the one that is asked for, else the one that suits it.

use super::choice::{Choice, Recurrences};
use super::error::SimulationError;
use super::field::Field;
use super::method::Method;
use super::options::{Horizon, Options};
use super::stiffness;
use super::trial::Stretch;
use rattleback_compile::Motion;
use rattleback_mechanics::{Form, System};

/// The method that is asked for, or the one that suits the motion, with the field on which that was tried.
pub(super) fn choice(
    system: &System,
    motion: &Motion,
    (state, given): (&[f64], &[f64]),
    horizon: &Horizon,
    options: &Options,
) -> Result<(Choice, Option<Field>), SimulationError> {
    if motion.form == Form::Map {
        let why = "a map is iterated from node to node, without a method";
        return match options.method {
            None => Ok((Choice::iteration(), None)),
            Some(method) => Err(SimulationError::method(method, motion.form, why)),
        };
    }
    let mut field = None;
    let mut choice = Choice::of(motion, options)?;
    // Without forces nothing decays.
    if options.method.is_none() && (system.is_forced() || !system.auxiliary().is_empty()) {
        let span = horizon.until - horizon.from;
        let tolerance = options.tolerance();
        let implicit = stiffness::implicit(motion, (horizon.from, state), given, span, tolerance)?;
        choice = implicit.unwrap_or(choice);
    }
    if options.method.is_none() && matches!(choice.method, Method::TAYLOR | Method::DOP853) {
        (choice, field) =
            tried(motion, (state, given), horizon, options)?.unwrap_or((choice, None));
    }
    let positions = system.frame().base();
    // Where the rank of many constraints drops may be too long to be written down.
    let may_branch = system.constraints().holonomic().len() > 1
        || system.rank_drop().iter().any(|c| c.contains_any(positions));
    if options.method.is_none() && choice.method == Method::DOP853 && may_branch {
        let series = Choice::passing(&motion.rates()?, options.tolerance());
        choice = series.unwrap_or(choice);
    }
    Ok((choice, field))
}

/// Series or Runge-Kutta steps, by what they take on the first stretch of the motion; none where there are no series.
fn tried(
    motion: &Motion,
    (state, given): (&[f64], &[f64]),
    horizon: &Horizon,
    options: &Options,
) -> Result<Option<(Choice, Option<Field>)>, SimulationError> {
    let (program, tolerance) = (motion.rates()?, options.tolerance());
    let Ok(series) = Recurrences::of(&program, tolerance) else {
        return Ok(None);
    };
    let mut field = Field::new(motion.rates()?, Method::TAYLOR, Some(series.clone()), given);
    let stretch = Stretch {
        from: horizon.from,
        until: horizon.until,
        start: state,
    };
    let choice = Choice::after_trial(&program, series, tolerance, &mut field, &stretch);
    Ok(choice.map(|choice| (choice, Some(field))))
}
