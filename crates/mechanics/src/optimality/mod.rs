//! Necessary conditions of optimal control: Pontryagin's Hamiltonian system on T*TQ, T*D, G × g × 2g* and bundles.
//!
//! Every problem is a first-order control system on an anchored frame ([`Steering`]): positions z with z' = ρ(V),
//! further states w with w' = W (velocities, frame velocities, jets, auxiliary states), accelerations a from
//! M a = f, controls u and a running cost C. With costates p of the sections, π of the further states and η of the
//! solve,
//!
//! ```text
//! K = ⟨p, V⟩ + ⟨π, W⟩ + ⟨η, f − M a⟩ − C        Mᵀη = ∂(⟨p, V⟩ + ⟨π, W⟩ − C)/∂a,   K_u = 0
//! p_A' = −ρ^i_A ∂K/∂z^i − C^D_AB V^B p_D,          π' = −∂K/∂w
//! ```
//!
//! where K is differentiated at fixed a and η: that is the Hamiltonian H = ⟨p, V⟩ + ⟨π, W⟩ − C with the accelerations
//! solved for, without writing M⁻¹ out. Where nothing is solved for it is the system of AC-C35 to C38 and CG-B5 in the
//! chart of the controls, whose costates are those of the second-order problem (PR4).

mod ansatz;
mod conditions;
mod flat;
mod momentum;
mod second_order;
mod steering;

pub(crate) use conditions::optimality;

pub use crate::system::Objective;
pub use ansatz::Ansatz;
pub use flat::{Flatness, NotFlat};
pub use second_order::{SecondOrder, Submanifold};
pub use steering::{Solve, Steering};
