//! The order that code is written for: a certain one, or any of a loop.

use rattleback_compile::taylor::{Degree, Series, TaylorPlan};

/// The order k of the coefficients that are worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// This one.
    Known(usize),
    /// Any from [`first_running`] on: a number in a register.
    Running,
}

impl Order {
    /// Can coefficients of this order differ from zero?
    pub(super) fn reaches(self, degree: Degree) -> bool {
        match self {
            Order::Known(k) => degree.reaches(k),
            Order::Running => degree == Degree::INFINITE,
        }
    }

    /// Tells orders apart whose coefficients may be in registers at the same time.
    pub(super) fn key(self) -> usize {
        match self {
            Order::Known(k) => k,
            Order::Running => usize::MAX,
        }
    }

    /// Is this the order of initial values?
    pub(super) fn is_first(self) -> bool {
        self == Order::Known(0)
    }
}

/// The first order at which all polynomials have ended, also as rates of the order before.
pub(super) fn first_running(plan: &TaylorPlan) -> usize {
    let finite = |degree: Degree| (degree != Degree::INFINITE).then(|| degree.within(usize::MAX));
    let of = |series: Series| finite(plan.degrees()[series as usize]);
    let rates = plan.rates().iter().filter_map(|&rate| of(rate));
    let ended = plan.degrees().iter().filter_map(|&degree| finite(degree));
    let ends = ended.map(|d| d + 1).chain(rates.map(|d| d + 2));
    ends.fold(1, usize::max)
}
