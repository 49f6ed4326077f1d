//! Steering: the linear system about a state, the equilibrium or steady motion nearby, the regulator that holds it, and
//! motions next to a motion.
//!
//! This room neither reads nor prints.

mod along;
mod claims;
mod equilibrium;
mod linearization;
mod neighbours;
mod plant;
mod point;
mod regulator;
mod steady;

pub use along::{Along, Sample};
pub use claims::{Claim, Claims};
pub use equilibrium::EquilibriumError;
pub use linearization::{Carried, Linearization, LinearizeError, Place, Question};
pub use neighbours::{Exponent, Monodromy, NeighbourError, Neighbours};
pub use plant::Plant;
pub use point::StatePoint;
pub use regulator::{NoRegulator, regulator};
