//! Inverses of small matrices of functions.

use crate::minors::{adjugate, determinant};
use crate::proof::{Parametrization, constant_value, is_generically_nonzero};
use crate::tidy::tidy_component;
use rattleback_symbolic::{Expr, Matrix};

/// The inverse where the determinant is not zero; `None` if it vanishes identically.
pub(crate) fn inverse(m: &Matrix, on: &Parametrization) -> Option<Matrix> {
    let det = determinant(m);
    invert_with(m, &det, on)
}

/// The inverse adj / det, given the determinant.
pub(crate) fn invert_with(m: &Matrix, det: &Expr, on: &Parametrization) -> Option<Matrix> {
    if !is_generically_nonzero(det, on) {
        return None;
    }
    let scale = constant_value(det, on)
        .unwrap_or_else(|| tidy_component(det))
        .recip();
    Some(adjugate(m).map(|e| tidy_component(&(e * &scale))))
}
