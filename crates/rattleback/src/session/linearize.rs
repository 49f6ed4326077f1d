//! The linear system of a model about a state.

use super::{Error, Model, Phase};
use crate::Failed;
use crate::complaint::Complaint;
use crate::control::{Linearization, LinearizeError, Place};
use crate::language;
use std::sync::Arc;

/// A linear system about a state of a model.
#[derive(Debug)]
pub struct Linearized {
    /// The model.
    pub model: Arc<language::Model>,
    /// The system and what it tells.
    pub system: Linearization,
    /// Is it about an equilibrium?
    pub at_rest: bool,
}

/// Rates of this size are rounding.
const AT_REST: f64 = 1e-9;

impl Linearized {
    pub(super) fn of(asked: &Model, place: Place, closed: bool) -> Result<Self, Error> {
        let posed = asked.posed(None)?;
        let (problem, mut reading) = (posed.problem, posed.reading);
        let work = || Linearization::of(&problem, place, closed);
        let system = match asked.session.during(Phase::Compiling, work)? {
            Ok(system) => system,
            Err(LinearizeError::Mechanics(e)) => {
                let complaint = Complaint::about_mechanics(&e, &asked.declared);
                return Err(reading.complain(complaint).into());
            }
            Err(LinearizeError::Start(e)) => {
                let complaint = Complaint::about_start(&e, &asked.declared);
                return Err(reading.complain(complaint).into());
            }
            Err(e) => return Err(Failed(e.to_string()).into()),
        };
        let size = system.at.iter().fold(1.0, |m: f64, (_, x)| m.max(x.abs()));
        Ok(Self {
            model: Arc::clone(&asked.declared),
            at_rest: system.motion <= AT_REST * size,
            system,
        })
    }
}
