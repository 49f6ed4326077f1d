//! Variational methods: a step is a map that a discrete principle gives, not a sum of rates.

mod factors;
mod rank;
mod solved;
mod stepper;

pub use solved::{SolvedMap, StepEquations};
pub use stepper::{StepMap, Variational};
