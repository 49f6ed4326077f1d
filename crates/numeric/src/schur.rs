//! The real Schur form A = U T Uᵀ, by Francis' double shifts.

use crate::complex::Complex;
use crate::dense::Dense;
use crate::error::NotFinite;

/// After so many sweeps for one eigenvalue the iteration is given up.
const MOST_SWEEPS: usize = 150;
/// After so many what is negligible beside the whole matrix counts as nothing, and after each such number of sweeps four times
/// as much: eigenvalues that meet are known no better.
const PATIENCE: usize = 30;
/// Each time after so many sweeps without success a shift from outside breaks the cycle.
const CYCLE: usize = 10;

/// A = U T Uᵀ with orthogonal U and T upper triangular but for 2×2 blocks on the diagonal, one for each pair of
/// complex eigenvalues.
///
/// ```
/// use rattleback_numeric::{Dense, Schur};
/// let rotation = Dense::of_rows(2, 2, &[0.0, -1.0, 1.0, 0.0]);
/// let schur = Schur::of(&rotation)?;
/// assert_eq!(schur.values()[0].im.abs(), 1.0);
/// # Ok::<(), rattleback_numeric::SchurError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Schur {
    /// T.
    pub t: Dense,
    /// U.
    pub u: Dense,
}

/// Why there is no Schur form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SchurError {
    /// An entry is not finite.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
    /// The iteration did not split the matrix.
    #[error("the iteration for eigenvalue {0} did not converge")]
    NotConverged(usize),
}

impl Schur {
    /// The Schur form of a square matrix.
    pub fn of(matrix: &Dense) -> Result<Schur, SchurError> {
        matrix.check()?;
        let mut schur = Schur {
            u: Dense::identity(matrix.rows()),
            t: matrix.clone(),
        };
        schur.reduce();
        schur.iterate()?;
        Ok(schur)
    }

    /// The eigenvalues in the order of the diagonal; of a pair the one with positive imaginary part first.
    pub fn values(&self) -> Vec<Complex> {
        let mut values = Vec::with_capacity(self.t.rows());
        for (from, size) in self.blocks() {
            match size {
                1 => values.push(Complex::new(self.t[(from, from)], 0.0)),
                _ => {
                    let pair = self.pair(from);
                    values.extend([pair, pair.conjugate()]);
                }
            }
        }
        values
    }

    /// Where each diagonal block begins, and its size.
    pub(crate) fn blocks(&self) -> Vec<(usize, usize)> {
        let n = self.t.rows();
        let (mut blocks, mut k) = (Vec::new(), 0);
        while k < n {
            let size = if k + 1 < n && self.t[(k + 1, k)] != 0.0 {
                2
            } else {
                1
            };
            blocks.push((k, size));
            k += size;
        }
        blocks
    }

    /// The eigenvalue with positive imaginary part of the 2×2 block at k.
    fn pair(&self, k: usize) -> Complex {
        let [a, b, c, d] = self.block(k);
        let half = (a - d) / 2.0;
        Complex::new(d + half, (-(half * half + b * c)).max(0.0).sqrt())
    }

    fn block(&self, k: usize) -> [f64; 4] {
        let t = &self.t;
        [t[(k, k)], t[(k, k + 1)], t[(k + 1, k)], t[(k + 1, k + 1)]]
    }

    /// Reflections that leave nothing below the first subdiagonal.
    fn reduce(&mut self) {
        let n = self.t.rows();
        for k in 0..n.saturating_sub(2) {
            let column: Vec<f64> = (k + 1..n).map(|i| self.t[(i, k)]).collect();
            self.reflect(&column, k + 1, 0..n, 0..n);
            (k + 2..n).for_each(|i| self.t[(i, k)] = 0.0);
        }
    }

    /// T ← P T P and U ← U P with the reflection P that turns v, which stands at rows `at`…, into a multiple of the first
    /// unit vector. Only these columns of T are touched from the left, and these rows from the right.
    fn reflect(
        &mut self,
        v: &[f64],
        at: usize,
        columns: std::ops::Range<usize>,
        rows: std::ops::Range<usize>,
    ) {
        let largest = crate::largest_entry(v);
        if largest == 0.0 || v[1..].iter().all(|x| *x == 0.0) {
            return;
        }
        let mut w: Vec<f64> = v.iter().map(|x| x / largest).collect();
        let length = w.iter().map(|x| x * x).sum::<f64>().sqrt();
        w[0] += length.copysign(w[0]);
        let factor = 2.0 / w.iter().map(|x| x * x).sum::<f64>();
        for j in columns {
            let inner: f64 = (w.iter().enumerate())
                .map(|(k, w)| w * self.t[(at + k, j)])
                .sum();
            (w.iter().enumerate()).for_each(|(k, w)| self.t[(at + k, j)] -= factor * inner * w);
        }
        for i in rows {
            let inner: f64 = (w.iter().enumerate())
                .map(|(k, w)| w * self.t[(i, at + k)])
                .sum();
            (w.iter().enumerate()).for_each(|(k, w)| self.t[(i, at + k)] -= factor * inner * w);
        }
        for i in 0..self.u.rows() {
            let inner: f64 = (w.iter().enumerate())
                .map(|(k, w)| w * self.u[(i, at + k)])
                .sum();
            (w.iter().enumerate()).for_each(|(k, w)| self.u[(i, at + k)] -= factor * inner * w);
        }
    }

