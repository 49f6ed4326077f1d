//! Why there is no start state.

use crate::staged::EvaluationError;
use rattleback_mechanics::Origin;

/// A start state that cannot be.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StartError {
    /// A stated value is no finite number.
    #[error("the start value of `{name}` is not a finite number")]
    NotFinite {
        /// Which one.
        name: String,
        /// Where it is stated.
        origin: Option<Origin>,
    },
    /// The stated state breaks a constraint.
    #[error("the start state breaks this constraint by {residual}")]
    Violated {
        /// By how much.
        residual: f64,
        /// Is it a constraint on positions that the positions break?
        by_position: bool,
        /// Where the constraint stands.
        origin: Origin,
    },
    /// A start element does not lie on its group.
    #[error(
        "the start value of `{name}` is no element of its group: it misses a relation of the group by {residual}"
    )]
    NotInGroup {
        /// Which factor.
        name: String,
        /// By how much.
        residual: f64,
        /// Where it is stated.
        origin: Option<Origin>,
    },
    /// A start value for a multiplier that the system does not have.
    #[error(
        "there is no multiplier `{name}`: the system has {constraints} independent constraints"
    )]
    NoMultiplier {
        /// Which one.
        name: String,
        /// How many there are.
        constraints: usize,
        /// Where it is stated.
        origin: Origin,
    },
    /// A costate that the control problem has not.
    #[error("there is no costate `{name}`: there are {}", .there_are.join(", "))]
    NoCostate {
        /// Which one.
        name: String,
        /// The names of those that there are.
        there_are: Vec<String>,
        /// Where it is stated.
        origin: Origin,
    },
    /// Stated values that break an assumption of the problem.
    #[error("the start state breaks the assumption `{assumption}` of the model")]
    Assumption {
        /// As the model writes it.
        assumption: String,
        /// Where it stands.
        origin: Origin,
    },
    /// A parameter value is no finite number.
    #[error("the value of the parameter `{name}` is not a finite number")]
    Parameter {
        /// Which one.
        name: String,
        /// Where it is declared.
        origin: Origin,
    },
    /// A velocity is stated that the Lagrangian, linear in it, determines otherwise.
    #[error(
        "the start velocity `{name}` is {stated}, but the equations are of first order and determine it: {determined}"
    )]
    Determined {
        /// Which one.
        name: String,
        /// What is stated.
        stated: f64,
        /// What it is.
        determined: f64,
        /// Where it is stated.
        origin: Option<Origin>,
    },
    /// Something could not be evaluated at the start state.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}
