//! The tolerances that methods and drivers share, by name.

/// A remainder of this part of all steps is rounding, and no step of its own.
pub(crate) const NO_STEP: f64 = 1e-12;

/// A last step that differs by this part from the others is one of them.
pub(crate) const SAME_STEP: f64 = 1e-9;

/// Drivers that count steps and those that add them have times that differ by less than this part of a step.
pub(crate) const SAME_TIME: f64 = 1e-6;

/// Times that differ by this part of the larger of them and a step are one.
pub(crate) const ROUNDED_TIME: f64 = 1e-12;
