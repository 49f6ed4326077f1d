//! What methods follow: vector fields, discrete principles, maps.

use crate::control::{FirstStep, Tolerance, first_not_finite};
use crate::field::{Fault, VectorField};

/// Something that takes a state on in time, by whatever law.
///
/// Every [`VectorField`] is one. A discrete principle or a map, which has no rates, says how many components its
/// state has and leaves the rest: its steps are as long as it is told.
pub trait Dynamics {
    /// The number of components of the state.
    fn components(&self) -> usize;

    /// Fails where the motion cannot go on from (t, x), however short the step. `scratch` is as long as x.
    fn probe(&mut self, _t: f64, _x: &[f64], _scratch: &mut [f64]) -> Result<(), Fault> {
        Ok(())
    }

    /// A first step (positive) from (t, x) in the direction of `span` for a method whose error estimate is of this
    /// order; none where steps cannot be told from the dynamics.
    fn first_step(
        &mut self,
        _t: f64,
        _x: &[f64],
        _span: f64,
        _tolerance: Tolerance,
        _order: u32,
    ) -> Result<Option<f64>, Fault> {
        Ok(None)
    }
}

impl<F: VectorField + ?Sized> Dynamics for F {
    fn components(&self) -> usize {
        self.dimension()
    }

    fn probe(&mut self, t: f64, x: &[f64], scratch: &mut [f64]) -> Result<(), Fault> {
        self.rates(t, x, scratch)?;
        match scratch.iter().all(|rate| rate.is_finite()) {
            true => Ok(()),
            false => Err(first_not_finite(scratch)),
        }
    }

    fn first_step(
        &mut self,
        t: f64,
        x: &[f64],
        span: f64,
        tolerance: Tolerance,
        order: u32,
    ) -> Result<Option<f64>, Fault> {
        let length = FirstStep::new(x.len()).choose(self, t, x, span, tolerance, order)?;
        Ok(Some(length))
    }
}
