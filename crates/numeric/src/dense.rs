//! Dense matrices with their products, for formulas that are worked out once.

use crate::error::{NotFinite, SingularMatrix};
use crate::lu::Lu;
use std::ops::{Add, Index, IndexMut, Mul, Sub};

/// A matrix by rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    rows: usize,
    columns: usize,
    entries: Vec<f64>,
}

impl Dense {
    /// The matrix with these entries.
    pub fn new(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let places = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
        Dense {
            rows,
            columns,
            entries: places.map(|(i, j)| entry(i, j)).collect(),
        }
    }

    /// From entries row by row; those that are missing are 0.
    pub fn of_rows(rows: usize, columns: usize, entries: &[f64]) -> Self {
        Dense::new(rows, columns, |i, j| {
            entries.get(i * columns + j).copied().unwrap_or(0.0)
        })
    }

    /// Zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Dense::new(rows, columns, |_, _| 0.0)
    }

    /// 1.
    pub fn identity(n: usize) -> Self {
        Dense::new(n, n, |i, j| if i == j { 1.0 } else { 0.0 })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The entries, row by row.
    pub fn entries(&self) -> &[f64] {
        &self.entries
    }

    /// Aᵀ.
    #[must_use]
    pub fn transposed(&self) -> Self {
        Dense::new(self.columns, self.rows, |i, j| self[(j, i)])
    }

    /// factor·A.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        Dense::new(self.rows, self.columns, |i, j| factor * self[(i, j)])
    }

    /// (A + Aᵀ)/2.
    #[must_use]
    pub fn symmetrised(&self) -> Self {
        Dense::new(self.rows, self.columns, |i, j| {
            (self[(i, j)] + self[(j, i)]) / 2.0
        })
    }

    /// The part from (row, column) on of this size.
    #[must_use]
    pub fn part(&self, (row, column): (usize, usize), rows: usize, columns: usize) -> Self {
        Dense::new(rows, columns, |i, j| self[(row + i, column + j)])
    }

    /// [A B].
    #[must_use]
    pub fn beside(&self, other: &Dense) -> Self {
        Dense::new(self.rows, self.columns + other.columns, |i, j| {
            match j < self.columns {
                true => self[(i, j)],
                false => other[(i, j - self.columns)],
            }
        })
    }

    /// The root of the sum of squares.
    pub fn norm(&self) -> f64 {
        let largest = self.largest();
        if largest == 0.0 || !largest.is_finite() {
            return largest;
        }
        let squares = self.entries.iter().map(|a| (a / largest).powi(2));
        largest * squares.sum::<f64>().sqrt()
    }

    /// The largest sum of magnitudes of a column: ‖A‖₁.
    pub fn column_norm(&self) -> f64 {
        let sum = |j| (0..self.rows).map(|i| self[(i, j)].abs()).sum::<f64>();
        (0..self.columns).map(sum).fold(0.0, f64::max)
    }

    /// The largest magnitude of an entry; what is not a number counts as infinite.
    pub fn largest(&self) -> f64 {
        crate::largest_entry(&self.entries)
    }

    /// Refuses entries that are not finite.
    pub fn check(&self) -> Result<(), NotFinite> {
        match self.entries.iter().position(|a| !a.is_finite()) {
            Some(entry) => Err(NotFinite { entry }),
            None => Ok(()),
        }
    }

    /// X with A X = B.
    pub fn solve(&self, b: &Dense) -> Result<Dense, SingularMatrix> {
        let mut factors = Lu::new(self.rows);
        factors.factor(|i, j| self[(i, j)])?;
        let mut columns = b.transposed();
        for column in columns.entries.chunks_exact_mut(self.rows.max(1)) {
            factors.solve(column);
        }
        Ok(columns.transposed())
    }
}

impl Index<(usize, usize)> for Dense {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.entries[i * self.columns + j]
    }
}

impl IndexMut<(usize, usize)> for Dense {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.entries[i * self.columns + j]
    }
}

impl Mul for &Dense {
    type Output = Dense;
    fn mul(self, other: &Dense) -> Dense {
        let mut product = Dense::zeros(self.rows, other.columns);
        for i in 0..self.rows {
            for k in 0..self.columns {
                let factor = self[(i, k)];
                for j in 0..other.columns {
                    product[(i, j)] += factor * other[(k, j)];
                }
            }
        }
        product
    }
}

impl Add for &Dense {
    type Output = Dense;
    fn add(self, other: &Dense) -> Dense {
        Dense::new(self.rows, self.columns, |i, j| self[(i, j)] + other[(i, j)])
    }
}

impl Sub for &Dense {
    type Output = Dense;
    fn sub(self, other: &Dense) -> Dense {
        Dense::new(self.rows, self.columns, |i, j| self[(i, j)] - other[(i, j)])
    }
}
