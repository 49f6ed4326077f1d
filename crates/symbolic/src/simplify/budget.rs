//! A bound on the work that simplification may do.

/// Term operations still allowed.
pub(super) struct Budget {
    left: usize,
}

impl Budget {
    pub(super) fn new(left: usize) -> Self {
        Budget { left }
    }

    /// `None` once the work exceeds what is left.
    pub(super) fn spend(&mut self, work: usize) -> Option<()> {
        self.left = self.left.checked_sub(work)?;
        Some(())
    }
}
