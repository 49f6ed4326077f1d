//! Motion: integrators, events, dense output, ensembles.

mod compensated;
mod control;
mod explicit;
mod field;
pub mod implicit;
mod simd;
mod stepper;
pub mod taylor;

pub use control::{Controller, FirstStep, Tolerance};
pub use explicit::{Dop853, DormandPrince, RungeKutta4};
pub use field::{Fault, Jets, VectorField};
pub use simd::{Block, LANES};
pub use stepper::{Step, Stepper};
