//! Proof: what is true of a nonholonomic system, decided and certified.

mod claim;
mod deadline;
mod exact;

pub use claim::{Case, Claim};
pub use deadline::Deadline;
