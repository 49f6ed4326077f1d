//! The tolerances of the interior point, by name.

/// The share of the room between bounds by which a start is moved inside, and one that comes from another solution.
pub(super) const INSIDE: f64 = 1e-2;
pub(super) const WARM_INSIDE: f64 = 1e-8;

/// Multipliers of bounds are those of no smaller barrier.
pub(super) const LEAST_BARRIER: f64 = 1e-11;

/// The violation, as a part of that of the start, below which a step may be judged by the objective alone.
pub(super) const SMALL_VIOLATION: f64 = 1e-4;

/// The shift of the constraints with which multipliers are estimated, and one that leaves what is abnormal.
pub(super) const ESTIMATE: f64 = 1e-10;
pub(super) const BARE_ESTIMATE: f64 = 1e-20;

/// A step of this part of 1 + |x| is rounding; no smaller share of a step is tried.
pub(super) const TINY_STEP: f64 = rattleback_numeric::tolerance::ROUNDING;

/// The share of the decrease that a slope promises which a step of the filter has to bring (Armijo).
pub(super) const DECREASE: f64 = 1e-8;

/// The same for steps that are judged by a merit function.
pub(super) const MERIT_DECREASE: f64 = 1e-4;

/// Shifts of the constraints where they are dependent: the first, at a barrier of 1, and the smallest barrier that counts.
pub(super) const DEPENDENT: f64 = 1e-8;
pub(super) const DEPENDENT_BARRIER: f64 = 1e-8;

/// Shifts of the curvature: the first, and the smallest.
pub(super) const FIRST_SHIFT: f64 = 1e-4;
pub(super) const LEAST_SHIFT: f64 = 1e-20;
