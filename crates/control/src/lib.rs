//! Steering: the linear system about a state, the equilibrium nearby, and the regulator that holds it.
//!
//! This room neither reads nor prints.

mod equilibrium;
pub mod indirect;
mod linearization;
mod point;
mod regulator;

pub use equilibrium::{EquilibriumError, nearest_equilibrium};
pub use linearization::{Claim, Linearization, LinearizeError, Place};
pub use point::StatePoint;
pub use regulator::{NoRegulator, regulator};
