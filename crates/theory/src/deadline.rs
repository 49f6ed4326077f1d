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

    /// After one n-th of the time that is left, so that something else can be tried afterwards.
    pub(crate) fn part(&self, n: u32) -> Self {
        let Some(end) = self.0 else { return *self };
        Self::after(end.saturating_duration_since(Instant::now()) / n.max(1))
    }

    /// Is the time up?
    pub fn passed(&self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}

/// What is said where time ran out.
pub(crate) const OUT_OF_TIME: &str = "the time budget was used up; allow more with --budget";
