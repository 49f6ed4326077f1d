//! Writing a vector as a combination of others.

use crate::minors::{adjugate, determinant};
use crate::proof::Parametrization;
use crate::span::{NoValue, Span};
use crate::tidy::tidy;
use rattleback_symbolic::{Expr, Matrix, substitute_all};

/// Independent rows, with columns in which they are regular.
pub(crate) struct Basis {
    /// The indices of the rows kept.
    pub(crate) kept: Vec<usize>,
    /// As many columns: the square block of both is regular at generic points.
    pub(crate) pivots: Vec<usize>,
}

impl Basis {
    /// The rows that the ones before them do not span.
    pub(crate) fn of_rows(rows: &Matrix, on: &Parametrization) -> Result<Self, NoValue> {
        let mut span = Span::default();
        let mut kept = Vec::new();
        for i in 0..rows.rows() {
            if span.insert(&substitute_all(rows.row(i), on))? {
                kept.push(i);
            }
        }
        Ok(Self {
            kept,
            pivots: span.pivots(),
        })
    }

    /// c with target = Σ c_k row_k in the pivot columns: c = target_S adj(A_S) / det A_S.
    pub(crate) fn coefficients(&self, rows: &Matrix, target: &[Expr]) -> Vec<Expr> {
        let square = rows.select(&self.kept, &self.pivots);
        let scale = determinant(&square).recip();
        let at_pivots: Vec<Expr> = self.pivots.iter().map(|&j| target[j].clone()).collect();
        adjugate(&square)
            .transpose()
            .apply(&at_pivots)
            .iter()
            .map(|e| tidy(&(e * &scale)))
            .collect()
    }

    /// target - Σ c_k row_k, in all columns.
    pub(crate) fn residual(&self, rows: &Matrix, target: &[Expr], c: &[Expr]) -> Vec<Expr> {
        (0..rows.cols())
            .map(|j| {
                let terms = c.iter().zip(&self.kept).map(|(c, &i)| c * &rows[(i, j)]);
                &target[j] - Expr::sum(terms)
            })
            .collect()
    }
}
