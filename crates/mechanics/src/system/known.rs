//! Answers about a system that are worked out once: who asks one question asks for the answers to others.

use super::System;
use rattleback_symbolic::{cancelled, uncounted};
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One answer; whoever finds it works it out while others wait.
type Slot = Arc<Mutex<Option<Box<dyn Any + Send + Sync>>>>;

/// Answers about one system, by their type and by the work that was allowed for them.
#[derive(Debug, Default)]
pub(crate) struct Known(Mutex<HashMap<(TypeId, Option<u64>), Slot>>);

/// A copy is made to be changed: nothing is known about it yet.
impl Clone for Known {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// An answer is written whole, so that a panic in the search for one leaves none half done.
fn lock<T>(all: &Mutex<T>) -> MutexGuard<'_, T> {
    all.lock().unwrap_or_else(PoisonError::into_inner)
}

impl System {
    /// The answer of this type, for all who ask with the same limit of work. It depends on the system and the limit
    /// alone, does not ask for itself, and counts as nobody's work: who comes first must not decide. An answer
    /// that was cancelled is not kept.
    pub fn known<T: Clone + Send + Sync + 'static>(
        &self,
        limit: Option<u64>,
        find: impl FnOnce() -> T,
    ) -> T {
        let slot = lock(&self.known.0)
            .entry((TypeId::of::<T>(), limit))
            .or_default()
            .clone();
        let mut slot = lock(&slot);
        if let Some(answer) = slot.as_ref().and_then(|a| a.downcast_ref::<T>()) {
            return answer.clone();
        }
        let answer = uncounted(find);
        if !cancelled() {
            *slot = Some(Box::new(answer.clone()));
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_symbolic::{Cancel, Expr, Symbol, count_work, work_done};

    fn particle() -> System {
        let x = Symbol::variable("x");
        let v = Expr::from(x.derivative());
        System::on_coordinates("particle", &[x], v.powi(2) / 2)
    }

    #[test]
    fn an_answer_is_found_once_for_each_limit_and_counts_for_nobody() {
        let system = particle();
        let before = work_done();
        let find = |n: u32| {
            move || {
                count_work(100);
                n
            }
        };
        assert_eq!(system.known(Some(7), find(1)), 1);
        assert_eq!(system.known(Some(7), find(2)), 1);
        assert_eq!(system.known(Some(8), find(3)), 3);
        assert_eq!(system.known(None, find(4)), 4);
        assert_eq!(system.known(Some(7), || "another type"), "another type");
        assert_eq!(work_done(), before);
    }

    #[test]
    fn nothing_is_known_about_another_system() {
        let system = particle();
        assert_eq!(system.known(None, || 1), 1);
        assert_eq!(system.clone().known(None, || 2), 2);
        let forced = system.with_force(vec![Expr::one()]);
        assert_eq!(forced.known(None, || 3), 3);
    }

    #[test]
    fn what_was_cancelled_is_asked_again() {
        let (system, cancel) = (particle(), Cancel::new());
        cancel.cancel();
        assert_eq!(cancel.scope(|| system.known(None, || 1)), 1);
        assert_eq!(system.known(None, || 2), 2);
    }
}
