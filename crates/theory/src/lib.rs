//! Proof: what is true of a nonholonomic system, decided and certified.

mod claim;

pub use claim::{Case, Claim};
