//! Exact linear algebra for small matrices of expressions.
//!
//! Everything is built from minors, polynomials in the entries' generators reduced modulo their
//! relations, and one quotient at the end. Nothing is divided by that is not shown to be different from
//! zero; what was divided by is reported.

mod eliminate;
mod laplace;
mod minors;
mod polynomials;
mod shared;
mod space;
mod spectrum;
mod square;

pub use eliminate::{Eliminated, NoPivot, eliminate};
pub use laplace::{Minors, subsets};
pub use shared::solve_shared;
pub use space::{Nullspace, Rank, nullspace, nullspace_within, rank, rank_within};
pub use spectrum::{characteristic, roots_by_radicals};
pub use square::{
    Solved, determinant, determinant_within, inverse, inverse_within, solve, solve_within,
};

use crate::normal::convert::NoForm;
use crate::polynomial::Polynomial;
use crate::polynomial::monomial::exponent;
use crate::{Expr, TooLarge, Verdict, prove_zero};
use polynomials::PolynomialMatrix;

/// Matrices wider than this are not for exact linear algebra.
const MAX_COLUMNS: usize = 60;

/// Why a linear problem has no exact answer.
///
/// ```
/// use rattleback_symbolic::{Expr, LinearError, Matrix, inverse};
/// let m = Matrix::new(2, 2, |_, _| Expr::one());
/// assert_eq!(inverse(&m), Err(LinearError::Singular { rank: 1, size: 2 }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinearError {
    /// The determinant is identically zero.
    #[error("the matrix is singular: its rank is {rank}, not {size}")]
    Singular {
        /// The rank.
        rank: usize,
        /// The number of rows and columns.
        size: usize,
    },
    /// Whether a pivot vanishes could not be decided.
    #[error("cannot decide whether `{pivot}` vanishes identically: {why}")]
    Undecided {
        /// The pivot.
        pivot: Expr,
        /// What stood in the way.
        why: String,
    },
    /// An entry is undefined: it divides by zero.
    #[error("an entry of the matrix divides by zero")]
    Undefined,
    /// The exact answer is larger than the budget allows.
    #[error("the exact answer is too large")]
    TooLarge,
    /// The shapes do not fit.
    #[error("a matrix with {rows} rows and {cols} columns does not fit here")]
    Shape {
        /// Rows of the offending matrix.
        rows: usize,
        /// Columns of the offending matrix.
        cols: usize,
    },
}

impl From<TooLarge> for LinearError {
    fn from(_: TooLarge) -> Self {
        LinearError::TooLarge
    }
}

impl From<NoForm> for LinearError {
    fn from(why: NoForm) -> Self {
        match why {
            NoForm::DivisionByZero => LinearError::Undefined,
            NoForm::TooLarge => LinearError::TooLarge,
        }
    }
}

/// The conditions under which a pivot is not zero: its factors, without those that never vanish.
fn conditions(p: &PolynomialMatrix, pivot: &Polynomial) -> Result<Vec<Expr>, LinearError> {
    let m = pivot.monomial_content();
    let core = pivot.unshifted(&m).unwrap_or_else(|| pivot.clone());
    let core = core.unscaled(&core.content()).positive();
    let generators = (0..p.ring.generators.len()).filter(|&g| exponent(&m, g) > 0);
    let mut all: Vec<Expr> = generators
        .map(|g| p.expression(&p.ring.generator(g)))
        .collect();
    all.push(p.expression(&core));
    all.retain(|e| !e.is_nonvanishing());
    all.iter().try_for_each(check_nonzero)?;
    Ok(all)
}

/// An error unless the pivot is shown not to vanish identically.
fn check_nonzero(pivot: &Expr) -> Result<(), LinearError> {
    let why = match prove_zero(pivot) {
        Verdict::Refuted { .. } => return Ok(()),
        Verdict::Proven { .. } => "its normal form says no, its values say yes".into(),
        Verdict::Undecided { why } => why.into(),
    };
    Err(LinearError::Undecided {
        pivot: pivot.clone(),
        why,
    })
}
