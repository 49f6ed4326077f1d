//! Presymplectic systems: the constraint algorithm, implicit dynamics, Lagrangian submanifolds
//! (AC-C8, C13, C14, C20 to C22, C25).

mod chain;
mod chart;
mod impose;
mod problem;
mod prolongation;
mod reduction;
mod search;
mod skinner_rusk;
mod special;
mod symplectic;
mod tulczyjew;

pub use chain::{Chain, End, Presymplectic, Step};
pub use chart::GroupFactor;
pub use prolongation::{canonical_form, complete_lift, prolonged, vertical_lift};
pub use symplectic::{
    DarbouxBasis, SubspaceClass, classify, darboux, generated, is_lagrangian, is_symplectic_map,
    orthogonal, restricted_kernel,
};
pub use tulczyjew::{
    Blocks, HigherOrderDynamics, ImplicitDynamics, alpha, alpha_inverse, beta, canonical,
    integrable, kappa, lifted_form, turned,
};
