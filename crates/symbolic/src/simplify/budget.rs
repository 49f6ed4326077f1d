//! A bound on the work that simplification may do.

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
        let left = self.left.checked_sub(work);
        self.left = left.unwrap_or(0);
        left.map(|_| ())
    }
}
