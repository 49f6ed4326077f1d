//! Lagrangian and Hamiltonian formulations of every kind, from one derivation engine.
//!
//! Everything is exact: floating-point numbers appear only where equations are compiled.

mod balance;
mod chaplygin;
mod constraints;
pub mod engine;
mod equations;
mod error;
mod explicit;
mod first_order;
mod form;
mod model;
pub mod phase;
mod pivots;
mod spoken;
mod state_space;
mod system;

pub use chaplygin::Chaplygin;
pub use constraints::{ConstraintOrigin, Constraints};
pub use engine::{MassForm, Sections};
pub use equations::{BracketMatrix, Equations, Initial, Quantity, Stage};
pub use error::MechanicsError;
pub use first_order::FirstOrder;
pub use form::{Form, UnknownForm};
pub use model::{Built, Remark, RemarkKind};
pub use rattleback_language::Names;
pub use state_space::{Slot, SlotRole, StateSpace};
pub use system::{Factor, NamedSection, Regularity, System};
