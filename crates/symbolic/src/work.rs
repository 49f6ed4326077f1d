//! The work that exact algebra does on this thread, and the wish that it stop.
//!
//! Work is counted in elementary operations: terms multiplied, nodes visited, instructions run in a prime field.
//! The count depends on the input alone, never on the clock, on the load of the machine or on what other
//! threads do. A [`Cancel`] token ends work early: every budget of this crate then says that it is used up, and
//! work that is worth nothing unless it is whole is left where it is.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;
use std::time::Duration;

thread_local! {
    static DONE: Cell<u64> = const { Cell::new(0) };
    static TOKEN: RefCell<Option<Cancel>> = const { RefCell::new(None) };
    static ABANDONS: Cell<bool> = const { Cell::new(false) };
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
    /// The work that this is a part of.
    whole: Option<Arc<Cancel>>,
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
            whole: None,
        }
    }

    /// A token that counts as cancelled as soon as the flag is raised, too.
    pub fn watching(flag: &'static AtomicBool) -> Self {
        Self {
            global: Some(flag),
            ..Self::new()
        }
    }

    /// A token for a part of the work: it is cancelled with the whole, or alone.
    pub fn child(&self) -> Self {
        Self {
            whole: Some(Arc::new(self.clone())),
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
        self.own.load(Ordering::Relaxed)
            || self.global.is_some_and(|g| g.load(Ordering::Relaxed))
            || self.whole.as_ref().is_some_and(|w| w.is_cancelled())
    }

    /// Does work that looks at a flag: one that is raised when this token is cancelled.
    pub fn with_flag<T>(&self, work: impl FnOnce(&AtomicBool) -> T) -> T {
        if self.global.is_none() && self.whole.is_none() {
            return work(&self.own);
        }
        // Several flags mean one wish: somebody looks after them meanwhile.
        let (raised, over) = (AtomicBool::new(self.is_cancelled()), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    raised.fetch_or(self.is_cancelled(), Ordering::Relaxed);
                    std::thread::park_timeout(LOOK);
                }
            });
            let _woken = Woken(&over, watcher.thread());
            work(&raised)
        })
    }

    /// Does the work under this token: on this thread, until `work` returns.
    pub fn scope<T>(&self, work: impl FnOnce() -> T) -> T {
        let _restored = Restored(TOKEN.replace(Some(self.clone())), ABANDONS.get());
        work()
    }

    /// Does work that is worth nothing unless it is whole: it is left in the midst when the token is cancelled,
    /// wherever it counts its work or comes to a [`checkpoint`], and there is no result.
    ///
    /// The stack is unwound, without the message of a panic. What others share is never left half done: the
    /// table of expressions is changed in single steps, and what is computed once is then not computed yet.
    ///
    /// ```
    /// use rattleback_symbolic::{Cancel, Expr, Symbol};
    /// let x = Expr::from(Symbol::variable("x"));
    /// let cancel = Cancel::new();
    /// assert_eq!(cancel.abandoning(|| x.powi(2)), Some(x.powi(2)));
    /// cancel.cancel();
    /// // It would never end.
    /// assert_eq!(cancel.abandoning(|| loop { let _ = x.powi(2) + &x; }), None::<()>);
    /// ```
    pub fn abandoning<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        let whole = || {
            self.scope(|| {
                ABANDONS.set(true);
                checkpoint();
                work()
            })
        };
        match catch_unwind(AssertUnwindSafe(whole)) {
            Ok(result) => Some(result),
            Err(thrown) if thrown.is::<Abandoned>() => None,
            Err(panic) => resume_unwind(panic),
        }
    }
}

/// What unwinds the stack of work that is left.
struct Abandoned;

/// Leaves the work here if it is [`abandoning`](Cancel::abandoning) and was cancelled. For loops over what is no
/// expression: those come by themselves.
pub fn checkpoint() {
    if ABANDONS.get() && cancelled() && !std::thread::panicking() {
        resume_unwind(Box::new(Abandoned));
    }
}

/// How often somebody looks at the flags of a token.
const LOOK: Duration = Duration::from_millis(10);

/// Sends the one who looks after flags home, also after a panic.
struct Woken<'a>(&'a AtomicBool, &'a Thread);

impl Drop for Woken<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
        self.1.unpark();
    }
}

/// Puts the token of an outer scope back, also after a panic.
struct Restored(Option<Cancel>, bool);

impl Drop for Restored {
    fn drop(&mut self) {
        TOKEN.set(self.0.take());
        ABANDONS.set(self.1);
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
    checkpoint();
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
    fn what_is_left_has_no_result_and_leaves_nothing_behind() {
        let cancel = Cancel::new();
        let other = cancel.clone();
        let worker = std::thread::spawn(move || {
            let left = other.abandoning(|| {
                loop {
                    count_work(1);
                }
            });
            assert_eq!(left, None::<()>);
            // The thread goes on with other work.
            assert!(!cancelled());
            count_work(1);
        });
        cancel.cancel();
        assert!(worker.join().is_ok());
    }

    #[test]
    fn other_panics_go_on() {
        let thrown = catch_unwind(|| Cancel::new().abandoning(|| resume_unwind(Box::new(7_u8))));
        assert_eq!(
            thrown.err().and_then(|t| t.downcast_ref().copied()),
            Some(7_u8)
        );
    }

    #[test]
    fn a_part_ends_with_the_whole_and_alone() {
        let whole = Cancel::new();
        let (one, other) = (whole.child(), whole.child());
        one.cancel();
        assert!(one.is_cancelled() && !whole.is_cancelled() && !other.is_cancelled());
        whole.cancel();
        assert!(other.scope(cancelled));
    }

    #[test]
    fn a_flag_follows_the_token() {
        let whole = Cancel::new();
        let waits = |flag: &AtomicBool| {
            whole.cancel();
            while !flag.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
        };
        whole.child().with_flag(waits);
        assert!(whole.with_flag(|flag| flag.load(Ordering::Relaxed)));
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
