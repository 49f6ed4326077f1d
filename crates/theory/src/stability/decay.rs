//! Motions of linear systems that die out.

use super::exact::Signs;
use super::polynomial::{Located, located};
use rattleback_symbolic::{Matrix, characteristic};

/// Do all solutions of ẋ = A x tend to 0? By the signs in Routh's table; none where a sign is not known.
///
/// ```
/// use rattleback_symbolic::{Expr, Matrix};
/// let rows = |rows: [[i64; 2]; 2]| Matrix::new(2, 2, |i, j| Expr::from(rows[i][j]));
/// assert_eq!(rattleback_theory::dies_out(&rows([[0, 1], [-1, -1]])), Some(true));
/// assert_eq!(rattleback_theory::dies_out(&rows([[0, 1], [-1, 0]])), Some(false));
/// ```
pub fn dies_out(a: &Matrix) -> Option<bool> {
    if a.rows() == 0 {
        return Some(true);
    }
    let (p, signs) = (characteristic(a), Signs::default());
    if signs.is_zero(p.first()?) {
        return Some(false);
    }
    let found = located(&p, &signs)?;
    Some(matches!(found, Located::NotRight { pairs: 0, .. }))
}
