//! Dense elimination with partial pivoting, real or complex, in memory that is kept.

use std::ops::{Add, Div, Mul, Sub};

use crate::complex::Complex;
use crate::error::SingularMatrix;

/// The numbers elimination works with.
pub trait Scalar:
    Copy + Default + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// A cheap norm, for the choice of pivots.
    fn magnitude(self) -> f64;
}

impl Scalar for f64 {
    fn magnitude(self) -> f64 {
        self.abs()
    }
}

impl Scalar for Complex {
    fn magnitude(self) -> f64 {
        self.re.abs() + self.im.abs()
    }
}

/// P·M = L·U of a square matrix; factors as often as wished in the same memory.
///
/// ```
/// use rattleback_numeric::Lu;
/// let mut lu = Lu::new(2);
/// lu.factor(|i, j| [[0.0, 2.0], [4.0, 1.0]][i][j]).unwrap();
/// let mut x = [2.0, 9.0];
/// lu.solve(&mut x);
/// assert_eq!(x, [2.0, 1.0]);
/// ```
#[derive(Clone, Debug)]
pub struct Lu<S> {
    size: usize,
    /// U on and above the diagonal, the multipliers of L below it.
    entries: Vec<S>,
    /// The row that was swapped with row k in step k.
    swaps: Vec<usize>,
}

impl<S: Scalar> Lu<S> {
    /// Memory for n×n matrices.
    pub fn new(size: usize) -> Self {
        Lu {
            size,
            entries: vec![S::default(); size * size],
            swaps: vec![0; size],
        }
    }

    /// Factors the matrix with the given entries.
    pub fn factor(&mut self, entry: impl Fn(usize, usize) -> S) -> Result<(), SingularMatrix> {
        let n = self.size;
        for i in 0..n {
            for j in 0..n {
                self.entries[i * n + j] = entry(i, j);
            }
        }
        for k in 0..n {
            self.swap_pivot_up(k)?;
            self.eliminate_below(k);
        }
        Ok(())
    }

    /// Brings the largest entry of column k at or below the diagonal onto the diagonal.
    fn swap_pivot_up(&mut self, k: usize) -> Result<(), SingularMatrix> {
        let n = self.size;
        let (mut row, mut largest) = (k, self.entries[k * n + k].magnitude());
        for i in k + 1..n {
            let magnitude = self.entries[i * n + k].magnitude();
            if magnitude > largest {
                (row, largest) = (i, magnitude);
            }
        }
        // Also catches NaN, which compares as neither.
        if !(largest > 0.0 && largest.is_finite()) {
            return Err(SingularMatrix { pivot: k });
        }
        self.swaps[k] = row;
        if row != k {
            let (upper, lower) = self.entries.split_at_mut(row * n);
            upper[k * n..(k + 1) * n].swap_with_slice(&mut lower[..n]);
        }
        Ok(())
    }

    fn eliminate_below(&mut self, k: usize) {
        let n = self.size;
        let (upper, lower) = self.entries.split_at_mut((k + 1) * n);
        let pivot_row = &upper[k * n..];
        for row in lower.chunks_exact_mut(n) {
            let multiplier = row[k] / pivot_row[k];
            row[k] = multiplier;
            for (entry, &above) in row[k + 1..].iter_mut().zip(&pivot_row[k + 1..]) {
                *entry = *entry - multiplier * above;
            }
        }
    }

    /// The k-th entry on the diagonal of U.
    pub fn pivot(&self, k: usize) -> S {
        self.entries[k * self.size + k]
    }

    /// Does P change the sign of the determinant?
    pub fn swaps_sign(&self) -> bool {
        let swaps = self.swaps.iter().enumerate();
        swaps.filter(|(k, row)| k != *row).count() % 2 == 1
    }

    /// Replaces b by the solution x of M x = b.
    pub fn solve(&self, b: &mut [S]) {
        let n = self.size;
        for (k, &row) in self.swaps.iter().enumerate() {
            b.swap(k, row);
        }
        for i in 0..n {
            b[i] = b[i] - inner(&self.entries[i * n..i * n + i], &b[..i]);
        }
        for i in (0..n).rev() {
            let row = &self.entries[i * n..(i + 1) * n];
            b[i] = (b[i] - inner(&row[i + 1..], &b[i + 1..n])) / row[i];
        }
    }
}

