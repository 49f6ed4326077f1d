//! Proof: what is true of a nonholonomic system, decided and certified.

mod claim;
mod deadline;
pub mod vakonomic;

pub use claim::{Case, Claim};
pub use deadline::Deadline;
