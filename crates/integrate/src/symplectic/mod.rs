//! Symplectic methods for Hamiltonian systems: symmetric methods of order 2 and their compositions.

mod base;
pub(crate) mod composition;
mod implicit_part;
mod midpoint;
mod verlet;
mod verlet_general;

pub use crate::compensated::Compensated;
pub use crate::partition::{Partition, PartitionError};
pub use base::SymmetricBase;
pub use composition::{Composition, Scheme};
pub use midpoint::Midpoint;
pub use verlet::Verlet;
pub use verlet_general::GeneralVerlet;
