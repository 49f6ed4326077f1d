//! One-step methods for several members at once, each with its own time and step size.

use super::events::Crossings;
use super::field::{BatchField, Span};

/// What became of the lanes in one round of trials, as masks (bit `lane`). A lane in neither has
/// rejected its trial and will try a shorter step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// The lanes that have moved on.
    pub accepted: u8,
    /// The lanes that cannot move on.
    pub failed: u8,
}

/// Why a member could not be followed to its end.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MemberError {
    /// The tolerance asks for steps too short to move time.
    #[error("the step size fell to {h:e}")]
    StepUnderflow {
        /// The step that was wanted.
        h: f64,
    },
    /// The field has no value at the state reached, or right after it.
    #[error("the equations have no value")]
    Fault,
    /// The allowed number of steps is used up.
    #[error("the allowed number of steps was not enough")]
    TooManySteps,
    /// The steps have shrunk so much that the end is out of reach, and do not grow again.
    #[error("the steps have shrunk to {h:e} and do not grow again")]
    Stalled {
        /// The mean of the last steps.
        h: f64,
    },
    /// The start state or the times are not finite.
    #[error("the start state or the times are not finite")]
    BadStart,
}

/// Where a member came to.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberOutcome {
    /// The last time reached.
    pub t: f64,
    /// The state there.
    pub state: Vec<f64>,
    /// Accepted steps.
    pub steps: u64,
    /// Rejected trials.
    pub rejected: u64,
    /// The states at the sample times, one after the other; not numbers where the member was not
    /// there.
    pub samples: Vec<f64>,
    /// What is known of each event.
    pub events: Vec<Crossings>,
    /// The terminal event that ended the motion.
    pub stopped_by: Option<usize>,
    /// What ended the motion before its time.
    pub error: Option<MemberError>,
}

/// A method that follows one member in each lane. It owns their times, states and step sizes, and
/// whatever happens in one lane must not depend on the others.
pub trait BatchStepper<F: BatchField + ?Sized> {
    /// Puts a member with this start state into a lane. The field already has its parameters.
    fn load(&mut self, lane: usize, span: Span, x: &[f64]);

    /// Lets a lane rest: it is not in any later [`Round`] until it is loaded again.
    fn rest(&mut self, lane: usize);

    /// Tries one step in every lane that does not rest. The last step of a lane ends exactly at the
    /// end of its span; the lane must then be loaded anew or put to rest.
    fn advance(&mut self, field: &mut F) -> Round;

    /// The time that a lane has reached.
    fn time(&self, lane: usize) -> f64;

    /// Writes the state that a lane has reached.
    fn state(&self, lane: usize, x: &mut [f64]);

    /// Replaces the state that a lane has reached, after all that is to be known of its last step.
    fn replace(&mut self, lane: usize, x: &[f64]);

    /// Writes the state at time t inside the step that the lane accepted in the last round, before
    /// anything is loaded; false where the field has no value there.
    fn interpolate(&mut self, field: &mut F, lane: usize, t: f64, x: &mut [f64]) -> bool;

    /// Writes how far each component goes at most, inside the step that the lane accepted in the last round, from where it
    /// began; false where that takes more work than a bound is worth.
    fn ways(&self, _lane: usize, _ways: &mut [f64]) -> bool {
        false
    }

    /// Does the method know that nothing narrow lies inside the step that the lane accepted in the last round?
    fn vouches(&self, _lane: usize) -> bool {
        false
    }

    /// Why a lane has failed in the last round.
    fn failure(&self, lane: usize) -> MemberError;
}
