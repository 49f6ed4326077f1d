//! Inverses of matrices of functions.

use crate::minors::{adjugate, determinant};
use crate::proof::{Parametrization, constant_value, generic_values, is_generically_nonzero};
use crate::tidy::{tidy, tidy_component};
use rattleback_symbolic::{Expr, Matrix};

/// The number of minors doubles with each row: larger matrices are inverted by elimination.
const BY_MINORS: usize = 7;

/// An inverse with the determinant that must not vanish.
pub(crate) struct Inverse {
    pub(crate) matrix: Matrix,
    pub(crate) determinant: Expr,
}

/// The inverse; `None` if the determinant vanishes identically on the parametrised space.
pub(crate) fn inverse(m: &Matrix, on: &Parametrization) -> Option<Inverse> {
    if m.rows() > BY_MINORS {
        return by_elimination(m, on);
    }
    let determinant = determinant(m);
    if !is_generically_nonzero(&determinant, on) {
        return None;
    }
    let determinant = constant_value(&determinant, on).unwrap_or_else(|| tidy(&determinant));
    let scale = determinant.recip();
    Some(Inverse {
        matrix: adjugate(m).map(|e| tidy_component(&(e * &scale))),
        determinant,
    })
}

/// Gauss-Jordan on shared expression graphs: nothing is multiplied out.
fn by_elimination(m: &Matrix, on: &Parametrization) -> Option<Inverse> {
    let n = m.rows();
    let one = Matrix::identity(n);
    let mut rows: Vec<Vec<Expr>> = (0..n).map(|i| [m.row(i), one.row(i)].concat()).collect();
    let mut pivots = Vec::with_capacity(n);
    let mut odd = false;
    for k in 0..n {
        let column: Vec<Expr> = rows[k..].iter().map(|row| row[k].clone()).collect();
        let i = k + simplest_pivot(&column, on)?;
        odd ^= i != k;
        rows.swap(i, k);
        let pivot = rows[k][k].clone();
        let inverse = pivot.recip();
        rows[k].iter_mut().for_each(|x| *x *= inverse.clone());
        rows[k][k] = Expr::one();
        pivots.push(pivot);
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
    }
    let determinant = Expr::product(pivots);
    Some(Inverse {
        matrix: Matrix::new(n, n, |i, j| rows[i][n + j].clone()),
        determinant: if odd { -determinant } else { determinant },
    })
}

/// A number if there is one, else the shortest entry that does not vanish identically.
fn simplest_pivot(column: &[Expr], on: &Parametrization) -> Option<usize> {
    let number = |e: &Expr| e.as_number().is_some_and(|r| !r.is_zero());
    if let Some(i) = column.iter().position(number) {
        return Some(i);
    }
    let values = generic_values(column, on)?;
    (0..column.len())
        .filter(|&i| values[i] != 0)
        .min_by_key(|&i| column[i].node_count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::vanish_on;
    use rattleback_symbolic::Symbol;

    /// A dense symmetric matrix of functions.
    fn sample(n: usize) -> Matrix {
        let x = Expr::from(Symbol::variable("x"));
        Matrix::new(n, n, |i, j| match i == j {
            true => &x * (i as i64 + 1) + 2,
            false => ((i + j) as i64 * &x).cos(),
        })
    }

    #[test]
    fn both_ways_invert() {
        for n in [3, 9] {
            let m = sample(n);
            let found = inverse(&m, &[]).unwrap();
            let defect = &(&m * &found.matrix) - &Matrix::identity(n);
            assert!(vanish_on(defect.entries(), &[]).is_proven());
        }
        let m = sample(5);
        let (short, long) = (inverse(&m, &[]).unwrap(), by_elimination(&m, &[]).unwrap());
        let defect = &short.determinant - &long.determinant;
        assert!(vanish_on(&[defect], &[]).is_proven());
    }

    #[test]
    fn singular_matrices_have_no_inverse() {
        for n in [3, 9] {
            let m = sample(n);
            let last = |i: usize, j: usize| if i + 1 == n { 0 } else { i }.min(n - 1) * n + j;
            let repeated = Matrix::new(n, n, |i, j| m.entries()[last(i, j)].clone());
            assert!(inverse(&repeated, &[]).is_none());
        }
    }
}
