//! Any method, with its states put back onto the groups.

use crate::control::Tolerance;
use crate::field::{Fault, VectorField};
use crate::space::Space;
use crate::stepper::{Step, Stepper};

/// A method that follows the components of the state as if they were coordinates, and projects the
/// end of each step, and each state inside it, onto a [`Space`].
///
/// The error of a step is off the groups and along them alike, so that the projection does not
/// lower the order.
#[derive(Clone, Debug)]
pub struct Projected<S> {
    inner: S,
    space: Space,
}

impl<S> Projected<S> {
    /// The method `inner`, made for all `space.dimension()` components, on this space.
    pub fn new(inner: S, space: Space) -> Self {
        Projected { inner, space }
    }
}

impl<F: VectorField + ?Sized, S: Stepper<F>> Stepper<F> for Projected<S> {
    fn order(&self) -> u32 {
        self.inner.order()
    }

    fn step(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
        next: &mut [f64],
    ) -> Result<Step, Fault> {
        let step = self.inner.step(field, t, x, h, next)?;
        self.space.project(next)?;
        Ok(step)
    }

    fn interpolate(&mut self, field: &mut F, theta: f64, state: &mut [f64]) -> Result<(), Fault> {
        self.inner.interpolate(field, theta, state)?;
        self.space.project(state)
    }

    fn error_order(&self) -> u32 {
        self.inner.error_order()
    }

    fn tolerance(&self) -> Option<Tolerance> {
        self.inner.tolerance()
    }

    fn proposed_step(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        limit: f64,
    ) -> Result<Option<f64>, Fault> {
        self.inner.proposed_step(field, t, x, limit)
    }

    fn restart(&mut self) {
        self.inner.restart();
    }

    fn evaluations(&self) -> u64 {
        self.inner.evaluations()
    }
}
