//! A point in time at which a search gives up.

use std::time::{Duration, Instant};

/// When a search has to end. Every loop that may take long asks it.
///
/// ```
/// use rattleback_theory::Deadline;
/// assert!(!Deadline::none().passed());
/// assert!(Deadline::after(std::time::Duration::ZERO).passed());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// There is none.
    pub fn none() -> Self {
        Self(None)
    }

    /// So long from now.
    pub fn after(time: Duration) -> Self {
        Self(Instant::now().checked_add(time))
    }

    /// Is the time up?
    pub fn passed(&self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}

/// What is said where time ran out.
pub(crate) const OUT_OF_TIME: &str = "the time budget was used up; allow more with --budget";
