//! Which rows of a matrix of functions are independent, and how the others depend on them.

use super::DistributionError;
use crate::express::Basis;
use crate::proof::{Parametrization, vanish_on};
use rattleback_symbolic::{Expr, Matrix, Verdict};

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
    let basis = Basis::of_rows(forms, on)?;
    if basis.kept.len() == forms.rows() {
        return Ok(Independence {
            kept: basis.kept,
            dropped: Vec::new(),
        });
    }
    let solver = basis.solver();
    let dropped = (0..forms.rows())
        .filter(|i| !basis.kept.contains(i))
        .map(|row| {
            let coefficients = solver.coefficients(forms.row(row));
            let residual = solver.residual(forms.row(row), &coefficients);
            Redundant {
                row,
                coefficients,
                verdict: vanish_on(&residual, on),
            }
        })
        .collect();
    let kept = basis.kept.clone();
    Ok(Independence { kept, dropped })
}
