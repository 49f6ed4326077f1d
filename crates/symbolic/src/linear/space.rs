//! Rank and nullspace of rectangular matrices.

use super::minors::{Columns, Minors, cofactors, empty, extend};
use super::polynomials::PolynomialMatrix;
use super::{LinearError, MAX_COLUMNS, conditions};
use crate::budget::{Budget, TooLarge};
use crate::normal::ring::Ring;
use crate::polynomial::Polynomial;
use crate::{Expr, Matrix, Sign};

/// The rank of a matrix over the field of its entries.
#[derive(Clone, Debug, PartialEq)]
pub struct Rank {
    /// The rank at almost every point.
    pub rank: usize,
    /// Independent rows, the first ones that are: any other row depends on those before it.
    pub rows: Vec<usize>,
    /// Columns of a minor of these rows that is proven not to vanish identically.
    pub cols: Vec<usize>,
    /// The factors of that minor that may vanish somewhere: the rank is as stated where none does.
    pub conditions: Vec<Expr>,
    /// Some minor is nonzero at every point, even if no single one is: the rank never drops.
    pub everywhere: bool,
}

/// A basis of the vectors that a matrix sends to zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Nullspace {
    /// Independent vectors without common factors.
    pub basis: Vec<Vec<Expr>>,
    /// What must not vanish for the vectors to be independent and to span: empty if that is so at
    /// every point.
    pub conditions: Vec<Expr>,
    /// The rank of the matrix.
    pub rank: Rank,
}

/// The rank, with independent rows and columns.
///
/// ```
/// use rattleback_symbolic::{Expr, Matrix, Symbol, rank};
/// let x = Expr::from(Symbol::variable("x"));
/// let m = Matrix::from_rows(&[vec![x.sin(), x.cos()], vec![x.sin().powi(2), x.sin() * x.cos()]]);
/// let rank = rank(&m).unwrap();
/// assert_eq!((rank.rank, rank.rows), (1, vec![0]));
/// assert!(rank.everywhere); // sin and cos never vanish together
/// ```
pub fn rank(m: &Matrix) -> Result<Rank, LinearError> {
    rank_within(m, Budget::default())
}

/// [`rank`] with a budget of one's own.
pub fn rank_within(m: &Matrix, budget: Budget) -> Result<Rank, LinearError> {
    check_width(m)?;
    let p = PolynomialMatrix::new(m, None, budget)?;
    Echelon::new(&p)?.rank(&p)
}

/// A basis of the nullspace. Vectors are divided by their common factors, so that they stay regular where
/// the space does, as far as that is possible.
///
/// ```
/// use rattleback_symbolic::{Expr, Matrix, Symbol, nullspace};
/// let x = Expr::from(Symbol::variable("x"));
/// // The knife edge: sin x·x' - cos x·y' = 0.
/// let m = Matrix::from_rows(&[vec![x.sin(), -x.cos(), Expr::zero()]]);
/// let space = nullspace(&m).unwrap();
/// assert_eq!(space.basis.len(), 2);
/// assert!(space.conditions.is_empty()); // regular at every angle
/// ```
pub fn nullspace(m: &Matrix) -> Result<Nullspace, LinearError> {
    nullspace_within(m, Budget::default())
}

/// [`nullspace`] with a budget of one's own.
pub fn nullspace_within(m: &Matrix, budget: Budget) -> Result<Nullspace, LinearError> {
    check_width(m)?;
    let p = PolynomialMatrix::new(m, None, budget)?;
    let echelon = Echelon::new(&p)?;
    let rank = echelon.rank(&p)?;
    let basis = echelon.kernel(&p, &rank)?;
    let conditions = basis_conditions(&basis, &rank, &p)?;
    let expressions = |v: &Vec<Polynomial>| v.iter().map(|e| p.expression(e)).collect();
    Ok(Nullspace {
        basis: basis.iter().map(expressions).collect(),
        conditions,
        rank,
    })
}

fn check_width(m: &Matrix) -> Result<(), LinearError> {
    if m.cols() > MAX_COLUMNS {
        return Err(LinearError::TooLarge);
    }
    Ok(())
}

/// Independent rows and all their maximal minors.
struct Echelon {
    rows: Vec<usize>,
    minors: Minors,
}

impl Echelon {
    /// Row by row: a row all of whose extended minors vanish depends on those before it.
    fn new(p: &PolynomialMatrix) -> Result<Self, TooLarge> {
        let mut rows = Vec::new();
        let mut minors = empty(&p.ring);
        for i in 0..p.rows {
            let next = extend(&minors, p.row(i), false, &p.ring)?;
            if !next.is_empty() {
                minors = next;
                rows.push(i);
            }
        }
        Ok(Self { rows, minors })
    }

