//! Gauss-Jordan elimination on shared expression graphs, with pivots of the caller's choice.

use super::LinearError;
use super::square::check_system;
use crate::{Expr, Matrix, UndecidedZero};

/// The solution of a linear system, with what it was divided by.
#[derive(Clone, Debug, PartialEq)]
pub struct Eliminated {
    /// X with m X = right.
    pub solution: Matrix,
    /// The pivots, none of which vanishes identically.
    pub pivots: Vec<Expr>,
    /// Whether the rows were exchanged an odd number of times: det m is the product of the pivots, up to
    /// this sign.
    pub odd: bool,
}

/// Why an elimination ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoPivot {
    /// The matrix does not fit.
    Shape(LinearError),
    /// The rest of a column vanishes: the matrix is singular.
    Singular {
        /// The column.
        column: usize,
    },
    /// Whether a pivot vanishes is not decided.
    Undecided(UndecidedZero),
}

/// Solves `m·x = right` by elimination, nothing multiplied out. In each column `pivot` chooses from the
/// entries that are left, by its number and these.
///
/// ```
/// use rattleback_symbolic::{Expr, Matrix, Symbol, eliminate, find_nonzero};
/// let x = Expr::from(Symbol::variable("x"));
/// let m = Matrix::from_rows(&[vec![Expr::zero(), x.clone()], vec![1.into(), 2.into()]]);
/// let found = eliminate(&m, &Matrix::identity(2), |_, column| find_nonzero(column)).unwrap();
/// assert_eq!((found.pivots, found.odd), (vec![1.into(), x.clone()], true));
/// assert_eq!(found.solution[(1, 0)], x.recip());
/// ```
pub fn eliminate(
    m: &Matrix,
    right: &Matrix,
    mut pivot: impl FnMut(usize, &[Expr]) -> Result<Option<usize>, UndecidedZero>,
) -> Result<Eliminated, NoPivot> {
    check_system(m, right).map_err(NoPivot::Shape)?;
    let n = m.rows();
    let mut rows: Vec<Vec<Expr>> = (0..n).map(|i| [m.row(i), right.row(i)].concat()).collect();
    let mut pivots = Vec::with_capacity(n);
    let mut odd = false;
    for k in 0..n {
        let column: Vec<Expr> = rows[k..].iter().map(|row| row[k].clone()).collect();
        let chosen = pivot(k, &column).map_err(NoPivot::Undecided)?;
        let i = k + chosen.ok_or(NoPivot::Singular { column: k })?;
        odd ^= i != k;
        rows.swap(i, k);
        pivots.push(clear_column(&mut rows, k));
    }
    Ok(Eliminated {
        solution: Matrix::new(n, right.cols(), |i, j| rows[i][n + j].clone()),
        pivots,
        odd,
    })
}

/// Makes column k that of the identity; gives what row k was divided by.
fn clear_column(rows: &mut [Vec<Expr>], k: usize) -> Expr {
    let pivot = std::mem::replace(&mut rows[k][k], Expr::one());
    let scale = pivot.recip();
    for (_, x) in rows[k].iter_mut().enumerate().filter(|(j, _)| *j != k) {
        *x *= scale.clone();
    }
    let solved = rows[k].clone();
    for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
        let factor = std::mem::replace(&mut row[k], Expr::zero());
        if factor.is_zero() {
            continue;
        }
        for (j, (x, y)) in row.iter_mut().zip(&solved).enumerate() {
            if j != k && !y.is_zero() {
                *x -= &factor * y;
            }
        }
    }
    pivot
}
