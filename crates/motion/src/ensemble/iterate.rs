//! Members of a map, one after the other from node to node.

use super::field::Field;
use super::run::Ensemble;
use crate::simulation::nodes;
use rattleback_integrate::{EnsembleSummary, MemberError, MemberOutcome};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

impl Ensemble {
    /// Iterates the members from `first` on, in order.
    pub(super) fn iterate(
        &self,
        first: usize,
        stop: &AtomicBool,
        progress: &AtomicUsize,
        deliver: &mut dyn FnMut(usize, MemberOutcome),
    ) -> EnsembleSummary {
        let mut field = Field::with_given(&self.code, Some(&self.given), first);
        let mut summary = EnsembleSummary {
            finished: 0,
            failed: 0,
            steps: 0,
            rejected: 0,
        };
        for member in 0..self.members.count().saturating_sub(first) {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let mut x = vec![0.0; self.motion.state.len()];
            self.start_state(first + member, &mut x);
            let mut next = x.clone();
            let mut steps = 0;
            let end = self.end_of(first + member);
            let last = nodes(self.from, end);
            let mut error = match end.is_finite() && x.iter().all(|v| v.is_finite()) {
                true => None,
                false => Some(MemberError::BadStart),
            };
            while error.is_none() && steps < last {
                let t = self.from + steps as f64;
                match field.single(member, t, &x, &mut next) {
                    true => std::mem::swap(&mut x, &mut next),
                    false => error = Some(MemberError::Fault),
                }
                steps += u64::from(error.is_none());
            }
            summary.finished += 1;
            summary.failed += usize::from(error.is_some());
            summary.steps += steps;
            let outcome = MemberOutcome {
                t: self.from + steps as f64,
                state: x,
                steps,
                rejected: 0,
                samples: Vec::new(),
                events: Vec::new(),
                stopped_by: None,
                error,
            };
            deliver(member, outcome);
            progress.fetch_add(1, Ordering::Relaxed);
        }
        summary
    }
}
