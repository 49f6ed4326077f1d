//! What can go wrong on the indirect route.

use rattleback_compile::{EvaluationError, StartError};
use rattleback_mechanics::{MechanicsError, Origin};
use rattleback_symbolic::MissingInput;

/// Why the necessary conditions were not solved.
#[derive(Debug, Clone, thiserror::Error)]
pub enum IndirectError {
    /// There are no conditions: nothing is made least, or they do not determine the controls.
    #[error(transparent)]
    Mechanics(#[from] MechanicsError),
    /// There is no start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A symbol has no value.
    #[error(transparent)]
    Missing(#[from] MissingInput),
    /// The start cannot be evaluated.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// The problem has no time.
    #[error("the problem has no horizon of known length: give `time 0 .. T`")]
    NoHorizon,
    /// The guess does not fit the problem.
    #[error("the guess has {found} values per time, the problem {expected} states")]
    Guess {
        /// How many columns were given.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// The conditions are not finite at the guess.
    #[error("the conditions are not finite at the guess: give another one")]
    NotFinite,
    /// Newton's method came to no end.
    #[error(
        "the conditions were not solved: after {steps} steps the residual is {residual:.3e}; try a better guess, such as a direct solution"
    )]
    NotConverged {
        /// How many steps were taken.
        steps: usize,
        /// The norm of the residual there.
        residual: f64,
    },
    /// The mesh became too fine.
    #[error("{intervals} intervals leave a residual of {residual:.3e}: allow more")]
    MeshLimit {
        /// How many there are.
        intervals: usize,
        /// The residual of shooting on them.
        residual: f64,
    },
    /// An inequality is broken that the conditions do not know of.
    #[error(
        "an inequality is active between {from:.6} and {to:.6}: the conditions without it do not hold there"
    )]
    Inequality {
        /// Which one.
        origin: Origin,
        /// The first time at which it is broken.
        from: f64,
        /// The last.
        to: f64,
    },
}
