//! Dense matrices of expressions.

use crate::{Expr, Symbol, substitute_all};
use std::ops::{Add, Index, IndexMut, Mul, Sub};

/// A dense matrix, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    rows: usize,
    cols: usize,
    entries: Vec<Expr>,
}

impl Matrix {
    /// The matrix with entries `f(row, column)`.
    pub fn new(rows: usize, cols: usize, mut f: impl FnMut(usize, usize) -> Expr) -> Self {
        let entries = (0..rows)
            .flat_map(|i| (0..cols).map(move |j| (i, j)))
            .map(|(i, j)| f(i, j))
            .collect();
        Self {
            rows,
            cols,
            entries,
        }
    }

    /// All zeros.
    pub fn zeros(rows: usize, cols: usize) -> Self {
        let zero = Expr::zero();
        Self {
            rows,
            cols,
            entries: vec![zero; rows * cols],
        }
    }

    /// The identity.
    pub fn identity(n: usize) -> Self {
        Self::new(n, n, |i, j| i64::from(i == j).into())
    }

    /// A diagonal matrix.
    pub fn diagonal(entries: &[Expr]) -> Self {
        let n = entries.len();
        Self::new(n, n, |i, j| {
            if i == j {
                entries[i].clone()
            } else {
                Expr::zero()
            }
        })
    }

    /// A matrix from equally long rows.
    pub fn from_rows(rows: &[Vec<Expr>]) -> Self {
        let cols = rows.first().map_or(0, Vec::len);
        Self::new(rows.len(), cols, |i, j| rows[i][j].clone())
    }

    /// One column.
    pub fn column_vector(entries: &[Expr]) -> Self {
        Self::new(entries.len(), 1, |i, _| entries[i].clone())
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }
    /// The number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }
    /// All entries, row by row.
    pub fn entries(&self) -> &[Expr] {
        &self.entries
    }
    /// All entries, row by row, to be changed.
    pub fn entries_mut(&mut self) -> &mut [Expr] {
        &mut self.entries
    }
    /// One row.
    pub fn row(&self, i: usize) -> &[Expr] {
        &self.entries[i * self.cols..(i + 1) * self.cols]
    }
    /// One column.
    pub fn column(&self, j: usize) -> Vec<Expr> {
        (0..self.rows).map(|i| self[(i, j)].clone()).collect()
    }
    /// The entries through a function.
    pub fn map(&self, f: impl FnMut(&Expr) -> Expr) -> Self {
        Self {
            rows: self.rows,
            cols: self.cols,
            entries: self.entries.iter().map(f).collect(),
        }
    }
    /// [`Expr::substitute`] in all entries, which may share subexpressions.
    pub fn substitute(&self, pairs: &[(Symbol, Expr)]) -> Self {
        Self {
            rows: self.rows,
            cols: self.cols,
            entries: substitute_all(&self.entries, pairs),
        }
    }
    /// Rows and columns exchanged.
    pub fn transpose(&self) -> Self {
        Self::new(self.cols, self.rows, |i, j| self[(j, i)].clone())
    }
    /// The product with a vector.
    pub fn apply(&self, v: &[Expr]) -> Vec<Expr> {
        debug_assert_eq!(self.cols, v.len());
        (0..self.rows).map(|i| dot(self.row(i), v)).collect()
    }
    /// Rows `r` and columns `c`, in that order.
    pub fn select(&self, r: &[usize], c: &[usize]) -> Self {
        Self::new(r.len(), c.len(), |i, j| self[(r[i], c[j])].clone())
    }
    /// `[[self, right], [below, corner]]`.
    pub fn bordered(&self, right: &Matrix, below: &Matrix, corner: &Matrix) -> Self {
        let (m, n) = (self.rows, self.cols);
        Self::new(m + below.rows, n + right.cols, |i, j| {
            match (i < m, j < n) {
                (true, true) => self[(i, j)].clone(),
                (true, false) => right[(i, j - n)].clone(),
                (false, true) => below[(i - m, j)].clone(),
                (false, false) => corner[(i - m, j - n)].clone(),
            }
        })
    }
}

/// `Σ a_i b_i`.
pub fn dot(a: &[Expr], b: &[Expr]) -> Expr {
    Expr::sum(
        a.iter()
            .zip(b)
            .filter(|(x, y)| !x.is_zero() && !y.is_zero())
            .map(|(x, y)| x * y),
    )
}

impl Index<(usize, usize)> for Matrix {
    type Output = Expr;
    fn index(&self, (i, j): (usize, usize)) -> &Expr {
        &self.entries[i * self.cols + j]
    }
}
impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut Expr {
        &mut self.entries[i * self.cols + j]
    }
}
impl Mul for &Matrix {
    type Output = Matrix;
    fn mul(self, o: &Matrix) -> Matrix {
        let columns: Vec<_> = (0..o.cols).map(|j| o.column(j)).collect();
        Matrix::new(self.rows, o.cols, |i, j| dot(self.row(i), &columns[j]))
    }
}
impl Mul<&Expr> for &Matrix {
    type Output = Matrix;
    fn mul(self, s: &Expr) -> Matrix {
        self.map(|e| e * s)
    }
}
impl Add for &Matrix {
    type Output = Matrix;
    fn add(self, o: &Matrix) -> Matrix {
        Matrix::new(self.rows, self.cols, |i, j| &self[(i, j)] + &o[(i, j)])
    }
}
impl Sub for &Matrix {
    type Output = Matrix;
    fn sub(self, o: &Matrix) -> Matrix {
        Matrix::new(self.rows, self.cols, |i, j| &self[(i, j)] - &o[(i, j)])
    }
}
