//! The factors of ∂r/∂u with its volume.

use rattleback_numeric::tolerance::VANISHING_PIVOT;
use rattleback_numeric::{Lu, SingularMatrix};

/// Two matrices are near if their quotient X has |ln det X| and |tr X − n| up to this: nothing has turned over between
/// them. Both are the same in all units.
const NEAR: f64 = 0.7;
/// Products of this size are numbers with all their digits.
const PLAIN: std::ops::Range<f64> = 1e-200..1e200;

/// P D J = L U, where D scales rows to their largest entries.
#[derive(Clone, Debug)]
pub(super) struct Factors {
    lu: Lu<f64>,
    /// D J.
    scaled: Vec<f64>,
    /// What each row is divided by.
    rows: Vec<f64>,
    volume: Volume,
    column: Vec<f64>,
}

/// det J by its sign and the logarithm of its size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Volume {
    is_negative: bool,
    logarithm: f64,
}

impl Volume {
    /// Of a matrix without a factor in so many of its rows.
    pub fn without(mut self, factor: f64, rows: usize) -> Self {
        if rows > 0 {
            self.logarithm -= rows as f64 * factor.abs().ln();
        }
        self
    }

    /// Of factors, which are not zero.
    fn of(factors: impl Iterator<Item = f64>) -> Self {
        let (mut logarithm, mut product) = (0.0, 1.0f64);
        for factor in factors {
            // A logarithm for many factors, as long as their product is a number.
            let next = product * factor;
            match PLAIN.contains(&next.abs()) {
                true => product = next,
                false => {
                    logarithm += product.abs().ln() + factor.abs().ln();
                    product = 1.0f64.copysign(next);
                }
            }
        }
        Self {
            is_negative: product < 0.0,
            logarithm: logarithm + product.abs().ln(),
        }
    }

    /// |ln| of the quotient of two volumes; infinite where their signs differ.
    pub fn change(self, other: Self) -> f64 {
        match self.is_negative == other.is_negative {
            true => (self.logarithm - other.logarithm).abs(),
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
            scaled: vec![0.0; size * size],
            rows: vec![1.0; size],
            volume: Volume::default(),
            column: vec![0.0; size],
        }
    }

    pub fn factor(&mut self, matrix: &[f64]) -> Result<(), SingularMatrix> {
        let n = self.rows.len();
        let rows = matrix
            .chunks_exact(n.max(1))
            .zip(self.scaled.chunks_exact_mut(n.max(1)));
        for (scale, (row, scaled)) in self.rows.iter_mut().zip(rows) {
            let largest = row.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            *scale = if largest > 0.0 { 1.0 / largest } else { 1.0 };
            scaled
                .iter_mut()
                .zip(row)
                .for_each(|(s, x)| *s = x * *scale);
        }
        let scaled = &self.scaled;
        self.lu.factor(|i, j| scaled[i * n + j])?;
        // Units of the unknowns scale columns, which changes no pivot, only its size.
        self.column.fill(0.0);
        for row in scaled.chunks_exact(n.max(1)) {
            let largest = self.column.iter_mut().zip(row);
            largest.for_each(|(m, x)| *m = m.max(x.abs()));
        }
        let vanishes =
            |(k, largest): (usize, &f64)| self.lu.pivot(k).abs() <= VANISHING_PIVOT * largest;
        if let Some(pivot) = self.column.iter().enumerate().position(vanishes) {
            return Err(SingularMatrix { pivot });
        }
        let rows = self.rows.iter().enumerate();
        self.volume = Volume::of(rows.map(|(k, row)| self.lu.pivot(k) / row));
        self.volume.is_negative ^= self.lu.swaps_sign();
        Ok(())
    }

    pub fn volume(&self) -> Volume {
        self.volume
    }

    /// Replaces b by J⁻¹ b.
    pub fn solve(&self, b: &mut [f64]) {
        b.iter_mut().zip(&self.rows).for_each(|(b, row)| *b *= row);
        self.lu.solve(b);
    }

    /// The largest entry of a row of J.
    pub fn row_size(&self, i: usize) -> f64 {
        1.0 / self.rows[i]
    }

    /// Is X = J_other⁻¹ G⁻¹ J, where G is what rows should have grown by, so near to the identity that no direction has
    /// turned over?
    pub fn are_near(&mut self, other: &Self, growth: &[f64]) -> bool {
        let n = self.rows.len();
        let (mut trace, mut volume) = (0.0, self.volume);
        volume.logarithm -= growth.iter().map(|g| g.ln()).sum::<f64>();
        for k in 0..n {
            for (i, c) in self.column.iter_mut().enumerate() {
                *c = self.scaled[i * n + k] / (self.rows[i] * growth[i]);
            }
            other.solve(&mut self.column);
            trace += self.column[k];
        }
        volume.is_near(other.volume) && (trace - n as f64).abs() <= NEAR
    }
}
