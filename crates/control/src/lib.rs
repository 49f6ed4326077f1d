//! Steering: the linear system about a state, the equilibrium or steady motion nearby, the regulator that holds it, and
//! motions next to a motion.
//!
//! This room neither reads nor prints.

mod along;
mod claims;
mod constancy;
pub mod discrete;
mod entries;
mod equilibrium;
mod error;
mod exact_reach;
pub mod indirect;
mod linearization;
mod linearized;
mod nearest;
mod neighbours;
mod noise;
pub mod optimal;
mod orbit;
mod plant;
mod point;
mod reach;
mod regulated;
mod regulator;
pub mod stage;
mod steady;
mod symmetries;

pub use along::{Along, Sample};
pub use claims::{Claim, Claims};
pub use constancy::Change;
pub use error::{EquilibriumError, LinearizeError};
pub use linearization::{Carried, Linearization, Place, Question};
pub use linearized::{Linearized, LinearizedAlong};
pub use neighbours::{Exponent, Monodromy, NeighbourError, Neighbours};
pub use plant::Plant;
pub use point::StatePoint;
pub use regulated::{Regulated, Unheld};
pub use regulator::NoRegulator;
