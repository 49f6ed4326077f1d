//! Why there is no equilibrium and no linear system.

use rattleback_compile::{EvaluationError, LinearizationError, StartError};
use rattleback_mechanics::MechanicsError;
use rattleback_numeric::SchurError;
use rattleback_symbolic::MissingInput;

/// Why no equilibrium was found.
#[derive(Debug, Clone, thiserror::Error)]
pub enum EquilibriumError {
    /// The equations have no slopes on the way.
    #[error(transparent)]
    Linearization(#[from] LinearizationError),
    /// The search came to rest elsewhere.
    #[error(
        "none was found from this start: rates of {residual:.1e} are left where the search ends; begin nearer to one"
    )]
    NotFound {
        /// The largest rate or residual that is left.
        residual: f64,
    },
    /// What looked like rest beside large terms is none.
    #[error(
        "none was found from this start: where the search ends some rate is left, small as it is beside others; begin nearer to one"
    )]
    Moves,
    /// The equations contain the time, and ask for another state a moment later.
    #[error(
        "none was found: what rests at t = {time} moves at other times, for the equations or the inputs contain the time"
    )]
    OnlyNow {
        /// When it rests.
        time: f64,
    },
}

/// A linearisation that failed.
#[derive(Debug, thiserror::Error)]
pub enum LinearizeError {
    /// The equations cannot be derived.
    #[error(transparent)]
    Mechanics(#[from] MechanicsError),
    /// The start cannot be.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The equations have no values.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// A symbol has no value.
    #[error(transparent)]
    Missing(#[from] MissingInput),
    /// There is no linear system at this state.
    #[error(transparent)]
    Linearization(#[from] LinearizationError),
    /// There is no equilibrium.
    #[error("an equilibrium: {0}")]
    Equilibrium(EquilibriumError),
    /// There is no steady motion.
    #[error("a steady motion: {0}")]
    Steady(EquilibriumError),
    /// There is no symmetry.
    #[error(
        "a steady motion needs a symmetry that leaves the forces alone, and none is known; declare one with `symmetry`"
    )]
    NoSymmetry,
    /// A map has no flow.
    #[error(
        "a model that goes from node to node has no flow to linearise; `discrete` has the regulator of linear maps"
    )]
    Map,
    /// There are no eigenvalues.
    #[error(transparent)]
    Eigenvalues(#[from] SchurError),
}
