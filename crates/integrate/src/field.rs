//! Vector fields: what integrators follow.

/// Why a vector field has no value at a state. Small, so that a step never allocates; whoever owns
/// the field can tell the details afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A rate is not a finite number.
    #[error("the rate of state component {0} is not finite")]
    NotFinite(usize),
    /// A linear system inside the field is singular.
    #[error("a linear system of the equations is singular")]
    Singular,
    /// An iteration inside the field or the method did not converge.
    #[error("an iteration did not converge")]
    NotConverged,
    /// The equations of a step have no solution that goes over into the motion as the step is shortened.
    #[error(
        "the step is too long (its equations have no solution on the branch that short steps are on)"
    )]
    LongStep,
    /// The branch that short steps are on ends where the constraints of a step lose their rank.
    #[error("the constraints lose their rank inside the step that begins")]
    ConstraintsLost,
    /// A group element turns farther in a step than its retraction reaches.
    #[error("the step is too long (a group element turns by half a turn or more in it)")]
    LongTurn,
}

impl From<rattleback_numeric::SingularMatrix> for Fault {
    fn from(_: rattleback_numeric::SingularMatrix) -> Self {
        Fault::Singular
    }
}

/// x' = f(t, x).
pub trait VectorField {
    /// The number of state components.
    fn dimension(&self) -> usize;

    /// Writes f(t, x).
    fn rates(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault>;

    /// The same for inputs (t, x) in one piece, which a field may take as they are.
    #[inline]
    fn rates_of(&mut self, inputs: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        self.rates(inputs[0], &inputs[1..], rates)
    }

    /// Writes ∂f_i/∂x_j by rows.
    fn jacobian(&mut self, t: f64, x: &[f64], jacobian: &mut [f64]) -> Result<(), Fault>;

    /// The numbers that differ between motions, or between stretches of one: a discrete principle is given the same.
    fn given(&self) -> &[f64] {
        &[]
    }
}

/// A vector field that can differentiate its own motions.
pub trait Jets: VectorField {
    /// Writes the Taylor coefficients x_k = x^(k)(t)/k! for k = 0 ..= order, `coefficients[k*n + i]`.
    fn jet(
        &mut self,
        t: f64,
        x: &[f64],
        order: usize,
        coefficients: &mut [f64],
    ) -> Result<(), Fault>;

    /// May the field go over into another one without a sign in its Taylor coefficients, as a root does that
    /// passes zero? Sums, products, quotients, sines and cosines do not: their poles show.
    fn may_turn(&self) -> bool {
        true
    }

    /// May the field turn within a step of this length though the coefficients of the last [`jet`](Self::jet) do not
    /// show it? What roots, quotients and exponentials are made of tells, where it varies little over the step.
    fn doubts(&mut self, _coefficients: &[f64], _h: f64) -> bool {
        true
    }
}
