//! A model whose system is ready to be followed.

use super::{Error, Model, Phase, Session};
use crate::compile::{Table, Tables};
use crate::complaint::{self, Complaint};
use crate::ensemble::EnsembleError;
use crate::language;
use crate::mechanics::{Form, Problem, System, Varied};
use crate::reading::Reading;
use crate::simulation::{Options, SimulationError};
use crate::theory::{Effort, HamiltonizationReport};
use std::sync::Arc;

/// A model with its problem and its system.
#[derive(Debug)]
pub struct Prepared {
    /// The text and what was found in it.
    pub reading: Reading,
    /// The model.
    pub model: Arc<language::Model>,
    /// What it poses.
    pub problem: Arc<Problem>,
    /// The system as it moves.
    pub system: System,
}

impl Prepared {
    /// Derives the system; one that does not determine its motion is refused.
    pub(super) fn of(model: &Model, form: Option<Form>) -> Result<Self, Error> {
        let posed = model.posed(form)?;
        let (problem, mut reading) = (posed.problem, posed.reading);
        let work = || {
            let system = match form {
                // There the controls are chosen, not fed.
                Some(Form::Optimality) => return Ok(problem.steered()),
                _ => problem.driven(),
            };
            system.check_regular().map(|()| system)
        };
        let system = model.session.during(Phase::Deriving, work)?;
        let system = system
            .map_err(|e| reading.complain(Complaint::about_mechanics(&e, &model.declared)))?;
        Ok(Self {
            reading,
            model: Arc::clone(&model.declared),
            problem,
            system,
        })
    }

    /// The system as one in steps: a discrete Lagrangian, or any that determines its motion.
    pub(super) fn in_steps(model: &Model) -> Result<Self, Error> {
        let posed = model.posed(None)?;
        if posed.problem.clock != language::Clock::DiscreteLagrangian {
            return Self::of(model, None);
        }
        Ok(Self {
            reading: posed.reading,
            model: Arc::clone(&model.declared),
            system: posed.problem.driven(),
            problem: posed.problem,
        })
    }

    /// Feeds controls from tables, in the place of their laws.
    pub fn feed(&mut self, tables: &Tables) {
        if tables.is_empty() {
            return;
        }
        let problem = Problem::clone(&self.problem);
        let fed = |problem: Problem, table: &Table| problem.with_law(&table.control, table.law());
        self.problem = Arc::new(tables.iter().fold(problem, fed));
        self.system = self.problem.driven();
    }

    /// Compiles what is to be followed, by options with the time in which the method follows where it needs one.
    pub(super) fn compiled<T, E: Into<EnsembleError>>(
        &mut self,
        session: &Session,
        options: &Options,
        varied: &[Varied],
        make: impl FnOnce(&Problem, &System, &Options) -> Result<T, E>,
    ) -> Result<T, Error> {
        let time = |system: &System| {
            HamiltonizationReport::of(system, Effort::default()).chaplygin_time(system)
        };
        let work = || -> Result<T, EnsembleError> {
            let options = options.in_chaplygin_time(&self.system, varied, time)?;
            make(&self.problem, &self.system, &options).map_err(Into::into)
        };
        match session.during(Phase::Compiling, work)? {
            Ok(made) => Ok(made),
            Err(EnsembleError::Simulation(e)) => Err(self.complain(e)),
            Err(e) => Err(e.into()),
        }
    }

    /// A simulation that cannot be, told with its place where it has one.
    pub(super) fn complain(&mut self, error: SimulationError) -> Error {
        let model = &self.model;
        let complaint = match &error {
            SimulationError::Mechanics(e) => Complaint::about_mechanics(e, model),
            SimulationError::Start(e) => Complaint::about_start(e, model),
            SimulationError::Event(found) => return complaint::without_value(found).into(),
            _ => return error.into(),
        };
        self.reading.complain(complaint).into()
    }
}
