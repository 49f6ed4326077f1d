//! Neighbouring motions: the linear system about a state, on the set that constraints leave.

mod exact;
mod moving;
mod system;
mod variational;

pub use exact::{Chart, Inexact, Point};
pub use system::LinearSystem;
pub use variational::{Direction, VariationalEquations};
