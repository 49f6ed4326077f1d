//! The factors of ∂r/∂u with its volume.

use rattleback_numeric::tolerance::VANISHING_PIVOT;
use rattleback_numeric::{Lu, SingularMatrix};

/// Two matrices are near if det X of their quotient X changes by no more than this part, up or down,
pub(super) const NEAR: f64 = 1.0;
/// and |tr X − n| up to this: nothing has turned over between them. Both are the same in all units.
const NEAR_IN_TRACE: f64 = 0.7;
/// Products of this size are numbers with all their digits; others are kept as so many of these factors beside one.
const PLAIN: std::ops::Range<f64> = 1e-200..1e200;
const LARGE: f64 = 1e200;

/// P D J = L U, where D scales rows to their largest entries, or to those of a matrix before it.
#[derive(Clone, Debug)]
pub(super) struct Factors {
    lu: Lu<f64>,
    /// What each row is divided by, one over it, and the largest entries of columns then: units of the unknowns scale
    /// columns, which changes no pivot, only its size.
    sizes: Vec<f64>,
    rows: Vec<f64>,
    columns: Vec<f64>,
    volume: Volume,
    column: Vec<f64>,
    solved: Vec<f64>,
}

/// det J, which may be beyond floating-point numbers: product · LARGE^power.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Volume {
    product: f64,
    power: i32,
}

impl Volume {
    pub const ONE: Self = Self {
        product: 1.0,
        power: 0,
    };

    fn times(self, factor: f64) -> Self {
        let product = self.product * factor;
        match PLAIN.contains(&product.abs()) {
            true => Self { product, ..self },
            false => self.renewed(factor),
        }
    }

    /// The product with a factor of [`LARGE`] more or less beside it; not a number where there is none.
    #[cold]
    fn renewed(self, factor: f64) -> Self {
        let (small, large) = match self.product.abs() < factor.abs() {
            true => (self.product, factor),
            false => (factor, self.product),
        };
        if small == 0.0 || !large.is_finite() {
            return Self {
                product: f64::NAN,
                ..self
            };
        }
        let (product, factor, step) = match (small * large).abs() < 1.0 {
            true => (small * LARGE, large, -1),
            false => (small, large / LARGE, 1),
        };
        let power = self.power + step;
        Self { product, power }.times(factor)
    }

    /// Of a matrix without a factor in so many of its rows.
    pub fn without(self, factor: f64, rows: usize) -> Self {
        (0..rows).fold(self, |volume, _| volume.times(1.0 / factor.abs()))
    }

    /// By how much more than 1 times one volume is the other; infinite where their signs differ.
    pub fn change(self, other: Self) -> f64 {
        let (mut a, b) = (self.product.abs(), other.product.abs());
        match self.power - other.power {
            0 => {}
            1 => a *= LARGE,
            -1 => a /= LARGE,
            _ => return f64::INFINITY,
        }
        let change = if a > b { a / b } else { b / a } - 1.0;
        match self.product * other.product.signum() > 0.0 && change.is_finite() {
            true => change,
            false => f64::INFINITY,
        }
    }

    /// Does a volume change so little that it cannot have vanished in between?
    pub fn is_near(self, other: Self) -> bool {
        self.change(other) <= NEAR
    }
}

impl Factors {
    pub fn new(size: usize) -> Self {
        Self {
            lu: Lu::new(size),
            sizes: vec![1.0; size],
            rows: vec![1.0; size],
            columns: vec![0.0; size],
            volume: Volume::ONE,
            column: vec![0.0; size],
            solved: vec![0.0; size],
        }
    }

    /// Factors a matrix of another step, in units of its own.
    pub fn factor(&mut self, matrix: &[f64]) -> Result<(), SingularMatrix> {
        let n = self.rows.len();
        self.columns.fill(0.0);
        let units = self.sizes.iter_mut().zip(&mut self.rows);
        for ((size, scale), row) in units.zip(matrix.chunks_exact(n.max(1))) {
            let largest = row.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            *size = if largest > 0.0 { largest } else { 1.0 };
            *scale = 1.0 / *size;
            for (m, x) in self.columns.iter_mut().zip(row) {
                *m = m.max((x * *scale).abs());
            }
        }
        self.refactor(matrix)
    }

    /// Factors a matrix next to the one before, in the same units.
    #[inline]
    pub fn refactor(&mut self, matrix: &[f64]) -> Result<(), SingularMatrix> {
        let (n, rows) = (self.rows.len(), &self.rows);
        self.lu.factor(|i, j| matrix[i * n + j] * rows[i])?;
        self.volume = Volume::ONE.times(if self.lu.swaps_sign() { -1.0 } else { 1.0 });
        for (k, (largest, size)) in self.columns.iter().zip(&self.sizes).enumerate() {
            let pivot = self.lu.pivot(k);
            if pivot.abs() <= VANISHING_PIVOT * largest {
                return Err(SingularMatrix { pivot: k });
            }
            self.volume = self.volume.times(pivot * size);
        }
        Ok(())
    }

    pub fn volume(&self) -> Volume {
        self.volume
    }

    /// Writes J⁻¹ b.
    #[inline]
    pub fn solve(&self, b: &[f64], solution: &mut [f64]) {
        for ((x, b), row) in solution.iter_mut().zip(b).zip(&self.rows) {
            *x = b * row;
        }
        self.lu.solve_by_inverses(solution);
    }

    /// The largest entry of a row of J.
    pub fn row_size(&self, i: usize) -> f64 {
        self.sizes[i]
    }

    /// Is X = J_other⁻¹ G⁻¹ J, where these are the factors of J and G is what rows should have grown by, so near to the
    /// identity that no direction has turned over?
    pub fn are_near(&mut self, matrix: &[f64], other: &Self, growth: &[f64]) -> bool {
        let n = self.rows.len();
        let volume = growth.iter().fold(self.volume, |v, g| v.without(*g, 1));
        let mut trace = 0.0;
        for k in 0..n {
            for (i, c) in self.column.iter_mut().enumerate() {
                *c = matrix[i * n + k] / growth[i];
            }
            other.solve(&self.column, &mut self.solved);
            trace += self.solved[k];
        }
        volume.is_near(other.volume) && (trace - n as f64).abs() <= NEAR_IN_TRACE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volumes_beyond_all_numbers_are_compared() {
        let of = |factor: f64, times: u32| (0..times).fold(Volume::ONE, |v, _| v.times(factor));
        for factor in [1e150, 1e-150, -3e100, 2e-90, 7.0] {
            let (volume, larger) = (of(factor, 11), of(factor, 11).times(1.5));
            assert!((larger.change(volume) - 0.5).abs() < 1e-12, "{factor}");
            assert!((volume.change(larger) - 0.5).abs() < 1e-12, "{factor}");
            assert!(larger.is_near(volume), "{factor}");
            assert!(!volume.times(2.1).is_near(volume), "{factor}");
            assert!(!volume.times(-1.0).is_near(volume), "{factor}");
            assert!(!of(factor, 12).is_near(volume), "{factor}");
        }
        let back = of(1e150, 6).without(1e150, 6);
        assert!(back.change(Volume::ONE) < 1e-12);
    }

    #[test]
    fn determinants_are_those_of_the_matrix() {
        let mut factors = Factors::new(2);
        factors.factor(&[0.0, 2.0, 3.0, 1.0]).unwrap();
        let known = Volume::ONE.times(-6.0);
        assert!(factors.volume().change(known) < 1e-15);
        assert!(factors.factor(&[1.0, 2.0, 2.0, 4.0]).is_err());
    }
}
