//! The Taylor method as a stepper.

use super::expansion::Expansion;
use super::step_size::StepPolicy;
use crate::control::Tolerance;
use crate::field::{Fault, Jets};
use crate::stepper::{Step, Stepper};

/// The Taylor method of an order that suits the tolerance.
#[derive(Clone, Debug)]
pub struct Taylor {
    pub(super) policy: StepPolicy,
    pub(super) expansion: Expansion,
    /// Where the expansion was made.
    at: Option<f64>,
    /// How far the expansion can be trusted.
    reach: f64,
    h: f64,
    expansions: u64,
    pub(super) change: Vec<f64>,
    pub(super) remainder: Vec<f64>,
}

impl Taylor {
    /// For motions of this dimension.
    pub fn new(dimension: usize, tolerance: Tolerance) -> Taylor {
        Taylor::with_policy(dimension, StepPolicy::new(tolerance))
    }

    /// With an order and a tolerance of the caller's choice.
    pub fn with_policy(dimension: usize, policy: StepPolicy) -> Taylor {
        Taylor {
            policy,
            expansion: Expansion::new(dimension, policy.order()),
            at: None,
            reach: 0.0,
            h: 0.0,
            expansions: 0,
            change: vec![0.0; dimension],
            remainder: vec![0.0; dimension],
        }
    }

    /// The order and the step sizes.
    pub fn policy(&self) -> &StepPolicy {
        &self.policy
    }

    /// The polynomial around the state expanded last.
    pub fn expansion(&self) -> &Expansion {
        &self.expansion
    }

    /// Expands the motion through (t, x), unless that has just been done.
    fn expand_once<F: Jets + ?Sized>(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
    ) -> Result<(), Fault> {
        let here = &self.expansion.coefficients()[..x.len()];
        if self.at == Some(t) && here == x {
            return Ok(());
        }
        self.at = None;
        self.reach = self.expand(field, t, x)?;
        self.at = Some(t);
        Ok(())
    }

    /// Expands the motion through (t, x), and says how far that reaches.
    #[inline]
    pub(super) fn expand<F: Jets + ?Sized>(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
    ) -> Result<f64, Fault> {
        self.expansions += 1;
        self.expansion.expand(field, t, x)?;
        self.expansion.reach(&self.policy)
    }
}

impl<F: Jets + ?Sized> Stepper<F> for Taylor {
    fn order(&self) -> u32 {
        self.policy.order() as u32
    }

    fn step(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
        next: &mut [f64],
    ) -> Result<Step, Fault> {
        self.expand_once(field, t, x)?;
        self.h = h;
        self.expansion.state(h, next);
        // A step that the policy itself has chosen need not be judged by it again.
        let error = if h.abs() <= self.reach {
            0.0
        } else {
            self.policy.error(self.reach, h)
        };
        Ok(Step { error })
    }

    fn interpolate(&mut self, _: &mut F, theta: f64, state: &mut [f64]) -> Result<(), Fault> {
        self.expansion.state(theta * self.h, state);
        Ok(())
    }

    fn tolerance(&self) -> Option<Tolerance> {
        Some(self.policy.tolerance())
    }

    fn proposed_step(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        limit: f64,
    ) -> Result<Option<f64>, Fault> {
        self.expand_once(field, t, x)?;
        Ok(Some(self.reach.min(limit.abs())))
    }

    fn restart(&mut self) {
        self.at = None;
    }

    fn evaluations(&self) -> u64 {
        self.expansions
    }
}
