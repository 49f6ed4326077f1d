//! Exact tools of the proofs: constant relations between functions, potentials of one-forms, and
//! Taylor series along flows.

mod candidates;
mod cases;
mod field;
mod jets;
mod potential;
mod relations;
mod sample;
mod tidy;

pub(crate) use candidates::{circular_coordinates, factors_of, monomials};
pub(crate) use cases::common_parameter_zeros;
pub(crate) use jets::{Flow, Residue, Scalar};
pub(crate) use potential::{Potential, PotentialError, is_negative, potential};
pub(crate) use relations::constant_relations;
pub(crate) use sample::small_number;
pub(crate) use tidy::{tidy, tidy_all};
