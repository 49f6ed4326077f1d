//! The factors of ∂r/∂u with its volume.

use rattleback_numeric::tolerance::VANISHING_PIVOT;
use rattleback_numeric::{Lu, SingularMatrix};

/// Two matrices are near if their quotient X has |ln det X| and |tr X − n| up to this: nothing has turned over between
/// them. Both are the same in all units.
const NEAR: f64 = 0.7;

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

/// det(D J) by its sign and the logarithm of its size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Volume {
    is_negative: bool,
    logarithm: f64,
}

impl Volume {
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
        self.volume = Volume {
            is_negative: self.lu.swaps_sign(),
            logarithm: 0.0,
        };
        for (k, largest) in self.column.iter().enumerate() {
            let pivot = self.lu.pivot(k);
            if pivot.abs() <= VANISHING_PIVOT * largest {
                return Err(SingularMatrix { pivot: k });
            }
            self.volume.is_negative ^= pivot < 0.0;
            self.volume.logarithm += pivot.abs().ln();
        }
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

    /// Is X = (D J)_other⁻¹ (D J) so near to the identity that no direction has turned over?
    pub fn are_near(&mut self, other: &Self) -> bool {
        let n = self.rows.len();
        let mut trace = 0.0;
        for k in 0..n {
            let column = self.scaled.iter().skip(k).step_by(n);
            self.column
                .iter_mut()
                .zip(column)
                .for_each(|(c, x)| *c = *x);
            other.lu.solve(&mut self.column);
            trace += self.column[k];
        }
        self.volume.is_near(other.volume) && (trace - n as f64).abs() <= NEAR
    }
}
