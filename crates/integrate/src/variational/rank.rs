//! Do the constraints of a step lose their rank as the step grows?

use rattleback_numeric::complete_pivots;

/// Constraints have lost their rank where their smallest pivot is this part of what it was in a short step.
const LOST: f64 = 1e-3;
/// Entries below this part of the largest in their row are rounding.
const NOISE: f64 = 1e-12;

/// The last rows of ∂r/∂u, beside what they were in a short step: in units of their rows and columns there.
#[derive(Clone, Debug)]
pub(super) struct Rank {
    rows: Vec<f64>,
    columns: Vec<f64>,
    scaled: Vec<f64>,
    pivots: Vec<f64>,
    /// The smallest pivot in a short step.
    begun: f64,
}

impl Rank {
    /// Of so many constraints on unknowns.
    pub fn new(constraints: usize, unknowns: usize) -> Self {
        Self {
            rows: vec![1.0; constraints],
            columns: vec![1.0; unknowns],
            scaled: vec![0.0; constraints * unknowns],
            pivots: vec![0.0; constraints],
            begun: 0.0,
        }
    }

    /// Takes ∂r/∂u of a short step.
    pub fn begin(&mut self, matrix: &[f64]) {
        let (n, rows) = (self.columns.len(), constraints(matrix, self.scaled.len()));
        self.columns.fill(0.0);
        for (unit, row) in self.rows.iter_mut().zip(rows.chunks_exact(n.max(1))) {
            let size = row.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            *unit = if size > 0.0 { size } else { 1.0 };
            for (m, x) in self.columns.iter_mut().zip(row) {
                *m = m.max((x / *unit).abs());
            }
        }
        // What cancels in a column has no size that its later entries could be held against.
        let empty = self.columns.iter_mut().filter(|size| **size <= NOISE);
        empty.for_each(|size| *size = 1.0);
        self.begun = self.smallest_pivot(rows, &[]);
    }

    /// Has the smallest pivot vanished, when rows should have grown so much?
    pub fn is_lost(&mut self, matrix: &[f64], growth: &[f64]) -> bool {
        let rows = constraints(matrix, self.scaled.len());
        let growth = &growth[growth.len() - self.rows.len()..];
        !self.rows.is_empty() && self.smallest_pivot(rows, growth) <= LOST * self.begun
    }

    fn smallest_pivot(&mut self, rows: &[f64], growth: &[f64]) -> f64 {
        let n = self.columns.len();
        for (k, (scaled, entry)) in self.scaled.iter_mut().zip(rows).enumerate() {
            let grown = growth.get(k / n).unwrap_or(&1.0);
            *scaled = entry / (self.rows[k / n] * grown * self.columns[k % n]);
        }
        complete_pivots(&mut self.scaled, n, &mut self.pivots);
        self.pivots.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// The last entries of a matrix.
fn constraints(matrix: &[f64], entries: usize) -> &[f64] {
    &matrix[matrix.len() - entries..]
}
