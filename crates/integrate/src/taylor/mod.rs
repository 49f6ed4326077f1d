//! The Taylor method: steps along the power series of the motion itself.
//!
//! The series is exact up to its last coefficient: the decay of the coefficients says beforehand how far
//! the polynomial can be trusted, and steps are rejected only where the rates at their end disagree, which
//! is where a field is not analytic. The polynomial is its own dense output.

mod batch;
mod defect;
mod expansion;
mod horner;
pub(crate) mod method;
mod propagate;

pub use crate::step_policy::StepPolicy;
pub use batch::{BatchJets, BatchTaylor};
pub use expansion::Expansion;
pub use method::Taylor;
pub use propagate::{PropagateError, Propagation};
