//! Simulations that cannot be, or do not come to their end.

use rattleback_compile::{EvaluationError, StartError};
use rattleback_mechanics::{Form, MechanicsError};
use rattleback_symbolic::MissingInput;

use super::events::WithoutValue;
use super::method::Method;

/// Why there is no simulation, or why it ended early.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// A table does not fit.
    #[error(transparent)]
    Table(#[from] rattleback_compile::TableError),
    /// The equations cannot be derived.
    #[error(transparent)]
    Mechanics(#[from] MechanicsError),
    /// There is no start state.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Something has no value.
    #[error(transparent)]
    Missing(#[from] MissingInput),
    /// The equations have no value at the start.
    #[error("{0}, at the start state; try other start values, for example ‹set NAME=VALUE›")]
    Evaluation(#[from] EvaluationError),
    /// The method does not fit.
    #[error("the method {method} does not fit: {why}")]
    Method {
        /// Which one.
        method: Box<Method>,
        /// Why.
        why: String,
    },
    /// An event that the motion has no values for.
    #[error(transparent)]
    Event(#[from] WithoutValue),
    /// A time, a step or a tolerance makes no sense.
    #[error("{0}")]
    Request(String),
    /// The motion ended before its time.
    #[error("{0}")]
    Motion(String),
}

impl SimulationError {
    /// A method that needs something the formulation does not have.
    pub(super) fn method(method: Method, form: Form, why: &str) -> Self {
        SimulationError::Method {
            method: Box::new(method),
            why: format!("{why} (the equations are in the form {form})"),
        }
    }

    /// Is it the request that is wrong, rather than the computation?
    pub fn is_bad_request(&self) -> bool {
        matches!(
            self,
            SimulationError::Method { .. }
                | SimulationError::Table(_)
                | SimulationError::Event(_)
                | SimulationError::Request(_)
        )
    }
}
