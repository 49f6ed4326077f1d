//! The rank of a matrix of functions at generic points, certified from both sides.
//!
//! Elimination in enclosures at one real point, with pivots that exclude zero, shows that the rank is at
//! least so much. Prime fields on all branches show that the larger minors vanish.

use super::fields::{self, FieldTest};
use super::program;
use super::random::{Random, mix};
use super::rewrite::rewritten;
use super::verdict::Reason;
use super::witness::Sampler;
use crate::meaning::elimination::Place;
use crate::{Expr, Matrix};

/// A rank that is only known from below.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the rank of the matrix is at least {at_least}; whether it is larger is not decided: {why}"
)]
pub struct UndecidedRank {
    /// Certified by enclosures at a point.
    pub at_least: usize,
    /// What stood in the way.
    pub why: Reason,
}

/// The rank at generic points.
///
/// ```
/// use rattleback_symbolic::{Expr, Matrix, Symbol, generic_rank};
/// let x = Expr::from(Symbol::variable("x"));
/// let turn = Matrix::from_rows(&[vec![x.cos(), x.sin()], vec![-x.sin(), x.cos()]]);
/// assert_eq!(generic_rank(&turn), Ok(2));
/// let double = Matrix::from_rows(&[vec![x.cos(), x.sin()], vec![x.sin(), x.sin() * x.tan()]]);
/// assert_eq!(generic_rank(&double), Ok(1));
/// ```
pub fn generic_rank(m: &Matrix) -> Result<usize, UndecidedRank> {
    let full = m.rows().min(m.cols());
    let filled = (0..m.entries().len()).filter(|&k| !m.entries()[k].is_zero());
    let places: Vec<Place> = filled.map(|k| (k / m.cols(), k % m.cols())).collect();
    if places.is_empty() {
        return Ok(0);
    }
    let seed = m.entries().iter().fold(3, |h, e| mix(h ^ e.0.hash));
    let entries: Vec<Expr> = places.iter().map(|&place| m[place].clone()).collect();
    let at_least = Sampler::new(&entries).rank(&mut Random::new(seed), &places, full);
    if at_least == full {
        return Ok(full);
    }
    let undecided = |why: Reason| UndecidedRank { at_least, why };
    // Relations that fields do not know would leave minors that do not vanish there.
    let entries = rewritten(m.entries()).unwrap_or_else(|| m.entries().to_vec());
    let program = program::compile(&entries).map_err(|why| undecided(why.into()))?;
    match fields::rank_is_at_most(&program, m.cols(), at_least) {
        FieldTest::Zero(_) => Ok(at_least),
        FieldTest::Nonzero => Err(undecided(Reason::LooksZero)),
        FieldTest::Unknown(why) => Err(undecided(why)),
    }
}
