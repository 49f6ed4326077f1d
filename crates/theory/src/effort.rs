//! How much work a search may spend.

use rattleback_mechanics::System;
use rattleback_symbolic::{cancelled, work_done};
use std::marker::PhantomData;

/// The work that one topic may spend at effort 1: several times what the dearest topic of a shipped model takes.
const UNIT: f64 = 4e8;

/// A limit on the work of this thread. Every loop that may take long asks it.
///
/// Work is counted by the kernel ([`work_done`]), so that the same input ends at the same place on every machine
/// and under any load. A cancelled thread has nothing left to spend either.
///
/// ```
/// use rattleback_theory::Effort;
/// assert!(!Effort::unlimited().is_spent());
/// assert!(Effort::of(0.0).is_spent());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    /// The count of work at which it ends.
    end: Option<u64>,
    /// The work that was allowed for the topic that this is a part of.
    whole: Option<u64>,
    /// The count is that of one thread: the limit stays there.
    on_this_thread: PhantomData<*const ()>,
}

impl Effort {
    /// No limit.
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// So many times the usual effort, from now on.
    pub fn of(factor: f64) -> Self {
        // A float too large for the integer saturates.
        Self::units((factor * UNIT) as u64)
    }

    /// So many units of work, from now on.
    pub fn units(work: u64) -> Self {
        Self {
            end: Some(work_done().saturating_add(work)),
            whole: Some(work),
            on_this_thread: PhantomData,
        }
    }

    /// One n-th of what is left, so that something else can be tried afterwards.
    pub(crate) fn part(&self, n: u64) -> Self {
        match self.end {
            Some(end) => Self {
                whole: self.whole,
                ..Self::units(end.saturating_sub(work_done()) / n.max(1))
            },
            None => *self,
        }
    }

    /// An answer that several topics ask for: found once, with the effort of a whole topic, whatever those who ask have
    /// spent before.
    pub(crate) fn shared<T: Clone + Send + Sync + 'static>(
        &self,
        system: &System,
        find: impl FnOnce(Effort) -> T,
    ) -> T {
        let afresh = || self.whole.map_or_else(Self::unlimited, Self::units);
        system.known(self.whole, || find(afresh()))
    }

    /// Is nothing left, or is the answer no longer wanted?
    pub fn is_spent(&self) -> bool {
        cancelled() || self.end.is_some_and(|end| work_done() >= end)
    }
}