/// The determinant of a row-major n×n matrix, by its formula up to 2×2 and by elimination with partial pivoting from
/// there on; the matrix may be overwritten.
///
/// ```
/// use rattleback_numeric::determinant;
/// assert_eq!(determinant(&mut [0.0, 1.0, 1.0, 0.0], 2), -1.0);
/// ```
pub fn determinant(matrix: &mut [f64], n: usize) -> f64 {
    match *matrix {
        [a] if n == 1 => return a,
        [a, b, c, d] if n == 2 => return a * d - b * c,
        _ => {}
    }
    let mut product = 1.0;
    for k in 0..n {
        let size = |i: &usize| matrix[i * n + k].abs();
        let Some(row) = (k..n).max_by(|i, j| size(i).total_cmp(&size(j))) else {
            break;
        };
        if row != k {
            (k..n).for_each(|j| matrix.swap(k * n + j, row * n + j));
            product = -product;
        }
        let pivot = matrix[k * n + k];
        product *= pivot;
        if pivot == 0.0 {
            break;
        }
        for i in k + 1..n {
            let factor = matrix[i * n + k] / pivot;
            (k..n).for_each(|j| matrix[i * n + j] -= factor * matrix[k * n + j]);
        }
    }
    product
}

fn inner<S: Scalar>(a: &[S], b: &[S]) -> S {
    let products = a.iter().zip(b).map(|(&x, &y)| x * y);
    products.fold(S::default(), |sum, product| sum + product)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A full matrix without structure, from a linear congruence.
    fn noise(n: usize) -> Vec<f64> {
        let mut seed = 12345_u64;
        let mut next = || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        (0..n * n).map(|_| next()).collect()
    }

    #[test]
    fn solves_real_systems() {
        let n = 23;
        let m = noise(n);
        let x: Vec<f64> = (0..n).map(|i| 1.0 + i as f64).collect();
        let mut b: Vec<f64> = m.chunks_exact(n).map(|row| inner(row, &x)).collect();
        let mut lu = Lu::new(n);
        lu.factor(|i, j| m[i * n + j]).unwrap();
        lu.solve(&mut b);
        for (found, sought) in b.iter().zip(&x) {
            assert!((found - sought).abs() < 1e-11 * sought);
        }
    }

    #[test]
    fn solves_complex_systems_and_factors_again() {
        let n = 11;
        let m = noise(n);
        let mut lu = Lu::new(n);
        for shift in [Complex::new(0.0, 0.3), Complex::new(-2.0, 1.0)] {
            let entry = |i: usize, j: usize| {
                let diagonal = if i == j { shift } else { Complex::default() };
                Complex::new(m[i * n + j], m[j * n + i]) + diagonal
            };
            let x: Vec<Complex> = (0..n).map(|i| Complex::new(i as f64, 1.0)).collect();
            let mut b: Vec<Complex> = (0..n)
                .map(|i| inner(&(0..n).map(|j| entry(i, j)).collect::<Vec<_>>(), &x))
                .collect();
            lu.factor(entry).unwrap();
            lu.solve(&mut b);
            for (found, &sought) in b.iter().zip(&x) {
                assert!((*found - sought).magnitude() < 1e-11);
            }
        }
    }

    #[test]
    fn refuses_singular_matrices() {
        let mut lu = Lu::new(2);
        assert_eq!(lu.factor(|i, _| i as f64), Err(SingularMatrix { pivot: 1 }));
        assert_eq!(lu.factor(|_, _| f64::NAN), Err(SingularMatrix { pivot: 0 }));
    }

    #[test]
    fn determinants_have_signs() {
        assert_eq!(determinant(&mut [0.0, 1.0, 1.0, 0.0], 2), -1.0);
        assert!(
            (determinant(&mut [2.0, 1.0, 0.0, 1.0, 3.0, 1.0, 0.0, 1.0, 2.0], 3) - 8.0).abs()
                < 1e-12
        );
        assert_eq!(determinant(&mut [1.0, 2.0, 2.0, 4.0], 2), 0.0);
    }
}
