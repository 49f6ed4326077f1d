//! From the command line to a model and its system.

use crate::arguments::{ModelArguments, MotionArguments};
use crate::complaint::{self, Complaint};
use crate::events;
use crate::failure::Failure;
use crate::reading::Reading;
use rattleback::language::{Model, TimeOption};
use rattleback::mechanics::System;
use rattleback::simulation::{Options, SimulationError};

/// A model with its system.
pub struct Prepared {
    /// The text and what was found in it.
    pub reading: Reading,
    /// The model.
    pub model: Model,
    /// The system.
    pub system: System,
}

impl Prepared {
    /// Reads the model with `--until` and `--step` among its settings, and derives the system.
    pub fn of(arguments: &ModelArguments, motion: &MotionArguments) -> Result<Self, Failure> {
        let until = motion.until.as_deref().map(|t| (TimeOption::Until, t));
        let step = motion.step.as_deref().map(|h| (TimeOption::Step, h));
        let times: Vec<_> = until.into_iter().chain(step).collect();
        Self::from_reading(Reading::with_settings(
            &arguments.model,
            &arguments.set,
            &times,
        )?)
    }

    /// Reads the model with its settings and derives the system.
    pub fn read(arguments: &ModelArguments) -> Result<Self, Failure> {
        Self::from_reading(Reading::of(arguments)?)
    }

    fn from_reading(mut reading: Reading) -> Result<Self, Failure> {
        let model = reading.take_model()?;
        let built = match System::from_model(&model) {
            Ok(built) => built,
            Err(e) => return Err(reading.complain(Complaint::about_mechanics(&e, &model))),
        };
        for remark in &built.remarks {
            reading.add(complaint::remark(remark, &model));
        }
        let system = built.system;
        if let Err(e) = system.check_regular() {
            return Err(reading.complain(Complaint::about_mechanics(&e, &model)));
        }
        Ok(Self {
            reading,
            model,
            system,
        })
    }

    /// A simulation that cannot be, told with its place.
    pub fn complain(&mut self, error: SimulationError) -> Failure {
        let model = &self.model;
        match error {
            SimulationError::Mechanics(e) => {
                self.reading.complain(Complaint::about_mechanics(&e, model))
            }
            SimulationError::Start(e) => self.reading.complain(Complaint::about_start(&e, model)),
            SimulationError::Event(e) => events::told(e),
            e if e.is_bad_request() => Failure::Input(e.to_string()),
            e => Failure::Computation(e.to_string()),
        }
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
        ..Options::default()
    }
}
