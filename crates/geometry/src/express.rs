//! Writing a vector as a combination of others.

use crate::inverse::inverse;
use crate::proof::Parametrization;
use crate::span::{NoValue, Span};
use crate::tidy::tidy;
use rattleback_symbolic::{Expr, Matrix, substitute_all};

/// Independent rows A, with columns S in which they are regular.
pub(crate) struct Basis<'a> {
    rows: &'a Matrix,
    on: &'a Parametrization,
    /// The indices of the rows kept.
    pub(crate) kept: Vec<usize>,
    /// As many columns: the square block A_S is regular at generic points.
    pub(crate) pivots: Vec<usize>,
}

impl<'a> Basis<'a> {
    /// The rows that the ones before them do not span.
    pub(crate) fn of_rows(rows: &'a Matrix, on: &'a Parametrization) -> Result<Self, NoValue> {
        let mut span = Span::default();
        let mut kept = Vec::new();
        for i in 0..rows.rows() {
            if span.insert(&substitute_all(rows.row(i), on))? {
                kept.push(i);
            }
        }
        Ok(Self {
            rows,
            on,
            kept,
            pivots: span.pivots(),
        })
    }

    /// Inverts A_S once, for any number of targets.
    pub(crate) fn solver(&self) -> Solver<'_> {
        let square = self.rows.select(&self.kept, &self.pivots);
        // The pivots are proven regular; were they not, residuals would tell.
        let inverse = inverse(&square, self.on).map_or(square, |found| found.matrix);
        Solver {
            basis: self,
            inverse,
        }
    }
}

/// Coefficients with respect to a basis of rows.
pub(crate) struct Solver<'a> {
    basis: &'a Basis<'a>,
    inverse: Matrix,
}

impl Solver<'_> {
    /// c with target = Σ c_k row_k in the pivot columns: c = target_S A_S^-1.
    pub(crate) fn coefficients(&self, target: &[Expr]) -> Vec<Expr> {
        let pivots = self.basis.pivots.iter();
        let at_pivots: Vec<Expr> = pivots.map(|&j| target[j].clone()).collect();
        let solved = self.inverse.transpose().apply(&at_pivots);
        solved.iter().map(tidy).collect()
    }

    /// x with A_S x = values: the combination of the pivot columns that has these row values.
    pub(crate) fn combine_columns(&self, values: &[Expr]) -> Vec<Expr> {
        self.inverse.apply(values).iter().map(tidy).collect()
    }

    /// target - Σ c_k row_k, in all columns.
    pub(crate) fn residual(&self, target: &[Expr], c: &[Expr]) -> Vec<Expr> {
        let rows = self.basis.rows;
        (0..rows.cols())
            .map(|j| {
                let kept = self.basis.kept.iter();
                let terms = c.iter().zip(kept).map(|(c, &i)| c * &rows[(i, j)]);
                &target[j] - Expr::sum(terms)
            })
            .collect()
    }
}
