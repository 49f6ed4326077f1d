//! Exact tools of the proofs: constant relations between functions, ranks, and potentials of one-forms.

mod candidates;
mod cases;
mod field;
mod potential;
mod rank;
mod relations;
mod tidy;

pub(crate) use candidates::{circular_coordinates, factors_of, monomials};
pub(crate) use cases::common_parameter_zeros;
pub(crate) use potential::{Potential, PotentialError, is_negative, potential};
pub(crate) use rank::Sample;
pub(crate) use relations::constant_relations;
pub(crate) use tidy::{tidy, tidy_all};
