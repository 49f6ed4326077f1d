//! From the command line to a model and the problem that it poses.

use crate::arguments::{ModelArguments, MotionArguments};
use crate::events;
use crate::failure::Failure;
use crate::reading;
use rattleback::language::TimeOption;
use rattleback::mechanics::Form;
use rattleback::report::Feeds;
use rattleback::session::Prepared;
use rattleback::simulation::{Options, SimulationError};

/// Reads the model with `--until` and `--step` among its settings, and derives the system.
pub fn prepared(arguments: &ModelArguments, motion: &MotionArguments) -> Result<Prepared, Failure> {
    let until = motion.until.as_deref().map(|t| (TimeOption::Until, t));
    let step = motion.step.as_deref().map(|h| (TimeOption::Step, h));
    let times: Vec<_> = until.into_iter().chain(step).collect();
    Ok(reading::read_with_times(arguments, &times)?.prepare(motion.form)?)
}

/// Reads the model as a system in steps, one that has no motion in continuous time too.
pub fn discrete(
    arguments: &ModelArguments,
    times: &[(TimeOption, &str)],
) -> Result<Prepared, Failure> {
    Ok(reading::read_with_times(arguments, times)?.prepare_discrete()?)
}

/// Reads the model with its settings and derives the system for a formulation.
pub fn in_form(arguments: &ModelArguments, form: Option<Form>) -> Result<Prepared, Failure> {
    Ok(reading::read(arguments)?.prepare(form)?)
}

/// A simulation that cannot be, told with its place.
pub fn complain(prepared: &mut Prepared, error: SimulationError, feeds: &Feeds) -> Failure {
    match error {
        SimulationError::Table(e) => {
            Failure::Input(feeds.outside(&e).unwrap_or_else(|| e.to_string()))
        }
        SimulationError::Event(e) => events::told(e),
        e => prepared.complain(e).into(),
    }
}

/// What the command line asks of a simulation.
pub fn options(motion: &MotionArguments) -> Options {
    Options {
        form: motion.form,
        method: motion.method,
        rtol: motion.rtol,
        atol: motion.atol,
        most_steps: motion.max_steps,
        project: !motion.no_projection,
        retraction: motion.retraction.into(),
        placement: motion.placement.into(),
        ..Options::default()
    }
}
