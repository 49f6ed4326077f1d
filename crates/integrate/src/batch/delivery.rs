//! Outcomes handed over in the order of the members, whichever thread has them first.

use std::collections::VecDeque;

use super::stepper::MemberOutcome;

/// Outcomes that wait for their turn, and where they go.
pub(super) struct Delivery<K> {
    /// From the next member on; none where a member is still under way.
    waiting: VecDeque<Option<MemberOutcome>>,
    next: usize,
    sink: K,
}

impl<K: FnMut(usize, MemberOutcome)> Delivery<K> {
    pub fn new(sink: K) -> Self {
        Delivery {
            waiting: VecDeque::new(),
            next: 0,
            sink,
        }
    }

    /// Takes over outcomes and passes on those whose turn it is; returns the member that is waited
    /// for.
    pub fn accept(&mut self, outcomes: impl Iterator<Item = (usize, MemberOutcome)>) -> usize {
        for (member, outcome) in outcomes {
            let place = member - self.next;
            if place >= self.waiting.len() {
                self.waiting.resize_with(place + 1, || None);
            }
            self.waiting[place] = Some(outcome);
            while let Some(outcome) = self.waiting.front_mut().and_then(Option::take) {
                self.waiting.pop_front();
                (self.sink)(self.next, outcome);
                self.next += 1;
            }
        }
        self.next
    }

    /// Passes on what is left after a stop, which leaves gaps.
    pub fn finish(&mut self) {
        for (place, outcome) in self.waiting.drain(..).enumerate() {
            if let Some(outcome) = outcome {
                (self.sink)(self.next + place, outcome);
            }
        }
    }
}
