//! Spans of vectors of functions at generic points, by elimination with exact zero tests.
//!
//! Nothing is expanded: the reduced vectors are shared expression graphs, and only their values at
//! a random point of a prime field are looked at. A nonzero value is a proof, so the rank found is
//! a certain lower bound; the chance that it is too low is about degree / 2^60.

use rattleback_symbolic::{Expr, fingerprint};

/// An expression without a value at generic points.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` has no value at a generic point")]
pub struct NoValue(pub String);

/// The values at one shared random point.
pub(crate) fn values(expressions: &[Expr]) -> Result<Vec<u64>, NoValue> {
    fingerprint(expressions).ok_or_else(|| {
        let culprit = expressions
            .iter()
            .find(|e| fingerprint(std::slice::from_ref(e)).is_none());
        NoValue(culprit.map_or_else(String::new, Expr::to_string))
    })
}

/// A growing span of row vectors, kept in echelon form.
#[derive(Clone, Debug, Default)]
pub struct Span {
    /// Each row is scaled to 1 in its pivot column.
    rows: Vec<(usize, Vec<Expr>)>,
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
        let Some(pivot) = simplest_nonzero(&v)? else {
            return Ok(false);
        };
        let inverse = v[pivot].recip();
        v.iter_mut().for_each(|x| *x *= inverse.clone());
        v[pivot] = Expr::one();
        self.rows.push((pivot, v));
        Ok(true)
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

/// The first number, else the nonzero entry that is shortest.
fn simplest_nonzero(v: &[Expr]) -> Result<Option<usize>, NoValue> {
    if let Some(i) = v
        .iter()
        .position(|e| e.as_number().is_some() && !e.is_zero())
    {
        return Ok(Some(i));
    }
    if v.iter().all(Expr::is_zero) {
        return Ok(None);
    }
    let numbers = values(v)?;
    Ok((0..v.len())
        .filter(|&i| numbers[i] != 0)
        .min_by_key(|&i| v[i].node_count()))
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
