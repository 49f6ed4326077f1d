//! Spans of vectors of functions at generic points, by elimination with certified pivots.
//!
//! Nothing is expanded: the reduced vectors are shared expression graphs. The span grows by an entry that an
//! enclosure at a real point keeps from zero, and it stays as it is where all entries are proven to vanish.

use rattleback_symbolic::{Expr, Matrix, UndecidedZero, find_nonzero, generic_rank};

/// Whether a vector lies in a span could not be decided, for instance because it has no value anywhere.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct NoValue(#[from] pub UndecidedZero);

/// A growing span of row vectors, kept in echelon form.
#[derive(Clone, Debug, Default)]
pub struct Span {
    /// Each row is scaled to 1 in its pivot column.
    rows: Vec<(usize, Vec<Expr>)>,
    /// The vectors that made it grow, as they were given.
    given: Vec<Vec<Expr>>,
}

impl Span {
    /// Adds a vector; tells whether the span grew.
    pub fn insert(&mut self, vector: &[Expr]) -> Result<bool, NoValue> {
        let mut v = vector.to_vec();
        for (pivot, row) in &self.rows {
            let factor = v[*pivot].clone();
            if !factor.is_zero() {
                for (x, y) in v.iter_mut().zip(row) {
                    *x -= &factor * y;
                }
                // Exactly zero by construction, whatever the expression looks like.
                v[*pivot] = Expr::zero();
            }
        }
        let pivot = match find_nonzero(&v) {
            Ok(Some(pivot)) => pivot,
            Ok(None) => return Ok(false),
            Err(_) if self.contains_for_certain(vector) => return Ok(false),
            Err(open) => return Err(open.into()),
        };
        let inverse = v[pivot].recip();
        v.iter_mut().for_each(|x| *x *= inverse.clone());
        v[pivot] = Expr::one();
        self.rows.push((pivot, v));
        self.given.push(vector.to_vec());
        Ok(true)
    }

    /// Does the rank of the vectors as given stay the same with this one? Their minors have lower degrees
    /// than what elimination makes of them.
    fn contains_for_certain(&self, vector: &[Expr]) -> bool {
        let mut all = self.given.clone();
        all.push(vector.to_vec());
        generic_rank(&Matrix::from_rows(&all)) == Ok(self.rank())
    }

    /// The dimension.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }

    /// The pivot columns, increasing.
    pub fn pivots(&self) -> Vec<usize> {
        let mut columns: Vec<usize> = self.rows.iter().map(|(pivot, _)| *pivot).collect();
        columns.sort_unstable();
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_symbolic::Symbol;

    #[test]
    fn spans_grow_by_independent_vectors_only() {
        let x = Expr::from(Symbol::variable("x"));
        let mut span = Span::default();
        assert!(span.insert(&[Expr::zero(), x.sin(), x.cos()]).unwrap());
        assert!(span.insert(&[x.clone(), x.cos(), -x.sin()]).unwrap());
        // cos times the first minus sin times the second: Pythagoras makes it dependent.
        let third = [-&x * x.sin(), Expr::zero(), Expr::one()];
        assert!(!span.insert(&third).unwrap());
        assert!(
            span.insert(&[Expr::one(), Expr::zero(), Expr::zero()])
                .unwrap()
        );
        assert_eq!(span.rank(), 3);
        assert_eq!(span.pivots(), [0, 1, 2]);
    }

    #[test]
    fn a_pole_everywhere_is_reported() {
        let x = Expr::from(Symbol::variable("x"));
        let hidden = x.sin().powi(2) + x.cos().powi(2) - 1;
        assert!(Span::default().insert(&[hidden.recip()]).is_err());
    }
}
