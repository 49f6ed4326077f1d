//! From the command line to a model and to what is asked of its motions.

use crate::arguments::{ModelArguments, MotionArguments};
use crate::failure::Failure;
use crate::reading;
use rattleback::language::TimeOption;
use rattleback::report::Feeds;
use rattleback::simulation::{Options, SimulationError};
use rattleback::{Error, Model};

/// Reads the model with `--until` and `--step` among its settings.
pub fn model(arguments: &ModelArguments, motion: &MotionArguments) -> Result<Model, Failure> {
    let until = motion.until.as_deref().map(|t| (TimeOption::Until, t));
    let step = motion.step.as_deref().map(|h| (TimeOption::Step, h));
    let times: Vec<_> = until.into_iter().chain(step).collect();
    reading::read_with_times(arguments, &times)
}

/// What is in the way of a motion; a table is told with its file.
pub fn told(error: Error, feeds: &Feeds) -> Failure {
    match error {
        Error::Simulation(SimulationError::Table(e)) => {
            Failure::Input(feeds.outside(&e).unwrap_or_else(|| e.to_string()))
        }
        e => e.into(),
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
