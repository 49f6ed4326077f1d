//! Variational methods: a step is a map that a discrete principle gives, not a sum of rates.

mod stepper;

pub use stepper::{StepMap, Variational};
