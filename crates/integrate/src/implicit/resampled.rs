//! Dense output as accurate as the steps.

use crate::control::Tolerance;
use crate::field::{Fault, VectorField};
use crate::stepper::{Step, Stepper};

/// A method whose states inside a step are steps of their own from its start.
///
/// The polynomial of a collocation method is of lower order than the end of its step. Where such a step cannot
/// be taken, the polynomial serves.
#[derive(Clone, Debug)]
pub struct Resampled<S> {
    steps: S,
    /// The same method, for the steps inside.
    inside: S,
    t: f64,
    h: f64,
    start: Vec<f64>,
    end: Vec<f64>,
}

impl<S: Clone> Resampled<S> {
    /// The method for states with `dimension` components, so sampled.
    pub fn new(method: S, dimension: usize) -> Self {
        Resampled {
            inside: method.clone(),
            steps: method,
            t: 0.0,
            h: 0.0,
            start: vec![0.0; dimension],
            end: vec![0.0; dimension],
        }
    }
}

impl<F: VectorField + ?Sized, S: Stepper<F>> Stepper<F> for Resampled<S> {
    fn order(&self) -> u32 {
        self.steps.order()
    }

    fn step(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
        next: &mut [f64],
    ) -> Result<Step, Fault> {
        let step = self.steps.step(field, t, x, h, next)?;
        (self.t, self.h) = (t, h);
        self.start.copy_from_slice(x);
        self.end.copy_from_slice(next);
        Ok(step)
    }

    fn interpolate(&mut self, field: &mut F, theta: f64, state: &mut [f64]) -> Result<(), Fault> {
        let known = match theta {
            0.0 => Some(&self.start),
            1.0 => Some(&self.end),
            _ => None,
        };
        if let Some(known) = known {
            state.copy_from_slice(known);
            return Ok(());
        }
        let part = theta * self.h;
        match self.inside.step(field, self.t, &self.start, part, state) {
            Ok(_) => Ok(()),
            Err(_) => self.steps.interpolate(field, theta, state),
        }
    }

    fn error_order(&self) -> u32 {
        self.steps.error_order()
    }

    fn tolerance(&self) -> Option<Tolerance> {
        self.steps.tolerance()
    }

    fn restart(&mut self) {
        self.steps.restart();
        self.inside.restart();
    }

    fn evaluations(&self) -> u64 {
        self.steps.evaluations() + self.inside.evaluations()
    }
}
