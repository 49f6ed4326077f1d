//! Division-free determinants: Laplace expansion that visits each set of columns once.

use crate::{Expr, Matrix};
use std::collections::BTreeMap;

/// The minors of the first rows of a matrix, by the set of their columns.
///
/// For m rows and c columns at most 2^c of them exist; constraint matrices are small and sparse, and
/// zero entries are never expanded. Nothing is multiplied out or simplified.
///
/// ```
/// use rattleback_symbolic::{Expr, Matrix, Minors, Symbol};
/// let x = Expr::from(Symbol::variable("x"));
/// let a = Matrix::from_rows(&[vec![x.cos(), -x.sin()], vec![x.sin(), x.cos()]]);
/// assert_eq!(Minors::determinant(&a), x.cos().powi(2) + x.sin().powi(2));
/// ```
pub struct Minors<'a> {
    matrix: &'a Matrix,
    known: BTreeMap<Vec<usize>, Expr>,
}

impl<'a> Minors<'a> {
    /// None of them worked out yet.
    pub fn of(matrix: &'a Matrix) -> Self {
        Self {
            matrix,
            known: BTreeMap::from([(Vec::new(), Expr::one())]),
        }
    }

    /// The determinant of rows 0..k and these k increasing columns.
    ///
    /// Along the last row: Σ_i (-1)^(k-1+i) A[k-1, c_i] minor(columns without c_i).
    pub fn get(&mut self, columns: &[usize]) -> Expr {
        let mut stack = vec![columns.to_vec()];
        while let Some(set) = stack.last() {
            if self.known.contains_key(set) {
                stack.pop();
                continue;
            }
            let row = set.len() - 1;
            let smaller: Vec<(usize, Vec<usize>)> = (0..set.len())
                .filter(|&i| !self.matrix[(row, set[i])].is_zero())
                .map(|i| (i, without(set, i)))
                .collect();
            let missing: Vec<Vec<usize>> = smaller
                .iter()
                .filter(|(_, s)| !self.known.contains_key(s))
                .map(|(_, s)| s.clone())
                .collect();
            if !missing.is_empty() {
                stack.extend(missing);
                continue;
            }
            let value = Expr::sum(smaller.iter().map(|(i, s)| {
                let term = &self.matrix[(row, set[*i])] * &self.known[s];
                if (row + i) % 2 == 0 { term } else { -term }
            }));
            let set = set.clone();
            stack.pop();
            self.known.insert(set, value);
        }
        self.known[columns].clone()
    }
}

fn without(set: &[usize], i: usize) -> Vec<usize> {
    let mut rest = set.to_vec();
    rest.remove(i);
    rest
}

impl Minors<'_> {
    /// The determinant of a square matrix.
    pub fn determinant(matrix: &Matrix) -> Expr {
        let all: Vec<usize> = (0..matrix.cols()).collect();
        Minors::of(matrix).get(&all)
    }

    /// The adjugate: A adj(A) = det(A) 1.
    pub fn adjugate(matrix: &Matrix) -> Matrix {
        let n = matrix.rows();
        let rest = |k: usize| (0..n).filter(|&i| i != k).collect::<Vec<_>>();
        let mut result = Matrix::zeros(n, n);
        for i in 0..n {
            let others = matrix.select(&rest(i), &(0..n).collect::<Vec<_>>());
            let mut minors = Minors::of(&others);
            for j in 0..n {
                let minor = minors.get(&rest(j));
                result[(j, i)] = if (i + j) % 2 == 0 { minor } else { -minor };
            }
        }
        result
    }

    /// The generalised cross product of m rows in m + 1 columns: v_j = (-1)^j minor without column j.
    ///
    /// A v = 0, and v vanishes exactly where the rows become dependent.
    pub fn cross_product(matrix: &Matrix, columns: &[usize]) -> Vec<Expr> {
        let mut minors = Minors::of(matrix);
        (0..columns.len())
            .map(|j| {
                let minor = minors.get(&without(columns, j));
                if j % 2 == 0 { minor } else { -minor }
            })
            .collect()
    }
}

/// Calls `visit` with the k-element subsets of 0..n in lexicographic order, at most `limit` of them.
pub fn subsets(n: usize, k: usize, limit: usize, mut visit: impl FnMut(&[usize])) {
    if k > n {
        return;
    }
    let mut set: Vec<usize> = (0..k).collect();
    for _ in 0..limit {
        visit(&set);
        let Some(i) = (0..k).rev().find(|&i| set[i] < n - k + i) else {
            return;
        };
        set[i] += 1;
        for j in i + 1..k {
            set[j] = set[j - 1] + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(rows: &[&[i64]]) -> Matrix {
        Matrix::new(rows.len(), rows[0].len(), |i, j| rows[i][j].into())
    }

    #[test]
    fn determinant_and_adjugate_of_numbers() {
        let a = numbers(&[&[2, 0, 1], &[1, 3, -1], &[0, 5, 4]]);
        assert_eq!(Minors::determinant(&a), Expr::from(39));
        assert_eq!(
            &a * &Minors::adjugate(&a),
            Matrix::diagonal(&[39, 39, 39].map(Expr::from))
        );
        assert!(Minors::determinant(&Matrix::zeros(0, 0)).is_one());
    }

    #[test]
    fn cross_product_is_orthogonal() {
        let a = numbers(&[&[1, 2, 3], &[4, 5, 6]]);
        let v = Minors::cross_product(&a, &[0, 1, 2]);
        assert_eq!(v, [-3, 6, -3].map(Expr::from));
        assert!(a.apply(&v).iter().all(Expr::is_zero));
    }

    #[test]
    fn subsets_are_complete() {
        let mut all = Vec::new();
        subsets(4, 2, 100, |s| all.push(s.to_vec()));
        assert_eq!(all.len(), 6);
        assert_eq!(all[5], [2, 3]);
        let mut empty = 0;
        subsets(3, 0, 100, |_| empty += 1);
        assert_eq!(empty, 1);
    }
}
