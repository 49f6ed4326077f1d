//! Do the constraints of a step lose their rank as the step grows?

use rattleback_numeric::complete_pivots;

/// Entries below this part of the largest in their row are rounding.
const NOISE: f64 = 1e-12;

/// The forms of constraints, A(q), at the two places of a step where they act, beside what they were in a short step: in
/// units of their rows and columns there.
#[derive(Clone, Debug)]
pub(super) struct Rank {
    forms: Vec<f64>,
    rows: Vec<f64>,
    columns: Vec<f64>,
    scaled: Vec<f64>,
    pivots: Vec<f64>,
    /// The smallest pivot in a short step.
    begun: f64,
}

/// Where constraints act: where they hold in the step, and at its end.
pub(super) const PLACES: usize = 2;

impl Rank {
    /// Of so many constraints on velocities.
    pub fn new(constraints: usize, velocities: usize) -> Self {
        let entries = constraints * velocities;
        Self {
            forms: vec![0.0; PLACES * entries],
            rows: vec![1.0; constraints],
            columns: vec![1.0; velocities],
            scaled: vec![0.0; entries],
            pivots: vec![0.0; constraints.min(velocities)],
            begun: 0.0,
        }
    }

    /// Are there constraints?
    pub fn is_of_any(&self) -> bool {
        !self.scaled.is_empty()
    }

    /// Room for the forms at both places.
    pub fn forms(&mut self) -> &mut [f64] {
        &mut self.forms
    }

    /// Takes the forms that have been written for those of a short step.
    pub fn begin(&mut self) {
        let n = self.columns.len();
        self.columns.fill(0.0);
        for (unit, row) in self.rows.iter_mut().zip(self.forms.chunks_exact(n.max(1))) {
            let size = row.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            *unit = if size > 0.0 { size } else { 1.0 };
            for (m, x) in self.columns.iter_mut().zip(row) {
                *m = m.max((x / *unit).abs());
            }
        }
        // What cancels in a column has no size that its later entries could be held against.
        let empty = self.columns.iter_mut().filter(|size| **size <= NOISE);
        empty.for_each(|size| *size = 1.0);
        self.begun = self.smallest_pivot(0);
    }

    /// Is the smallest pivot of the forms that have been written this part of what it was, or less, at one of the places?
    pub fn is_lost(&mut self, part: f64) -> bool {
        let bound = part * self.begun;
        self.is_of_any() && (0..PLACES).any(|place| self.smallest_pivot(place) <= bound)
    }

    fn smallest_pivot(&mut self, place: usize) -> f64 {
        let (n, entries) = (self.columns.len(), self.scaled.len());
        let forms = &self.forms[place * entries..];
        for (k, (scaled, entry)) in self.scaled.iter_mut().zip(forms).enumerate() {
            *scaled = entry / (self.rows[k / n] * self.columns[k % n]);
        }
        complete_pivots(&mut self.scaled, n, &mut self.pivots);
        self.pivots.iter().copied().fold(f64::INFINITY, f64::min)
    }
}
