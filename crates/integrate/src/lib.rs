//! Motion: integrators, events, dense output, ensembles.

mod compensated;
mod convergence;
mod field;
pub mod implicit;
mod stepper;
pub mod symplectic;

pub use field::{Fault, Jets, VectorField};
pub use stepper::{Step, Stepper};
