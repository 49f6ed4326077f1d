//! Outcomes handed over in the order of the members, whichever thread has them first.

use std::collections::BTreeMap;

use super::stepper::MemberOutcome;

/// Outcomes that wait for their turn, and where they go.
pub(super) struct Delivery<K> {
    waiting: BTreeMap<usize, MemberOutcome>,
    next: usize,
    sink: K,
}

impl<K: FnMut(usize, MemberOutcome)> Delivery<K> {
    pub fn new(sink: K) -> Self {
        Delivery {
            waiting: BTreeMap::new(),
            next: 0,
            sink,
        }
    }

    /// Takes over outcomes and passes on those whose turn it is; returns the member that is waited
    /// for.
    pub fn accept(&mut self, outcomes: impl Iterator<Item = (usize, MemberOutcome)>) -> usize {
        for (member, outcome) in outcomes {
            if member == self.next {
                (self.sink)(member, outcome);
                self.next += 1;
            } else {
                self.waiting.insert(member, outcome);
            }
        }
        while let Some(outcome) = self.waiting.remove(&self.next) {
            (self.sink)(self.next, outcome);
            self.next += 1;
        }
        self.next
    }

    /// Passes on what is left after a stop, which leaves gaps.
    pub fn finish(&mut self) {
        while let Some((member, outcome)) = self.waiting.pop_first() {
            (self.sink)(member, outcome);
        }
    }
}
