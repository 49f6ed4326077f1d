//! Ranks of matrices of functions, from their values at a random point of a prime field.
//!
//! There are values only for functions between which there are no relations that a prime field does not know. Then
//! a rank found is a certain lower bound; the chance that it is too low is about degree/2^61. What rests on it is
//! proven afterwards.

use super::field::{Element, FIELD, Residues};
use rattleback_symbolic::{Expr, Matrix, Symbol, residues_are_faithful, substitute_all};

/// Points that are tried: some have poles, or lack a root.
const POINTS: u64 = 60;

/// The values of a matrix at a generic point.
#[derive(Clone, Debug)]
pub(crate) struct Sample(Vec<Vec<Element>>);

impl Sample {
    /// The values at a random point of the space that `on` parametrises; `None` if there are none.
    pub(crate) fn of(matrix: &Matrix, on: &[(Symbol, Expr)]) -> Option<Self> {
        if !residues_are_faithful(&substitute_all(matrix.entries(), on)) {
            return None;
        }
        let mut program = Residues::new(matrix.entries(), on)?;
        let values = (0..POINTS).find_map(|k| program.at(k))?;
        let width = matrix.cols();
        let row = |i: usize| values[i * width..(i + 1) * width].to_vec();
        Some(Self((0..matrix.rows()).map(row).collect()))
    }

    /// Does this entry vanish?
    pub(crate) fn is_zero(&self, i: usize, j: usize) -> bool {
        self.0[i][j].is_zero()
    }

    /// The part with these rows and columns.
    pub(crate) fn select(&self, rows: &[usize], columns: &[usize]) -> Self {
        let row = |&i: &usize| columns.iter().map(|&j| self.0[i][j]).collect();
        Self(rows.iter().map(row).collect())
    }

    /// \[\[A, Bᵀ\], \[B, 0\]\] for a square A.
    pub(crate) fn bordered(&self, below: &Sample) -> Self {
        let k = below.0.len();
        let top = self.0.iter().enumerate().map(|(i, row)| {
            let side = below.0.iter().map(|b| b[i]);
            row.iter().copied().chain(side).collect()
        });
        let bottom = below.0.iter().map(|b| {
            let corner = std::iter::repeat_n(Element::ZERO, k);
            b.iter().copied().chain(corner).collect()
        });
        Self(top.chain(bottom).collect())
    }

    /// Rows and columns of a minor of full rank: the first rows that are independent, and the first
    /// columns for them.
    pub(crate) fn pivots(&self) -> (Vec<usize>, Vec<usize>) {
        let mut echelon: Vec<(usize, Vec<Element>)> = Vec::new();
        let mut kept = Vec::new();
        for (i, row) in self.0.iter().enumerate() {
            let mut row = row.clone();
            for (column, pivot) in &echelon {
                let factor = FIELD.negate(row[*column]);
                if !factor.is_zero() {
                    for (x, y) in row.iter_mut().zip(pivot) {
                        *x = FIELD.add(*x, FIELD.mul(factor, *y));
                    }
                }
            }
            let Some(column) = row.iter().position(|x| !x.is_zero()) else {
                continue;
            };
            let scale = FIELD.invert(row[column]).unwrap_or(Element::ZERO);
            row.iter_mut().for_each(|x| *x = FIELD.mul(*x, scale));
            echelon.push((column, row));
            kept.push(i);
        }
        let mut columns: Vec<usize> = echelon.into_iter().map(|(j, _)| j).collect();
        columns.sort_unstable();
        (kept, columns)
    }

    /// The rank.
    pub(crate) fn rank(&self) -> usize {
        self.pivots().0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_see_relations() {
        let x = Expr::from(Symbol::variable("x"));
        let m = Matrix::from_rows(&[
            vec![x.sin(), x.cos(), Expr::zero()],
            vec![x.cos(), -x.sin(), Expr::zero()],
            vec![
                Expr::one(),
                Expr::zero(),
                x.sin().powi(2) + x.cos().powi(2) - 1,
            ],
        ]);
        let sample = Sample::of(&m, &[]).expect("values");
        assert_eq!(sample.pivots(), (vec![0, 1], vec![0, 1]));
        assert!(sample.is_zero(2, 2));
        let part = sample.select(&[0], &[1, 2]);
        assert_eq!(part.rank(), 1);
    }

    #[test]
    fn hidden_relations_give_no_rank() {
        let x = Expr::from(Symbol::variable("x"));
        let hidden = 2 * x.atan() - (2 * &x / (1 - &x * &x)).atan();
        assert!(Sample::of(&Matrix::column_vector(&[hidden]), &[]).is_none());
    }

    #[test]
    fn bordered_ranks_are_those_of_restrictions() {
        // dx ∧ dy on R³ restricted to y = 0 vanishes: 2·1 + 0.
        let form = Matrix::new(3, 3, |i, j| match (i, j) {
            (0, 1) => Expr::one(),
            (1, 0) => Expr::from(-1),
            _ => Expr::zero(),
        });
        let tangent = Matrix::new(1, 3, |_, j| i64::from(j == 1).into());
        let [a, b] = [form, tangent].map(|m| Sample::of(&m, &[]).expect("values"));
        assert_eq!(a.bordered(&b).rank(), 2);
    }
}
