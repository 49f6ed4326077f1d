//! One-step methods.

use crate::field::{Fault, VectorField};

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The estimated error over the tolerance (accept at most 1); 0 where the method has no estimate.
    pub error: f64,
}

/// A one-step method for fields of kind `F`, with all its memory.
pub trait Stepper<F: VectorField + ?Sized> {
    /// The order of convergence.
    fn order(&self) -> u32;

    /// Steps from (t, x) to t + h and writes the new state. Does not allocate.
    fn step(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
        next: &mut [f64],
    ) -> Result<Step, Fault>;

    /// Writes the state at t + θh, 0 ≤ θ ≤ 1, inside the step taken last.
    fn interpolate(&mut self, field: &mut F, theta: f64, state: &mut [f64]) -> Result<(), Fault>;
}
