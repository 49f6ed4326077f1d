//! Why a discrete system has no step or no action.

/// A discrete computation that failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ActionError {
    /// A step has no solution.
    #[error("step {step} has no solution: {why}; try a smaller --step")]
    NoStep {
        /// Which step, from 1.
        step: usize,
        /// What stood in the way.
        why: String,
    },
    /// No step at all between two points.
    #[error("with point data the action is defined from the first step on: give --steps 1 or more")]
    NoSteps,
    /// The shooting matrix is singular.
    #[error(
        "the end is conjugate to the start: the motions that begin there meet again, and the action has no value; try other --at, or another number of --steps"
    )]
    Conjugate,
    /// Shooting did not converge.
    #[error(
        "no motion was found that ends at the point: the residual stays at {residual:.3e}; try a point nearer to the motion, or fewer --steps"
    )]
    NotFound {
        /// The last miss.
        residual: f64,
    },
    /// Something has no value.
    #[error(transparent)]
    Missing(#[from] rattleback_symbolic::MissingInput),
}
