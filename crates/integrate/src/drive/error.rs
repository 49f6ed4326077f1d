//! How following a motion can fail.

use crate::field::Fault;

/// Why a motion could not be followed to its end, with the last time and state that it reached.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DriveError {
    /// The tolerance asks for steps too short to move time.
    #[error("the step size fell to {h:e} at t = {t}")]
    StepUnderflow {
        /// The last time reached.
        t: f64,
        /// The step that was wanted.
        h: f64,
        /// The state at t.
        state: Vec<f64>,
    },
    /// The field has no value at the state reached, or right after it.
    #[error("{fault} at t = {t}")]
    Fault {
        /// The last time reached.
        t: f64,
        /// The state at t.
        state: Vec<f64>,
        /// What is wrong there.
        fault: Fault,
    },
    /// Who watches the motion does not let it go beyond this place.
    #[error("the motion must not be followed beyond t = {t}")]
    Barred {
        /// The time there.
        t: f64,
        /// The state at t.
        state: Vec<f64>,
    },
    /// The allowed number of steps is used up.
    #[error("{steps} steps were not enough: they end at t = {t}")]
    TooManySteps {
        /// The last time reached.
        t: f64,
        /// The state at t.
        state: Vec<f64>,
        /// The number of steps that was allowed.
        steps: u64,
    },
    /// The steps have shrunk so much that the end is out of reach, and do not grow again.
    #[error("the steps have shrunk to {h:e} at t = {t} and do not grow again")]
    Stalled {
        /// The last time reached.
        t: f64,
        /// The mean of the last steps.
        h: f64,
        /// The state at t.
        state: Vec<f64>,
    },
    /// The method cannot choose steps: it has no error estimate.
    #[error("this method needs a fixed step")]
    NoErrorEstimate,
    /// The request makes no sense.
    #[error("{0}")]
    BadRequest(&'static str),
}
