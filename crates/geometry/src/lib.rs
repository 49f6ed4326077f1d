//! Vector fields, forms, distributions, frames, connections and Lie groups.
//!
//! This crate knows nothing of time evolution laws or forces.

mod frame;
mod group;
mod structure;

pub use frame::{Frame, Section};
pub use group::{Group, Trivialization};
pub use structure::StructureFunctions;
