//! A motion from one time to another, as fast as the method goes.

use super::method::Taylor;
use crate::field::{Fault, Jets};

/// A motion that could not be followed to its end.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PropagateError {
    /// The field has no value.
    #[error("the motion cannot be continued at t = {t}: {fault}")]
    Fault {
        /// When.
        t: f64,
        /// Why.
        fault: Fault,
    },
    /// The series converges in too small a neighbourhood.
    #[error("the step size falls to {h:.3e} at t = {t}: the motion comes close to a singularity")]
    StepUnderflow {
        /// When.
        t: f64,
        /// The step.
        h: f64,
    },
}

/// What a motion took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Propagation {
    /// The number of steps.
    pub steps: u64,
}

impl Taylor {
    /// Follows the motion through (t0, x) to t1 and leaves the state there; after an error `x` is
    /// the last state that was reached.
    ///
    /// The rounding errors of adding up state and time are carried along from step to step.
    pub fn propagate<F: Jets + ?Sized>(
        &mut self,
        field: &mut F,
        t0: f64,
        t1: f64,
        x: &mut [f64],
    ) -> Result<Propagation, PropagateError> {
        let mut change = std::mem::take(&mut self.change);
        let mut remainder = std::mem::take(&mut self.remainder);
        remainder.fill(0.0);
        let result = self.follow(field, [t0, t1], x, &mut change, &mut remainder);
        (self.change, self.remainder) = (change, remainder);
        result
    }

    fn follow<F: Jets + ?Sized>(
        &mut self,
        field: &mut F,
        [t0, t1]: [f64; 2],
        x: &mut [f64],
        change: &mut [f64],
        remainder: &mut [f64],
    ) -> Result<Propagation, PropagateError> {
        let direction = 1f64.copysign(t1 - t0);
        let (mut t, mut t_remainder) = (t0, 0.0);
        let mut done = Propagation::default();
        while t != t1 {
            let reach = self.expand(field, t, x);
            let length = reach.map_err(|fault| PropagateError::Fault { t, fault })?;
            let rest = t1 - t - t_remainder;
            let is_last = length >= rest.abs();
            let h = if is_last { rest } else { direction * length };
            if !is_last && t + h == t {
                return Err(PropagateError::StepUnderflow { t, h });
            }
            self.expansion.change(h, change);
            for ((x, change), remainder) in x.iter_mut().zip(&*change).zip(&mut *remainder) {
                add(x, remainder, *change);
            }
            if is_last {
                t = t1;
            } else {
                add(&mut t, &mut t_remainder, h);
            }
            done.steps += 1;
        }
        Ok(done)
    }
}

/// sum + remainder += change, where the remainder is what does not fit into the sum.
#[inline(always)]
pub(super) fn add(sum: &mut f64, remainder: &mut f64, change: f64) {
    let wanted = change + *remainder;
    let new = *sum + wanted;
    // Exact where |sum| ≥ |wanted|; elsewhere the remainder is of no use, but small.
    *remainder = wanted - (new - *sum);
    *sum = new;
}
