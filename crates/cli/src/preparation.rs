//! From the command line to a model and the problem that it poses.

use crate::arguments::{ModelArguments, MotionArguments};
use crate::events;
use crate::failure::Failure;
use crate::input_table::Inputs;
use crate::reading;
use rattleback::compile::{Table, Tables};
use rattleback::complaint::Complaint;
use rattleback::language::{Model, TimeOption};
use rattleback::mechanics::{Form, Problem, System};
use rattleback::reading::Reading;
use rattleback::session;
use rattleback::simulation::{Options, SimulationError};
use std::sync::Arc;

/// A model with its problem and its system.
pub struct Prepared {
    /// The text and what was found in it.
    pub reading: Reading,
    /// The model.
    pub model: Arc<Model>,
    /// What it poses.
    pub problem: Arc<Problem>,
    /// The system as it moves.
    pub system: System,
}

impl Prepared {
    /// Reads the model with `--until` and `--step` among its settings, and derives the system.
    pub fn of(arguments: &ModelArguments, motion: &MotionArguments) -> Result<Self, Failure> {
        let until = motion.until.as_deref().map(|t| (TimeOption::Until, t));
        let step = motion.step.as_deref().map(|h| (TimeOption::Step, h));
        let times: Vec<_> = until.into_iter().chain(step).collect();
        Self::from_model(&reading::read_with_times(arguments, &times)?, motion.form)
    }

    /// Reads the model as a system in steps, one that has no motion in continuous time too.
    pub fn discrete(
        arguments: &ModelArguments,
        times: &[(TimeOption, &str)],
    ) -> Result<Self, Failure> {
        let read = reading::read_with_times(arguments, times)?;
        Ok(Self::of_session(read.prepare_discrete()?))
    }

    /// Reads the model with its settings and derives the system for a formulation.
    pub fn read(arguments: &ModelArguments, form: Option<Form>) -> Result<Self, Failure> {
        Self::from_model(&reading::read(arguments)?, form)
    }

    fn from_model(model: &rattleback::Model, form: Option<Form>) -> Result<Self, Failure> {
        Ok(Self::of_session(model.prepare(form)?))
    }

    fn of_session(prepared: session::Prepared) -> Self {
        let session::Prepared {
            reading,
            model,
            problem,
            system,
        } = prepared;
        Self {
            reading,
            model,
            problem,
            system,
        }
    }

    /// Feeds controls from tables.
    pub fn feed(&mut self, tables: &Tables) {
        if tables.is_empty() {
            return;
        }
        let problem = Problem::clone(&self.problem);
        let fed = |problem: Problem, table: &Table| problem.with_law(&table.control, table.law());
        self.problem = Arc::new(tables.iter().fold(problem, fed));
        self.system = self.problem.driven();
    }

    /// A simulation that cannot be, told with its place.
    pub fn complain(&mut self, error: SimulationError, inputs: &Inputs<'_>) -> Failure {
        let model = &self.model;
        match error {
            SimulationError::Table(e) => {
                let told = inputs.outside(&e);
                told.unwrap_or_else(|| Failure::Input(e.to_string()))
            }
            SimulationError::Mechanics(e) => {
                let complaint = Complaint::about_mechanics(&e, model);
                self.reading.complain(complaint).into()
            }
            SimulationError::Start(e) => {
                let complaint = Complaint::about_start(&e, model);
                self.reading.complain(complaint).into()
            }
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
        retraction: motion.retraction.into(),
        placement: motion.placement.into(),
        ..Options::default()
    }
}
