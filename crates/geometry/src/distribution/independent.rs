//! Which rows of a matrix of functions are independent, and how the others depend on them.

use super::DistributionError;
use crate::minors::{adjugate, determinant};
use crate::proof::{Parametrization, vanish_on};
use crate::span::Span;
use crate::tidy::tidy;
use rattleback_symbolic::{Expr, Matrix, Verdict, substitute_all};

/// A row that depends on the rows kept.
#[derive(Clone, Debug)]
pub struct Redundant {
    /// Its index.
    pub row: usize,
    /// row = Σ coefficient · kept row, in the order of the kept ones.
    pub coefficients: Vec<Expr>,
    /// Whether that identity is proven.
    pub verdict: Verdict,
}

/// The rows that are independent at generic points, each kept if the ones before it do not span it.
#[derive(Clone, Debug)]
pub struct Independence {
    /// The rows kept.
    pub kept: Vec<usize>,
    /// The others.
    pub dropped: Vec<Redundant>,
}

/// Splits the rows into independent ones and combinations of them, at generic points of the space
/// that `on` parametrises.
///
/// ```
/// use rattleback_geometry::independent_rows;
/// use rattleback_symbolic::{Expr, Matrix, Symbol};
/// let x = Expr::from(Symbol::variable("x"));
/// let rows = Matrix::from_rows(&[vec![Expr::one(), x.sin()], vec![x.clone(), &x * x.sin()]]);
/// let found = independent_rows(&rows, &[]).unwrap();
/// assert_eq!(found.kept, [0]);
/// assert_eq!(found.dropped[0].coefficients, [x]);
/// ```
pub fn independent_rows(
    forms: &Matrix,
    on: &Parametrization,
) -> Result<Independence, DistributionError> {
    let mut span = Span::default();
    let mut kept = Vec::new();
    for i in 0..forms.rows() {
        if span.insert(&substitute_all(forms.row(i), on))? {
            kept.push(i);
        }
    }
    let pivots = span.pivots();
    let dropped = (0..forms.rows())
        .filter(|i| !kept.contains(i))
        .map(|row| combination(forms, &kept, &pivots, row, on))
        .collect();
    Ok(Independence { kept, dropped })
}

/// c with row = c · kept, from the pivot columns: c = row_S adj(A_S) / det A_S.
fn combination(
    forms: &Matrix,
    kept: &[usize],
    pivots: &[usize],
    row: usize,
    on: &Parametrization,
) -> Redundant {
    let square = forms.select(kept, pivots);
    let scale = determinant(&square).recip();
    let adjugate = adjugate(&square).transpose();
    let target: Vec<Expr> = pivots.iter().map(|&j| forms[(row, j)].clone()).collect();
    let coefficients: Vec<Expr> = adjugate
        .apply(&target)
        .iter()
        .map(|e| tidy(&(e * &scale)))
        .collect();
    let residual: Vec<Expr> = (0..forms.cols())
        .map(|j| {
            let combined = coefficients
                .iter()
                .zip(kept)
                .map(|(c, &i)| c * &forms[(i, j)]);
            &forms[(row, j)] - Expr::sum(combined)
        })
        .collect();
    Redundant {
        row,
        coefficients,
        verdict: vanish_on(&residual, on),
    }
}