    /// Splits off eigenvalues at the lower end, one or two at a time.
    fn iterate(&mut self) -> Result<(), SchurError> {
        let norm = self.t.largest();
        let (mut end, mut sweeps) = (self.t.rows(), 0);
        while end > 0 {
            let patience = sweeps / PATIENCE;
            let beside_all = (patience > 0).then(|| 4f64.powi(patience as i32 - 1));
            let start = self.split(end, norm, beside_all);
            match end - start {
                1 => (end, sweeps) = (start, 0),
                2 => {
                    self.standardise(start);
                    (end, sweeps) = (start, 0);
                }
                _ if sweeps == MOST_SWEEPS => return Err(SchurError::NotConverged(end - 1)),
                _ => {
                    sweeps += 1;
                    self.sweep(start, end, sweeps % CYCLE == 0);
                }
            }
        }
        Ok(())
    }

    /// Where the last unreduced part before `end` begins; what is negligible before it becomes 0.
    fn split(&mut self, end: usize, norm: f64, beside_all: Option<f64>) -> usize {
        for k in (1..end).rev() {
            let beside = self.t[(k - 1, k - 1)].abs() + self.t[(k, k)].abs();
            let size = match beside_all {
                Some(times) => times * norm,
                None if beside > 0.0 => beside,
                None => norm,
            };
            if self.t[(k, k - 1)].abs() <= f64::EPSILON * size {
                self.t[(k, k - 1)] = 0.0;
                return k;
            }
        }
        0
    }

    /// One double-shift sweep over rows start..end: the first column of (T − σ₁)(T − σ₂) is reflected away, and the bulge
    /// chased out (Golub & Van Loan, 7.5).
    fn sweep(&mut self, start: usize, end: usize, exceptional: bool) {
        let n = self.t.rows();
        let [a, b, c, d] = self.block(end - 2);
        let half = (a - d) / 2.0;
        let discriminant = half * half + b * c;
        // σ = re ± i im, with the square of im.
        let (re, im) = if exceptional {
            // A pair beside the last entry (Wilkinson's 3/4 and 7/16).
            let size = c.abs() + self.t[(end - 2, end - 3)].abs();
            (d + 0.75 * size, 0.4375 * size * size)
        } else if discriminant < 0.0 {
            (d + half, -discriminant)
        } else {
            // Of two real ones the one next to the last entry, twice: between both the iteration may stand still.
            let root = (half.abs() + discriminant.sqrt()).copysign(half);
            let beside = if root == 0.0 { 0.0 } else { b * c / root };
            (d - beside, 0.0)
        };
        // In differences, for shifts that are next to the first entries too.
        let [a, b, c, d] = self.block(start);
        let mut v = [
            (a - re) * (a - re) + im + b * c,
            c * ((a - re) + (d - re)),
            c * self.t[(start + 2, start + 1)],
        ];
        for k in start..end - 1 {
            let size = (end - k).min(3);
            let columns = k.saturating_sub(1).max(start)..n;
            self.reflect(&v[..size], k, columns, 0..(k + 4).min(end));
            if k > start {
                (1..size).for_each(|i| self.t[(k + i, k - 1)] = 0.0);
            }
            if k + 2 < end {
                v[0] = self.t[(k + 1, k)];
                v[1] = self.t[(k + 2, k)];
                v[2] = if k + 3 < end { self.t[(k + 3, k)] } else { 0.0 };
            }
        }
    }

    /// Makes a 2×2 block with real eigenvalues triangular.
    fn standardise(&mut self, k: usize) {
        let [a, b, c, d] = self.block(k);
        let half = (a - d) / 2.0;
        let discriminant = half * half + b * c;
        if discriminant < 0.0 {
            return;
        }
        // (λ − d, c) is the eigenvector of λ = d + z.
        let z = half + discriminant.sqrt().copysign(half);
        let length = z.hypot(c);
        if length == 0.0 {
            self.t[(k + 1, k)] = 0.0;
            return;
        }
        let (cos, sin) = (z / length, c / length);
        let turn = |x: &mut f64, y: &mut f64| (*x, *y) = (cos * *x + sin * *y, cos * *y - sin * *x);
        let n = self.t.rows();
        for j in k..n {
            let (mut x, mut y) = (self.t[(k, j)], self.t[(k + 1, j)]);
            turn(&mut x, &mut y);
            (self.t[(k, j)], self.t[(k + 1, j)]) = (x, y);
        }
        for i in 0..k + 2 {
            let (mut x, mut y) = (self.t[(i, k)], self.t[(i, k + 1)]);
            turn(&mut x, &mut y);
            (self.t[(i, k)], self.t[(i, k + 1)]) = (x, y);
        }
        for i in 0..n {
            let (mut x, mut y) = (self.u[(i, k)], self.u[(i, k + 1)]);
            turn(&mut x, &mut y);
            (self.u[(i, k)], self.u[(i, k + 1)]) = (x, y);
        }
        self.t[(k + 1, k)] = 0.0;
    }
}
