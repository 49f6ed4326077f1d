//! Exact tools of the proofs: constant relations between functions, ranks, potentials of one-forms, and
//! Taylor series along flows.

mod broken;
mod candidates;
mod cases;
mod exponential;
mod field;
mod hole;
mod interval;
mod inverse;
mod jets;
mod outermost;
mod period;
mod potential;
mod quadrature;
mod rank;
mod relations;
mod sample;
mod settle;

pub(crate) use candidates::{choices, circular_coordinates, factors_of, monomials};
pub(crate) use cases::{common_parameter_zeros, constant_factors};
pub(crate) use exponential::Exponential;
pub use exponential::{Loop, Periods};
pub(crate) use inverse::metric_inverse;
pub(crate) use jets::{Flow, Residue, Scalar};
pub(crate) use outermost::outermost;
pub use period::EnclosedPeriod;
pub(crate) use potential::{OneForm, PotentialError, is_negative};
pub(crate) use rank::Sample;
pub(crate) use rattleback_mechanics::tidy::{tidy, tidy_all};
pub(crate) use relations::{Along, all_constant_relations, constant_relations};
pub(crate) use sample::small_point;
pub(crate) use settle::Settle;
