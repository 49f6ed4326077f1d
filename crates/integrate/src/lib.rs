//! Motion: integrators, events, dense output, ensembles.

mod control;
mod field;
mod stepper;

pub use control::{Controller, FirstStep, Tolerance};
pub use field::{Fault, Jets, VectorField};
pub use stepper::{Step, Stepper};
