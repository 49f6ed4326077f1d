//! Determinants, inverses and solutions of square systems.

use super::minors::{self, cofactors, row_order};
use super::polynomials::PolynomialMatrix;
use super::{LinearError, MAX_COLUMNS, conditions, rank_within, solve_shared};
use crate::budget::Budget;
use crate::normal::fraction::Fraction;
use crate::polynomial::Polynomial;
use crate::{Expr, Matrix};

/// The determinant, in lowest terms.
///
/// ```
/// use rattleback_symbolic::{Expr, Matrix, Symbol, determinant};
/// let x = Expr::from(Symbol::variable("x"));
/// let turn = Matrix::from_rows(&[vec![x.cos(), -x.sin()], vec![x.sin(), x.cos()]]);
/// assert_eq!(determinant(&turn).unwrap(), Expr::one());
/// ```
pub fn determinant(m: &Matrix) -> Result<Expr, LinearError> {
    determinant_within(m, Budget::default())
}

/// [`determinant`] with a budget of one's own.
pub fn determinant_within(m: &Matrix, budget: Budget) -> Result<Expr, LinearError> {
    check_square(m)?;
    check_size(m)?;
    let p = PolynomialMatrix::new(m, None, budget)?;
    let rows: Vec<&[Polynomial]> = (0..p.rows).map(|i| p.row(i)).collect();
    let d = minors::determinant(&rows, &p.ring)?;
    let mut all = Fraction::from_polynomial(d);
    for scale in &p.scales {
        all = all.times(scale, &p.ring)?;
    }
    Ok(p.ring.quotient(&all.cancelled(&p.ring)?))
}

/// The solution of a linear system.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// The solution, one column per right-hand side.
    pub solution: Matrix,
    /// Expressions that must not vanish. Each is proven not to vanish identically; what can never
    /// vanish is not listed.
    pub conditions: Vec<Expr>,
}

/// Solves `m·x = right` for a square matrix: in lowest terms where that stays within
/// [`Budget::SMALL`], else by [`solve_shared`].
///
/// ```
/// use rattleback_symbolic::{Expr, Matrix, Symbol, solve};
/// let (a, b) = (Expr::from(Symbol::constant("a")), Expr::from(Symbol::constant("b")));
/// let m = Matrix::from_rows(&[vec![a.clone(), b.clone()], vec![b.clone(), a.clone()]]);
/// let solved = solve(&m, &Matrix::column_vector(&[Expr::one(), Expr::one()])).unwrap();
/// assert_eq!(solved.solution[(0, 0)], 1 / (&a + &b));
/// assert_eq!(solved.conditions.len(), 1); // a² - b² ≠ 0
/// ```
pub fn solve(m: &Matrix, right: &Matrix) -> Result<Solved, LinearError> {
    match solve_within(m, right, Budget::SMALL) {
        Err(LinearError::TooLarge) => solve_shared(m, right),
        answer => answer,
    }
}

/// The solution of `m·x = right` in lowest terms, with a budget of one's own.
pub fn solve_within(m: &Matrix, right: &Matrix, budget: Budget) -> Result<Solved, LinearError> {
    check_system(m, right)?;
    check_size(m)?;
    let n = m.rows();
    let p = PolynomialMatrix::new(m, Some(right), budget)?;
    let left: Vec<&[Polynomial]> = (0..n).map(|i| &p.row(i)[..n]).collect();
    let (order, _) = row_order(&left);
    let rows: Vec<&[Polynomial]> = order.iter().map(|&i| left[i]).collect();
    let beside: Vec<&[Polynomial]> = order.iter().map(|&i| &p.row(i)[n..]).collect();
    let wanted: Vec<bool> = beside
        .iter()
        .map(|r| r.iter().any(|e| !e.is_zero()))
        .collect();
    let (cofactors, d) = cofactors(&rows, &wanted, &p.ring)?;
    let Some(inverse) = Fraction::from_polynomial(d.clone()).inverse(&p.ring)? else {
        return Err(LinearError::Singular {
            rank: rank_within(m, budget)?.rank,
            size: n,
        });
    };
    let conditions = conditions(&p, &d)?;
    let mut solution = Matrix::zeros(n, right.cols());
    for j in 0..n {
        for k in 0..right.cols() {
            // x_j = Σ_i cofactor_ij b_i / determinant.
            let mut numerator = Polynomial::zero(p.ring.words);
            for i in 0..n {
                let term = p.ring.times(&cofactors[i][j], &beside[i][k])?;
                numerator = numerator.plus(&term);
            }
            solution[(j, k)] = p.quotient(&numerator, &inverse)?;
        }
    }
    Ok(Solved {
        solution,
        conditions,
    })
}

/// The inverse matrix, with the conditions under which it exists.
///
/// ```
/// use rattleback_symbolic::{Expr, Matrix, Symbol, inverse};
/// let x = Expr::from(Symbol::variable("x"));
/// let shear = Matrix::from_rows(&[vec![Expr::one(), x.clone()], vec![Expr::zero(), Expr::one()]]);
/// let solved = inverse(&shear).unwrap();
/// assert_eq!(solved.solution[(0, 1)], -&x);
/// assert!(solved.conditions.is_empty());
/// ```
pub fn inverse(m: &Matrix) -> Result<Solved, LinearError> {
    inverse_within(m, Budget::default())
}

/// [`inverse`] with a budget of one's own.
pub fn inverse_within(m: &Matrix, budget: Budget) -> Result<Solved, LinearError> {
    solve_within(m, &Matrix::identity(m.rows()), budget)
}

fn check_square(m: &Matrix) -> Result<(), LinearError> {
    if m.rows() != m.cols() {
        return Err(LinearError::Shape {
            rows: m.rows(),
            cols: m.cols(),
        });
    }
    Ok(())
}

/// Is it a square matrix with a right-hand side that fits?
pub(super) fn check_system(m: &Matrix, right: &Matrix) -> Result<(), LinearError> {
    check_square(m)?;
    if right.rows() != m.rows() {
        return Err(LinearError::Shape {
            rows: right.rows(),
            cols: right.cols(),
        });
    }
    Ok(())
}

/// More columns than fit a set are not for minors.
fn check_size(m: &Matrix) -> Result<(), LinearError> {
    if m.cols() > MAX_COLUMNS {
        return Err(LinearError::TooLarge);
    }
    Ok(())
}
