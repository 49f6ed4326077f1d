//! One-step methods.

use crate::control::Tolerance;
use crate::dynamics::Dynamics;
use crate::field::Fault;

/// In how many steps, at least, a motion is followed where long ones may miss what happens inside: a pulse
/// exp(−(t/w)²) is then met, at usual tolerances, by a stage if w is a two hundredth of the motion, and by a
/// witness of Taylor steps if it is a thousandth.
pub(crate) const FEWEST_STEPS: u32 = 16;

/// The longest step of a motion of this length that takes at least so many of them, none past more than as many
/// samples at this spacing.
pub(crate) fn longest_step(fewest: u32, span: f64, spacing: f64) -> f64 {
    let fewest = f64::from(fewest);
    (span.abs() / fewest).min(fewest * spacing.abs())
}

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The estimated error over the tolerance (accept at most 1); 0 where the method has no estimate.
    pub error: f64,
}

/// A one-step method for dynamics of kind `F`, with all its memory.
pub trait Stepper<F: Dynamics + ?Sized> {
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

    /// Writes a state near that one, where it costs no more evaluations of the field, and says whether it is that
    /// one itself.
    fn sketch(&mut self, field: &mut F, theta: f64, state: &mut [f64]) -> Result<bool, Fault> {
        self.interpolate(field, theta, state)?;
        Ok(true)
    }

    /// Writes how far each component goes at most, inside the step taken last, from where it began; false where that takes
    /// more work than a bound is worth.
    fn ways(&self, _ways: &mut [f64]) -> bool {
        false
    }

    /// The power q of the step with which [`Step::error`] shrinks.
    fn error_order(&self) -> u32 {
        self.order()
    }

    /// The tolerance that [`Step::error`] is measured in; none where there is no estimate.
    fn tolerance(&self) -> Option<Tolerance> {
        None
    }

    /// The step (positive, at most |`limit`| long) that the method itself wants from (t, x) in the
    /// direction of `limit`, where it knows that before stepping; otherwise a controller decides
    /// from [`Step::error`].
    fn proposed_step(
        &mut self,
        _field: &mut F,
        _t: f64,
        _x: &[f64],
        _limit: f64,
    ) -> Result<Option<f64>, Fault> {
        Ok(None)
    }

    /// In how many steps, at least, a motion is to be followed: more than one where the method may miss what
    /// happens inside a long step.
    fn fewest_steps(&self, _field: &F) -> u32 {
        1
    }

    /// Steps whose inside the method does not know are to be no longer than this.
    fn beware(&mut self, _longest: f64) {}

    /// Does the method know that nothing narrow lies inside the step taken last?
    fn vouches(&self) -> bool {
        false
    }

    /// Forgets what earlier steps left behind: the field has changed.
    fn restart(&mut self) {}

    /// How many times the method has evaluated the field so far.
    fn evaluations(&self) -> u64 {
        0
    }
}
