//! Limits for exact algebra: nothing swells or hangs, it says that it was too large.

use crate::work;
use std::cell::Cell;

/// How much an exact computation may use before it gives up.
///
/// ```
/// use rattleback_symbolic::{Budget, Expr, Symbol, normalize_within};
/// let (x, y) = (Expr::from(Symbol::variable("x")), Expr::from(Symbol::variable("y")));
/// let big = (1 + &x + &y).powi(40) / (1 + &x);
/// assert!(normalize_within(&big, Budget { terms: 100, work: 10_000 }).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Terms of any one polynomial.
    pub terms: usize,
    /// Elementary term operations altogether (some tens of nanoseconds each).
    pub work: u64,
}

impl Default for Budget {
    /// Enough for the models that people write by hand; at most about a second.
    fn default() -> Self {
        Self {
            terms: 50_000,
            work: 20_000_000,
        }
    }
}

impl Budget {
    /// For opportunistic use inside loops: at most some milliseconds.
    pub const SMALL: Budget = Budget {
        terms: 2_000,
        work: 200_000,
    };
}

/// The budget was used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the exact form is too large")]
pub struct TooLarge;

/// A budget in use.
pub(crate) struct Meter {
    terms: usize,
    left: Cell<u64>,
}

impl Meter {
    pub(crate) fn new(budget: Budget) -> Self {
        Self {
            terms: budget.terms,
            left: Cell::new(budget.work),
        }
    }

    /// Pays for `work` term operations. Cancelled work counts as too large: it gets no answer.
    pub(crate) fn spend(&self, work: usize) -> Result<(), TooLarge> {
        if work::cancelled() {
            return Err(TooLarge);
        }
        let left = self.left.get().checked_sub(work as u64).ok_or(TooLarge)?;
        self.left.set(left);
        work::count_work(work as u64);
        Ok(())
    }

    /// May a polynomial have that many terms?
    pub(crate) fn admit(&self, terms: usize) -> Result<(), TooLarge> {
        if terms > self.terms {
            return Err(TooLarge);
        }
        Ok(())
    }
}
