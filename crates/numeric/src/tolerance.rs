//! The tolerances of this crate, by name, and those that several rooms share.

/// What rounding leaves of sums and differences, as a part of the largest of them.
pub const ROUNDING: f64 = 1e-14;

/// A pivot of this part of the size of its row counts as zero.
pub const VANISHING_PIVOT: f64 = 1e-14;

/// A row of which elimination leaves this part depends on those before it.
pub const DEPENDENT_ROW: f64 = 1e-12;

/// Newton's step is not halved below this.
pub const SMALLEST_DAMPING: f64 = 1e-10;

/// A Newton step of this part of 1 + |x| is the last.
pub const LAST_STEP: f64 = 1e-15;

/// A residual of this part of 1 + the size of what is known is a solution.
pub const SMALL_RESIDUAL: f64 = 1e-10;

/// Newton's method has not come to rest while its steps are larger than this part of 1 + |x|.
pub const RESTING_STEP: f64 = 1e-6;

/// Newton's method gives up after so many steps.
pub const MOST_STEPS: usize = 60;

/// A direction of this part of its surroundings is within the reach of a control beyond doubt.
pub const WELL_REACHED: f64 = 1e-7;
