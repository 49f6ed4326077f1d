//! Motion: integrators, events, dense output, ensembles.

mod field;
mod stepper;

pub use field::{Fault, Jets, VectorField};
pub use stepper::{Step, Stepper};
