//! Dense elimination with partial pivoting, real or complex, in memory that is kept.

use std::ops::{Add, Div, Mul, Sub};

use crate::complex::Complex;
use crate::error::SingularMatrix;
use crate::few::sized;

/// The numbers elimination works with.
pub trait Scalar:
    Copy + Default + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// A cheap norm, for the choice of pivots.
    fn magnitude(self) -> f64;
    /// One.
    fn one() -> Self;
}

impl Scalar for f64 {
    fn magnitude(self) -> f64 {
        self.abs()
    }
    fn one() -> Self {
        1.0
    }
}

impl Scalar for Complex {
    fn magnitude(self) -> f64 {
        self.re.abs() + self.im.abs()
    }
    fn one() -> Self {
        Complex::new(1.0, 0.0)
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
    /// By columns: U on and above the diagonal, the multipliers of L below it. A solution goes through columns, whose entries
    /// do not wait for each other.
    entries: Vec<S>,
    /// The row that was swapped with row k in step k.
    swaps: Vec<usize>,
    /// One over the pivots, for solutions that wait for one product after another, not for quotients.
    inverses: Vec<S>,
}

impl<S: Scalar> Lu<S> {
    /// Memory for n×n matrices.
    pub fn new(size: usize) -> Self {
        Lu {
            size,
            entries: vec![S::default(); size * size],
            swaps: vec![0; size],
            inverses: vec![S::default(); size],
        }
    }

    /// Factors the matrix with the given entries.
    #[inline]
    pub fn factor(&mut self, entry: impl Fn(usize, usize) -> S) -> Result<(), SingularMatrix> {
        let (n, entries) = (self.size, &mut self.entries[..]);
        for (j, column) in entries.chunks_exact_mut(n.max(1)).enumerate() {
            for (i, own) in column.iter_mut().enumerate() {
                *own = entry(i, j);
            }
        }
        sized!(n => eliminate_all(n, entries, &mut self.swaps, &mut self.inverses))
    }

    /// The k-th entry on the diagonal of U.
    pub fn pivot(&self, k: usize) -> S {
        self.entries[k * self.size + k]
    }

    /// Does P change the sign of the determinant?
    pub fn swaps_sign(&self) -> bool {
        let swaps = self.swaps.iter().enumerate();
        swaps.fold(false, |odd, (k, row)| odd ^ (k != *row))
    }

    /// Replaces b by the solution x of M x = b.
    #[inline]
    pub fn solve(&self, b: &mut [S]) {
        let (n, entries) = (self.size, &self.entries[..]);
        sized!(n => substitute(n, entries, &self.swaps, b, |k, x| x / entries[k * n + k]));
    }

    /// The same by the inverses of pivots, up to roundings that the corrections of an iteration do not mind.
    #[inline]
    pub fn solve_by_inverses(&self, b: &mut [S]) {
        let (n, inverses) = (self.size, &self.inverses[..]);
        sized!(n => substitute(n, &self.entries, &self.swaps, b, |k, x| x * inverses[k]));
    }
}

/// All steps of the elimination of n columns.
#[inline(always)]
fn eliminate_all<S: Scalar>(
    n: usize,
    entries: &mut [S],
    swaps: &mut [usize],
    inverses: &mut [S],
) -> Result<(), SingularMatrix> {
    let (entries, swaps, inverses) = (&mut entries[..n * n], &mut swaps[..n], &mut inverses[..n]);
    for k in 0..n {
        (swaps[k], inverses[k]) = eliminate(n, entries, k)?;
    }
    Ok(())
}

/// Brings the largest entry of column k at or below the diagonal onto the diagonal, and clears the column below it. Gives
/// the row that it came from, and one over it.
#[inline(always)]
fn eliminate<S: Scalar>(
    n: usize,
    entries: &mut [S],
    k: usize,
) -> Result<(usize, S), SingularMatrix> {
    let singular = SingularMatrix { pivot: k };
    let row = pivot_row(&entries[k * n..][..n], k).ok_or(singular)?;
    if row != k {
        let columns = entries.chunks_exact_mut(n);
        columns.for_each(|column| column.swap(k, row));
    }
    let (left, right) = entries.split_at_mut((k + 1) * n);
    let [pivot, multipliers @ ..] = &mut left[k * n + k..] else {
        return Err(singular);
    };
    let inverse = S::one() / *pivot;
    for multiplier in multipliers.iter_mut() {
        *multiplier = *multiplier / *pivot;
    }
    for column in right.chunks_exact_mut(n) {
        let (above, below) = column.split_at_mut(k + 1);
        subtract(below, above[k], multipliers);
    }
    Ok((row, inverse))
}

/// b ← U⁻¹ L⁻¹ P b, where `divided` is a number over the k-th pivot.
#[inline(always)]
fn substitute<S: Scalar>(
    n: usize,
    entries: &[S],
    swaps: &[usize],
    b: &mut [S],
    divided: impl Fn(usize, S) -> S,
) {
    let (entries, b) = (&entries[..n * n], &mut b[..n]);
    for (k, &row) in swaps[..n].iter().enumerate() {
        b.swap(k, row);
    }
    let column = |k: usize| &entries[k * n..][..n];
    for k in 0..n {
        let (known, below) = b.split_at_mut(k + 1);
        subtract(below, known[k], &column(k)[k + 1..]);
    }
    for k in (0..n).rev() {
        let (above, known) = b.split_at_mut(k);
        known[0] = divided(k, known[0]);
        subtract(above, known[0], &column(k)[..k]);
    }
}

/// The row of the largest entry of a column from row k on; none where there is none but zeros, or one that is no number.
#[inline]
fn pivot_row<S: Scalar>(column: &[S], k: usize) -> Option<usize> {
    let (mut row, mut largest) = (k, column[k].magnitude());
    for (i, entry) in column.iter().enumerate().skip(k + 1) {
        let magnitude = entry.magnitude();
        if magnitude > largest {
            (row, largest) = (i, magnitude);
        }
    }
    // Also catches NaN, which compares as neither.
    (largest > 0.0 && largest.is_finite()).then_some(row)
}

/// y ← y − a x.
#[inline]
fn subtract<S: Scalar>(y: &mut [S], a: S, x: &[S]) {
    for (y, &x) in y.iter_mut().zip(x) {
        *y = *y - a * x;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn inner<S: Scalar>(a: &[S], b: &[S]) -> S {
        let products = a.iter().zip(b).map(|(&x, &y)| x * y);
        products.fold(S::default(), |sum, product| sum + product)
    }

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
