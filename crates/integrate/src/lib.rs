//! Motion: integrators, events, dense output, ensembles.

mod compensated;
mod field;
pub mod implicit;
mod stepper;

pub use field::{Fault, Jets, VectorField};
pub use stepper::{Step, Stepper};