    /// The best minor as pivot: constants, then what can never vanish, then the shortest that is shown
    /// not to vanish identically.
    fn rank(&self, p: &PolynomialMatrix) -> Result<Rank, LinearError> {
        let candidates: Vec<(Columns, &Polynomial, Expr)> = {
            let mut all: Vec<_> = self.minors.iter().map(|(s, m)| (*s, m)).collect();
            all.sort_by_key(|(_, m)| (m.as_constant().is_none(), m.len()));
            all.truncate(64);
            let with_expression = |(s, m)| (s, m, p.expression(m));
            all.into_iter().map(with_expression).collect()
        };
        let certain = candidates.iter().find(|(_, _, e)| e.is_nonvanishing());
        let mut failure = None;
        for (set, minor, _) in certain.into_iter().chain(&candidates) {
            match conditions(p, minor) {
                Ok(conditions) => {
                    let everywhere = conditions.is_empty() || self.never_drops(&p.ring)?;
                    return Ok(Rank {
                        rank: self.rows.len(),
                        rows: self.rows.clone(),
                        cols: (0..p.cols).filter(|j| set >> j & 1 == 1).collect(),
                        conditions,
                        everywhere,
                    });
                }
                Err(why) => failure = Some(why),
            }
        }
        Err(failure.unwrap_or(LinearError::TooLarge))
    }

    fn never_drops(&self, ring: &Ring) -> Result<bool, TooLarge> {
        square_sum_is_positive(self.minors.values(), ring)
    }

    /// One vector per free column: the cofactors of the pivot block applied to that column.
    fn kernel(&self, p: &PolynomialMatrix, rank: &Rank) -> Result<Vec<Vec<Polynomial>>, TooLarge> {
        let ring = &p.ring;
        let block: Vec<Vec<Polynomial>> = rank
            .rows
            .iter()
            .map(|&i| rank.cols.iter().map(|&j| p.row(i)[j].clone()).collect())
            .collect();
        let rows: Vec<&[Polynomial]> = block.iter().map(Vec::as_slice).collect();
        let (cofactors, pivot) = cofactors(&rows, &vec![true; rows.len()], ring)?;
        let mut basis = Vec::new();
        for free in (0..p.cols).filter(|j| !rank.cols.contains(j)) {
            let mut v = vec![Polynomial::zero(ring.words); p.cols];
            for (k, &j) in rank.cols.iter().enumerate() {
                for (i, &row) in rank.rows.iter().enumerate() {
                    let term = ring.times(&cofactors[i][k], &p.row(row)[free])?;
                    v[j] = v[j].minus(&term);
                }
            }
            v[free] = pivot.clone();
            basis.push(without_content(v, ring)?);
        }
        Ok(basis)
    }
}

/// Divides a vector by the common factor of its entries.
fn without_content(v: Vec<Polynomial>, ring: &Ring) -> Result<Vec<Polynomial>, TooLarge> {
    let mut common = Polynomial::zero(ring.words);
    let mut by_length: Vec<&Polynomial> = v.iter().filter(|p| !p.is_zero()).collect();
    by_length.sort_by_key(|p| p.len());
    for p in by_length {
        common = common.gcd(p, &ring.meter)?;
        if common.is_one() {
            return Ok(v);
        }
    }
    let mut divided = Vec::with_capacity(v.len());
    for p in &v {
        match p.divide(&common, &ring.meter)? {
            Some(q) => divided.push(q),
            None => return Ok(v),
        }
    }
    Ok(divided)
}

/// Term products beyond which a sum of squares is not worth its cost.
const SQUARES: usize = 100_000;

/// Is Σ p² a constant or of a sign that shows that not all p vanish together?
fn square_sum_is_positive<'a>(
    all: impl Iterator<Item = &'a Polynomial> + Clone,
    ring: &Ring,
) -> Result<bool, TooLarge> {
    if all.clone().map(|p| p.len() * p.len()).sum::<usize>() > SQUARES {
        return Ok(false);
    }
    let mut sum = Polynomial::zero(ring.words);
    for p in all {
        sum = sum.plus(&ring.times(p, p)?);
    }
    Ok(ring.expression(&sum).sign() == Sign::Positive)
}

/// What must not vanish for the basis to stay independent.
fn basis_conditions(
    basis: &[Vec<Polynomial>],
    rank: &Rank,
    p: &PolynomialMatrix,
) -> Result<Vec<Expr>, LinearError> {
    if rank.conditions.is_empty() || basis.is_empty() {
        return Ok(rank.conditions.clone());
    }
    let mut minors = empty(&p.ring);
    for v in basis {
        minors = extend(&minors, v, false, &p.ring)?;
    }
    let independent = square_sum_is_positive(minors.values(), &p.ring)?;
    if independent && rank.everywhere {
        return Ok(Vec::new());
    }
    Ok(rank.conditions.clone())
}
