//! A bound on the work that simplification may do.

use crate::work;

/// Term operations still allowed.
pub(super) struct Budget {
    limit: usize,
    left: usize,
}

impl Budget {
    pub(super) fn new(limit: usize) -> Self {
        Budget { limit, left: limit }
    }

    /// What has been used so far.
    pub(super) fn spent(&self) -> usize {
        self.limit - self.left
    }

    /// `None` once the work exceeds what is left, and from then on.
    pub(super) fn spend(&mut self, work: usize) -> Option<()> {
        if work::cancelled() {
            self.left = 0;
        }
        let left = self.left.checked_sub(work);
        work::count_work(work as u64);
        self.left = left.unwrap_or(0);
        left.map(|_| ())
    }
}
