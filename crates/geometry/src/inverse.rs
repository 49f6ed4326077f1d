//! Inverses of matrices of functions.

use crate::proof::{Parametrization, constant_value};
use crate::tidy::{tidy, tidy_component};
use rattleback_symbolic::{
    Expr, Matrix, Minors, NoPivot, UndecidedZero, eliminate, find_nonzero, substitute_all,
};

/// The number of minors doubles with each row: larger matrices are inverted by elimination.
const BY_MINORS: usize = 7;

/// An inverse with the determinant that must not vanish.
pub(crate) struct Inverse {
    pub(crate) matrix: Matrix,
    pub(crate) determinant: Expr,
}

/// Why there is no inverse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoInverse {
    /// The determinant is proven to vanish identically on the parametrised space.
    Singular,
    /// Whether a pivot vanishes is not decided.
    Undecided(UndecidedZero),
}

/// The inverse at generic points of the parametrised space.
pub(crate) fn inverse(m: &Matrix, on: &Parametrization) -> Result<Inverse, NoInverse> {
    if m.rows() > BY_MINORS {
        return by_elimination(m, on);
    }
    let determinant = Minors::determinant(m);
    simplest_pivot(std::slice::from_ref(&determinant), on)?;
    let determinant = constant_value(&determinant, on).unwrap_or_else(|| tidy(&determinant));
    let scale = determinant.recip();
    Ok(Inverse {
        matrix: Minors::adjugate(m).map(|e| tidy_component(&(e * &scale))),
        determinant,
    })
}

/// By elimination, which multiplies nothing out.
fn by_elimination(m: &Matrix, on: &Parametrization) -> Result<Inverse, NoInverse> {
    let found = eliminate(m, &Matrix::identity(m.rows()), |_, column| {
        find_nonzero(&substitute_all(column, on))
    })?;
    let determinant = Expr::product(found.pivots);
    Ok(Inverse {
        matrix: found.solution,
        determinant: if found.odd { -determinant } else { determinant },
    })
}

impl From<NoPivot> for NoInverse {
    fn from(why: NoPivot) -> Self {
        match why {
            NoPivot::Undecided(why) => NoInverse::Undecided(why),
            NoPivot::Singular { .. } | NoPivot::Shape(_) => NoInverse::Singular,
        }
    }
}

/// A number if there is one, else the shortest entry that is certain not to vanish identically.
fn simplest_pivot(column: &[Expr], on: &Parametrization) -> Result<usize, NoInverse> {
    find_nonzero(&substitute_all(column, on))
        .map_err(NoInverse::Undecided)?
        .ok_or(NoInverse::Singular)
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
            assert_eq!(inverse(&repeated, &[]).err(), Some(NoInverse::Singular));
        }
    }
}
