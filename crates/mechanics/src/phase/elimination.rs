//! Inverses and solutions that stay exact where a normal form would grow too large.

use super::PhaseError;
use rattleback_symbolic::{
    Budget, Expr, LinearError, Matrix, NoPivot, Solved, find_nonzero, inverse_within, solve_within,
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
            eliminate(m, &one, Pivots::Diagonal).or_else(|_| eliminate(m, &one, Pivots::Shortest))
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
            eliminate(m, right, Pivots::Shortest)
        }
        decided => decided,
    }
}

/// Which entries of a column may be pivots.
#[derive(Clone, Copy, PartialEq)]
enum Pivots {
    /// The one on the diagonal.
    Diagonal,
    /// The shortest at or below it.
    Shortest,
}

/// Elimination with pivots that are certain not to vanish identically.
fn eliminate(m: &Matrix, right: &Matrix, pivots: Pivots) -> Result<Solved, LinearError> {
    let found = rattleback_symbolic::eliminate(m, right, |_, column| match pivots {
        Pivots::Diagonal => find_nonzero(&column[..1]),
        Pivots::Shortest => find_nonzero(column),
    });
    let found = found.map_err(|why| match why {
        NoPivot::Shape(e) => e,
        NoPivot::Singular { column } => LinearError::Singular {
            rank: column,
            size: m.rows(),
        },
        NoPivot::Undecided(e) => LinearError::Undecided {
            pivot: e.expression,
            why: e.why.into(),
        },
    })?;
    let may_vanish = |pivot: &Expr| !pivot.is_nonvanishing();
    Ok(Solved {
        solution: found.solution,
        conditions: found.pivots.into_iter().filter(may_vanish).collect(),
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
        let found = eliminate(&skew, &one, Pivots::Shortest).unwrap();
        assert!(is_identity(&(&skew * &found.solution)));
        assert!(eliminate(&skew, &one, Pivots::Diagonal).is_err());
        let metric =
            Matrix::from_rows(&[vec![1 + x.powi(2), &x * &y], vec![&x * &y, 1 + y.powi(2)]]);
        let found = eliminate(&metric, &one, Pivots::Diagonal).unwrap();
        assert!(is_identity(&(&metric * &found.solution)));
        let hidden = x.sin().powi(2) + x.cos().powi(2) - 1;
        let singular = Matrix::from_rows(&[vec![hidden.clone(), x.clone()], vec![hidden, y]]);
        assert_eq!(
            eliminate(&singular, &one, Pivots::Shortest),
            Err(LinearError::Singular { rank: 0, size: 2 })
        );
    }
}
