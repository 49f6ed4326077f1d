//! The geometry of phase space: two-forms, brackets, splittings, momenta and reductions of a system.
//!
//! The sign is the one of the whole program: Ω = dq ∧ dp, i_X Ω = df, {q, p} = +1, f' = {f, H}.
//! Everything is written on an anchored frame, so that coordinates, Lie groups and products need no
//! formula of their own. Time is a parameter here: forms and fields are those at one time, and a
//! Lagrangian that depends on time moves by them only up to the explicit derivatives ∂p/∂t and ∂φ/∂t.

mod bivector;
mod canonical;
mod chaplygin_lift;
mod coframe;
mod dirac;
mod distributional;
mod ehresmann;
mod elimination;
mod error;
mod field;
mod frame_bracket;
mod gyroscopic;
mod ideal;
mod jacobiator;
mod lagrange_derivative;
mod leaf;
mod lindelof;
mod momentum;
mod momentum_constraints;
mod nonholonomic_connection;
mod splitting;
mod symmetry;
mod vakonomic;
mod velocity;

pub use canonical::{CanonicalPhaseSpace, linear_bracket};
pub use chaplygin_lift::ReducedMomenta;
pub use dirac::DiracBracket;
pub(crate) use distributional::symplectic_block;
pub use distributional::{DistributionField, SymplecticDistribution};
pub use ehresmann::{NormalForm, ProlongedLift};
pub use error::PhaseError;
pub use field::PhaseField;
pub(crate) use frame_bracket::frame_bracket_matrix;
pub use frame_bracket::{FrameMomenta, VelocityBrackets};
pub use gyroscopic::Gyroscopic;
pub use ideal::{AnnihilatorIdeal, NotInIdeal};
pub use jacobiator::Jacobiator;
pub use lagrange_derivative::{IdealReaction, lagrange_derivative};
pub use leaf::{NotHorizontal, SymplecticSpace};
pub use lindelof::{curvature_force, lindelof_equations};
pub use momentum::{MomentumFunction, lie_derivative_of_metric, tangent_lift};
pub use momentum_constraints::MomentumConstraints;
pub use nonholonomic_connection::NonholonomicConnection;
pub use splitting::{ConstrainedPhaseSpace, TangentProjection};
pub use symmetry::SymmetryAlgebra;
pub use vakonomic::SubRiemannian;
pub use velocity::VelocityPhaseSpace;
pub(crate) use velocity::skew_block;
