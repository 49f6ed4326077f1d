//! Deadlines: a search ends in "undecided" instead of running for ever.

use std::time::{Duration, Instant};

/// The time at which a search gives up; without one it runs to its other limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// No limit of time.
    pub fn none() -> Self {
        Self(None)
    }

    /// This long from now.
    pub fn after(span: Duration) -> Self {
        Self(Instant::now().checked_add(span))
    }

    /// Is the time over?
    pub fn passed(&self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}
