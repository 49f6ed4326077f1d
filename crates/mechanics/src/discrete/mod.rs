//! Discrete mechanics: the model as a system in steps (DP part A, CG-C).
//!
//! A step is an element (g₀, x) of the action groupoid of the configuration space on itself, g₁ = g₀ τ(x); for
//! coordinates x = q₁ − q₀. A [`Rule`] makes a discrete Lagrangian L_d(g₀, x) of a Lagrangian, and the momenta at
//! the ends of a step are what the invariant fields make of it:
//!
//! ```text
//! p₀ = X→(L_d) = −D₁L_d        p₁ = X←(L_d) = D₂L_d
//! ```
//!
//! The discrete Euler-Lagrange equations say that a momentum arrives as it departs.

mod chart;
mod counterexample;
mod error;
mod exact;
mod exchange;
mod flow;
mod frame_step;
mod groupoid;
mod hamiltonian;
mod jets;
mod judged;
mod lagrangian;
mod quadrature;
mod rule;
mod series;
mod step;
mod submanifold;
mod system;

pub use error::DiscreteError;
pub use flow::PhaseFlow;
pub use groupoid::{
    Momenta, composability, constrained_second_order_equations, discrete_euler_lagrange,
    momenta_on, regularity_matrix, second_order_equations, submanifold_point,
};
pub use hamiltonian::{DiscreteHamiltonian, NoHamiltonian, Side};
pub use jets::{JetRule, point_equations};
pub use judged::Kept;
pub use lagrangian::DiscreteLagrangian;
pub use quadrature::Station;
pub use rattleback_lie::Retraction;
pub use rule::{Rule, UnknownRule};
pub use series::LONGEST_TURN;
pub use step::Step;
pub use submanifold::SubmanifoldFlow;
pub use system::{DiscreteSystem, Discretization, Placement, check_states};

/// What the expressions of a discrete system are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// To be read and proven: functions as they are.
    Formula,
    /// To be computed: functions of the angle of a step without a singularity at rest.
    Program,
}
