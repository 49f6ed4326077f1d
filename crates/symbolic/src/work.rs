//! The work that exact algebra does on this thread, and the wish that it stop.
//!
//! Work is counted in elementary operations: terms multiplied, nodes visited, instructions run in a prime field.
//! The count depends on the input alone, never on the clock, on the load of the machine or on what other
//! threads do. A [`Cancel`] token ends work early: every budget of this crate then says that it is used up.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static DONE: Cell<u64> = const { Cell::new(0) };
    static TOKEN: RefCell<Option<Cancel>> = const { RefCell::new(None) };
}

/// A wish that work stop, shared between the threads that do it and the one that has it.
///
/// ```
/// use rattleback_symbolic::{Budget, Cancel, Expr, Symbol, normalize_within};
/// let x = Expr::from(Symbol::variable("x"));
/// let e = (1 + &x).powi(3) / (1 + &x);
/// let cancel = Cancel::new();
/// assert!(cancel.scope(|| normalize_within(&e, Budget::default())).is_some());
/// cancel.cancel();
/// assert!(cancel.scope(|| normalize_within(&e, Budget::default())).is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Cancel {
    own: Arc<AtomicBool>,
    /// A flag of the whole program, such as that of Ctrl-C.
    global: Option<&'static AtomicBool>,
}

impl Default for Cancel {
    fn default() -> Self {
        Self::new()
    }
}

impl Cancel {
    /// A token that nobody has cancelled.
    pub fn new() -> Self {
        Self {
            own: Arc::new(AtomicBool::new(false)),
            global: None,
        }
    }

    /// A token that counts as cancelled as soon as the flag is raised, too.
    pub fn watching(flag: &'static AtomicBool) -> Self {
        Self {
            global: Some(flag),
            ..Self::new()
        }
    }

    /// The token that the work on this thread obeys; one that nobody cancels where there is none.
    pub fn current() -> Self {
        TOKEN.with_borrow(Option::clone).unwrap_or_default()
    }

    /// Asks the work to stop.
    pub fn cancel(&self) {
        self.own.store(true, Ordering::Relaxed);
    }

    /// Has somebody asked?
    pub fn is_cancelled(&self) -> bool {
        self.own.load(Ordering::Relaxed) || self.global.is_some_and(|g| g.load(Ordering::Relaxed))
    }

    /// Does the work under this token: on this thread, until `work` returns.
    pub fn scope<T>(&self, work: impl FnOnce() -> T) -> T {
        let _restored = Restored(TOKEN.replace(Some(self.clone())));
        work()
    }
}

/// Puts the token of an outer scope back, also after a panic.
struct Restored(Option<Cancel>);

impl Drop for Restored {
    fn drop(&mut self) {
        TOKEN.set(self.0.take());
    }
}

/// Has the work on this thread been asked to stop?
pub fn cancelled() -> bool {
    TOKEN.with_borrow(|t| t.as_ref().is_some_and(Cancel::is_cancelled))
}

/// How much work this thread has done so far.
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, prove_zero, work_done};
/// let e = Expr::from(Symbol::variable("x")).sin() - 1;
/// let measured = || { let before = work_done(); let _ = prove_zero(&e); work_done() - before };
/// assert_eq!(measured(), measured());
/// ```
pub fn work_done() -> u64 {
    DONE.get()
}

/// Counts work that was done on this thread or on behalf of it.
pub fn count_work(units: u64) {
    DONE.set(DONE.get().saturating_add(units));
}

/// Does what is computed once and kept for all who ask, without counting it: whoever comes first must not
/// pay for the others, or the order in which threads run would decide.
pub fn uncounted<T>(work: impl FnOnce() -> T) -> T {
    let before = DONE.get();
    let result = work();
    DONE.set(before);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_ends_with_its_work() {
        let cancel = Cancel::new();
        cancel.cancel();
        assert!(cancel.scope(cancelled));
        assert!(!cancelled());
        let outer = Cancel::new();
        outer.scope(|| {
            cancel.scope(|| assert!(cancelled()));
            assert!(!cancelled());
        });
    }

    #[test]
    fn a_token_follows_the_flag_of_the_program() {
        static FLAG: AtomicBool = AtomicBool::new(false);
        let cancel = Cancel::watching(&FLAG);
        assert!(!cancel.scope(cancelled));
        FLAG.store(true, Ordering::Relaxed);
        assert!(cancel.scope(cancelled));
    }

    #[test]
    fn shared_work_is_nobodys() {
        let before = work_done();
        uncounted(|| count_work(7));
        assert_eq!(work_done(), before);
        count_work(3);
        assert_eq!(work_done(), before + 3);
    }
}
