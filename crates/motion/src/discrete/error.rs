//! Why a discrete system has no step or no action.

/// A discrete computation that failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ActionError {
    /// A step has no solution.
    #[error("step {step} has no solution: {why}; try a smaller ‹step›")]
    NoStep {
        /// Which step, from 1.
        step: usize,
        /// What stood in the way.
        why: String,
    },
    /// No step at all between two points.
    #[error("with point data the action is defined from the first step on: give ‹steps 1› or more")]
    NoSteps,
    /// The shooting matrix is singular.
    #[error(
        "the end is conjugate to the start: the motions that begin there meet again, and the action has no value; try other ‹at›, or another number of ‹steps›"
    )]
    Conjugate,
    /// Two caustics that one step cannot tell apart.
    #[error(
        "neighbouring motions meet twice inside step {step}: the caustics cannot be told apart; try a smaller ‹step›"
    )]
    TwoCaustics {
        /// Which step, from 1.
        step: usize,
    },
    /// A step that is longer than the way to the first conjugate point.
    #[error(
        "step {step} is too long: motions that leave a point together meet again inside it, or another branch of its equation was found; try a smaller ‹step›"
    )]
    LongStep {
        /// Which step, from 1.
        step: usize,
    },
    /// f⁻ is not invertible: S^{k+1} may solve the equation without generating motions.
    #[error(
        "step {step} focuses: Df- is singular there, so that a solution of the left Hamilton-Jacobi equation need not generate motions; the roll-out is refused"
    )]
    SingularMap {
        /// Which step, from 1.
        step: usize,
    },
    /// H⁺ has no value.
    #[error(
        "step {step} has no right discrete Hamiltonian: D2 D2 L_d is singular; use the left form"
    )]
    NoHamiltonian {
        /// Which step, from 1.
        step: usize,
    },
    /// Something is not finite.
    #[error("a value is not finite on the way: try another guess or a smaller ‹step›")]
    NotFinite,
    /// A sum does not determine its nodes.
    #[error(
        "the discrete problem leaves directions free at step {step}: it does not determine its nodes (a degenerate or irregular discretisation)"
    )]
    FreeDirection {
        /// Which step, from 1.
        step: usize,
    },
    /// Bellman's equation has no maximum.
    #[error(
        "the cost has no minimum over the controls of step {step}: it is not convex in them there, and may be unbounded below; try a cost that grows with the controls, or fewer ‹steps›"
    )]
    NoMaximum {
        /// Which step, from 1.
        step: usize,
    },
    /// Shooting did not converge.
    #[error(
        "no motion was found that ends at the point: the residual stays at {residual:.3e}; try a point nearer to the motion, or another number or length of ‹steps›, as there may be none where the ends are conjugate"
    )]
    NotFound {
        /// The last miss.
        residual: f64,
    },
    /// Something has no value.
    #[error(transparent)]
    Missing(#[from] rattleback_symbolic::MissingInput),
}
