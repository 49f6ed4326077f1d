//! Inverses and solutions that stay exact where a normal form would grow too large.

use super::PhaseError;
use rattleback_symbolic::{
    Budget, Expr, LinearError, Matrix, Solved, inverse_within, is_probably_zero, solve_within,
};

/// The inverse of a matrix, or which one is singular.
///
/// In normal form where that is small. Else metrics are eliminated along their diagonal: the pivots of
/// a definite matrix vanish nowhere, while an entry beside the diagonal may vanish where nothing is
/// wrong.
pub(super) fn inverse(what: &'static str, m: &Matrix) -> Result<Matrix, PhaseError> {
    let n = m.rows();
    if n == 0 {
        return Ok(m.clone());
    }
    let one = Matrix::identity(n);
    let solved = match inverse_within(m, Budget::SMALL) {
        Err(LinearError::TooLarge | LinearError::Undecided { .. }) => {
            eliminate(m, &one, |k, _| Some(k)).or_else(|_| eliminate(m, &one, shortest_pivot))
        }
        decided => decided,
    };
    solved
        .map(|s| s.solution)
        .map_err(|source| PhaseError::Singular { what, source })
}

/// X with m X = right, and the pivots that must not vanish.
pub(super) fn linear_solution(m: &Matrix, right: &Matrix) -> Result<Solved, LinearError> {
    match solve_within(m, right, Budget::SMALL) {
        Err(LinearError::TooLarge | LinearError::Undecided { .. }) => {
            eliminate(m, right, shortest_pivot)
        }
        decided => decided,
    }
}

/// The row at or below k with the shortest entry in column k that does not vanish identically.
fn shortest_pivot(k: usize, rows: &[Vec<Expr>]) -> Option<usize> {
    (k..rows.len())
        .filter(|&i| !is_probably_zero(&rows[i][k]))
        .min_by_key(|&i| rows[i][k].node_count())
}

/// Gauss-Jordan elimination on shared expressions, `choose` giving the row of each pivot.
fn eliminate(
    m: &Matrix,
    right: &Matrix,
    choose: impl Fn(usize, &[Vec<Expr>]) -> Option<usize>,
) -> Result<Solved, LinearError> {
    let n = m.rows();
    let mut rows: Vec<Vec<Expr>> = (0..n).map(|i| [m.row(i), right.row(i)].concat()).collect();
    let mut conditions = Vec::new();
    for k in 0..n {
        let pivot = choose(k, &rows).filter(|&i| !is_probably_zero(&rows[i][k]));
        let Some(pivot) = pivot else {
            return Err(LinearError::Singular { rank: k, size: n });
        };
        rows.swap(k, pivot);
        if !rows[k][k].is_nonvanishing() {
            conditions.push(rows[k][k].clone());
        }
        let scale = rows[k][k].recip();
        let row: Vec<Expr> = rows[k].iter().map(|e| e * &scale).collect();
        for (i, other) in rows.iter_mut().enumerate() {
            let factor = other[k].clone();
            if i == k || factor.is_zero() {
                continue;
            }
            for (x, r) in other.iter_mut().zip(&row).skip(k) {
                *x -= &factor * r;
            }
        }
        rows[k] = row;
    }
    Ok(Solved {
        solution: Matrix::new(n, right.cols(), |i, j| rows[i][n + j].clone()),
        conditions,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_symbolic::{Symbol, prove_all_zero};

    fn is_identity(m: &Matrix) -> bool {
        prove_all_zero((m - &Matrix::identity(m.rows())).entries()).is_proven()
    }

    #[test]
    fn elimination_inverts_with_and_without_exchange() {
        let [x, y] = ["x", "y"].map(|n| Expr::from(Symbol::variable(n)));
        let skew = Matrix::from_rows(&[
            vec![Expr::zero(), x.cos() + 2],
            vec![-x.cos() - 2, Expr::zero()],
        ]);
        let one = Matrix::identity(2);
        let found = eliminate(&skew, &one, shortest_pivot).unwrap();
        assert!(is_identity(&(&skew * &found.solution)));
        assert!(eliminate(&skew, &one, |k, _| Some(k)).is_err());
        let metric =
            Matrix::from_rows(&[vec![1 + x.powi(2), &x * &y], vec![&x * &y, 1 + y.powi(2)]]);
        let found = eliminate(&metric, &one, |k, _| Some(k)).unwrap();
        assert!(is_identity(&(&metric * &found.solution)));
        let hidden = x.sin().powi(2) + x.cos().powi(2) - 1;
        let singular = Matrix::from_rows(&[vec![hidden.clone(), x.clone()], vec![hidden, y]]);
        assert_eq!(
            eliminate(&singular, &one, shortest_pivot),
            Err(LinearError::Singular { rank: 0, size: 2 })
        );
    }
}
