//! Proof: what is true of a nonholonomic system, decided and certified.

mod claim;
mod deadline;
pub mod hamilton_jacobi;
pub mod presymplectic;
mod tidy;
mod uncontrolled;
pub mod vakonomic;
mod verdict;

pub use claim::{Case, Claim};
pub use deadline::Deadline;
