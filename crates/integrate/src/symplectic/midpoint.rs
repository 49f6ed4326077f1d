//! The implicit midpoint rule.

use super::base::SymmetricBase;
use super::implicit_part::ImplicitPart;
use crate::compensated::Compensated;
use crate::field::{Fault, VectorField};

/// x₁ = x + h f(t + h/2, (x + x₁)/2).
///
/// Symplectic for every Hamiltonian in canonical coordinates, whichever components are paired, and
/// keeps quadratic first integrals.
#[derive(Clone, Debug)]
pub struct Midpoint {
    middle: ImplicitPart,
}

impl Midpoint {
    /// The rule for states with `dimension` components.
    pub fn new(dimension: usize) -> Self {
        Midpoint {
            middle: ImplicitPart::new(dimension, (0..dimension).collect()),
        }
    }
}

impl<F: VectorField + ?Sized> SymmetricBase<F> for Midpoint {
    fn advance(
        &mut self,
        field: &mut F,
        t: f64,
        h: f64,
        state: &mut Compensated,
    ) -> Result<(), Fault> {
        let half = h / 2.0;
        self.middle.solve(field, t + half, half, state.state())?;
        for (k, rate) in self.middle.rates().iter().enumerate() {
            state.add(k, h * rate);
        }
        Ok(())
    }

    fn forget(&mut self) {
        self.middle.forget();
    }

    fn evaluations(&self) -> u64 {
        self.middle.evaluations
    }
}
