//! The choice of columns to solve for: a support on which constraint forms keep full rank.

use crate::proof::{Parametrization, constant_value, look_constant, look_motionless};
use crate::tidy::tidy;
use rattleback_symbolic::{Expr, Matrix, Minors, subsets};

/// Columns T on which A has a right inverse that is regular everywhere:
/// A_T A_T^T has a determinant that never vanishes.
pub(super) struct Support {
    /// The columns T, as many as rows or one more.
    pub(super) columns: Vec<usize>,
    /// R with A_T R = 1; its rows follow `columns`.
    pub(super) right_inverse: Matrix,
}

impl Support {
    fn tidied(self) -> Self {
        Self {
            right_inverse: self.right_inverse.map(tidy),
            ..self
        }
    }
}

/// A minor of r rows has up to 2^r smaller ones; the search ends when about so many are written.
const MINORS: usize = 1 << 14;
/// Determinants with symbols are expensive, so only so many are written out.
const WRITTEN: usize = 32;

/// What a determinant must be for its matrix to be regular everywhere.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Wanted {
    /// A number other than zero.
    Constant,
    /// Different from zero by the assumptions on its symbols.
    KnownSign,
}

/// The best support of that kind: fewer columns before more, then the solution that is shorter to
/// write, then the first.
pub(super) fn best_support(a: &Matrix, wanted: Wanted, on: &Parametrization) -> Option<Support> {
    let mut minors = Minors::of(a);
    [a.rows(), a.rows() + 1].into_iter().find_map(|size| {
        let mut sets: Vec<Vec<usize>> = Vec::new();
        let limit = MINORS >> a.rows().min(14);
        subsets(a.cols(), size, limit, |t| sets.push(t.to_vec()));
        let grams: Vec<Expr> = sets
            .iter()
            .map(|t| gram(&mut minors, t, a.rows()))
            .collect();
        let worth_it = match wanted {
            Wanted::Constant => look_constant(&grams, on)?,
            Wanted::KnownSign => look_motionless(&grams, on)?
                .iter()
                .zip(&grams)
                .map(|(still, gram)| *still || gram.is_nonvanishing())
                .collect(),
        };
        sets.iter()
            .zip(worth_it)
            .filter_map(|(t, worth_it)| worth_it.then_some(t))
            .take(WRITTEN)
            .filter_map(|t| support(a, t, wanted, on))
            .min_by_key(|s| effort(a, s))
            .map(Support::tidied)
    })
}

/// det(A_T A_T^T) is the sum of the squares of the maximal minors (Cauchy-Binet).
fn gram(minors: &mut Minors, t: &[usize], rows: usize) -> Expr {
    let mut squares = Vec::new();
    subsets(t.len(), rows, t.len(), |s| {
        let columns: Vec<usize> = s.iter().map(|&i| t[i]).collect();
        squares.push(minors.get(&columns).powi(2));
    });
    Expr::sum(squares)
}

fn support(a: &Matrix, t: &[usize], wanted: Wanted, on: &Parametrization) -> Option<Support> {
    let rows: Vec<usize> = (0..a.rows()).collect();
    let a_t = a.select(&rows, t);
    // A square A_T has the inverse adj/det; a wide one A_T^T (A_T A_T^T)^-1.
    let (square, left) = if t.len() == a.rows() {
        (a_t, None)
    } else {
        (&a_t * &a_t.transpose(), Some(a_t.transpose()))
    };
    let det = Minors::determinant(&square);
    let det = match wanted {
        Wanted::Constant => constant_value(&det, on)?,
        Wanted::KnownSign if det.is_nonvanishing() => det,
        Wanted::KnownSign => Some(tidy(&det)).filter(Expr::is_nonvanishing)?,
    };
    let inverse = &Minors::adjugate(&square) * &det.recip();
    let right_inverse = match left {
        Some(left) => &left * &inverse,
        None => inverse,
    };
    Some(Support {
        columns: t.to_vec(),
        right_inverse,
    })
}

/// How long the solved columns R A_j are to write.
fn effort(a: &Matrix, s: &Support) -> usize {
    (0..a.cols())
        .filter(|j| !s.columns.contains(j))
        .flat_map(|j| s.right_inverse.apply(&a.column(j)))
        .map(|e| if e.is_zero() { 0 } else { e.node_count() })
        .sum()
}
