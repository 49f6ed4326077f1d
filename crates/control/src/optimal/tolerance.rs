//! The tolerances that searches for optimal paths share, by name.

/// Costs and values below this are none: it is what the solver's own tolerances are worth.
pub(super) const NOTHING: f64 = 1e-9;

/// Times that differ by this part of 1 + their size are one; so are values at ends of intervals.
pub(super) const SAME_TIME: f64 = 1e-9;

/// Two times this part of the horizon apart, or of 1 + their size, differ by rounding.
pub(super) const ROUNDED_TIME: f64 = 1e-12;

/// A start or a goal this part of its size beyond a bound is on it.
pub(super) const ON_BOUND: f64 = 1e-9;

/// No span of time that something is divided by is shorter.
pub(super) const LEAST_SPAN: f64 = 1e-12;

/// The barrier with which a mesh is solved that begins at the path of another.
pub(super) const WARM_BARRIER: f64 = 1e-4;

/// Residuals of an end above this are a contradiction.
pub(super) const CONTRADICTION: f64 = 1e-6;

/// A pivot of this part of the largest entry is none.
pub(super) const VANISHING_PIVOT: f64 = 1e-12;
