//! What is left of rates, measured by the state that they are rates of: no unit decides what is at rest.

use crate::point::StatePoint;
use rattleback_mechanics::System;
use rattleback_numeric::largest_entry;
use std::ops::Range;

/// Rounding of the terms of a rate, in units of the last place.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Slopes of less than this part of the largest of their kind may be rounding: they set no scale.
const NOISE: f64 = 1e-12;

/// Rounds in which rows and columns are scaled in turn.
const ROUNDS: usize = 12;

/// What is scaled in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scaling {
    /// Nothing.
    None,
    /// Rates.
    Rows,
    /// Rates and directions.
    Both,
}

/// How far states reach along each direction, and inputs: the largest sizes on the way of a search.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    sizes: Vec<f64>,
    positions: usize,
    directions: usize,
}

impl Reach {
    /// That of one state.
    pub fn of(system: &System, point: &StatePoint, inputs: &[f64]) -> Self {
        let (base, sections) = (system.frame().base().len(), system.frame().rank());
        let mut sizes = vec![1.0; sections];
        for factor in system.factors().iter().filter(|f| f.group.is_none()) {
            sizes[factor.fibre.start] = point.state[factor.base.start].abs();
        }
        sizes.extend(point.state[base..].iter().map(|x| x.abs()));
        let directions = sizes.len();
        sizes.extend(inputs.iter().map(|u| u.abs()));
        Self {
            sizes,
            positions: sections,
            directions,
        }
    }

    /// That of the state alone.
    pub fn of_state(mut self) -> Self {
        self.sizes.truncate(self.directions);
        self
    }

    /// As far as either, where both have a size.
    pub fn extend(&mut self, other: &Self) {
        let both = self.sizes.iter_mut().zip(&other.sizes);
        both.for_each(|(a, b)| *a = a.max(*b));
    }

    /// The sizes of the entries of the state; those of a group element are of size 1.
    pub fn of_entries(&self, system: &System) -> Vec<f64> {
        let mut sizes = vec![1.0; system.frame().base().len()];
        for factor in system.factors().iter().filter(|f| f.group.is_none()) {
            sizes[factor.base.start] = self.sizes[factor.fibre.start];
        }
        sizes.extend(&self.sizes[self.positions..self.directions]);
        sizes
    }

    /// How far states reach along each direction.
    pub fn of_directions(&self) -> &[f64] {
        &self.sizes[..self.directions]
    }

    /// The sizes of the inputs.
    pub fn of_inputs(&self) -> &[f64] {
        &self.sizes[self.directions..]
    }

    /// Would every one of these values come of changing all entries of the state by this part, or of rounding?
    /// |f_i| ≤ p Σ_j |J_ij| s_j + ε ‖J‖ ‖s‖, where positions and velocities have norms of their own.
    pub fn explains(&self, values: &[f64], slopes: &[Vec<f64>], part: f64) -> bool {
        self.sorts(values.len()).into_iter().all(|rows| {
            let rounding = self.rounding(&slopes[rows.clone()]);
            let mut all = values[rows.clone()].iter().zip(&slopes[rows]);
            all.all(|(f, row)| f.abs() <= part * self.moved(row) + rounding)
        })
    }

    /// The values that only the rounding of others explains.
    pub fn unexplained(&self, values: &[f64], slopes: &[Vec<f64>], part: f64) -> Vec<usize> {
        let all = values.iter().zip(slopes).enumerate();
        let open = all.filter(|(_, (f, row))| f.abs() > (part + ROUNDING) * self.moved(row));
        open.map(|(i, _)| i).collect()
    }

    /// The same for one value.
    pub fn explains_one(&self, value: f64, slopes: &[f64], part: f64) -> bool {
        value.abs() <= part * self.moved(slopes) + self.rounding(&[slopes])
    }

    /// Along all directions and inputs.
    pub fn sizes(&self) -> &[f64] {
        &self.sizes
    }

    /// Σ_j |J_j| s_j.
    pub fn moved(&self, slopes: &[f64]) -> f64 {
        let parts = slopes.iter().zip(&self.sizes).map(|(a, s)| a.abs() * s);
        parts.sum()
    }

    /// What rounding leaves of values with these slopes.
    fn rounding<R: AsRef<[f64]>>(&self, slopes: &[R]) -> f64 {
        let sorts = self.sorts(self.sizes.len()).into_iter();
        let parts =
            sorts.map(|columns| largest(slopes, &columns) * largest_entry(&self.sizes[columns]));
        ROUNDING * parts.sum::<f64>()
    }

    /// Factors of rows and columns with which those that are scaled are of one size.
    pub fn scales(&self, slopes: &[Vec<f64>], scaling: Scaling) -> (Vec<f64>, Vec<f64>) {
        let heard = self.heard(slopes);
        let (mut by_row, mut by_column) = (vec![1.0; slopes.len()], vec![1.0; self.sizes.len()]);
        let inverse = |sum: f64, before: f64| match sum > 0.0 && sum.is_finite() {
            true => sum.recip(),
            false => before,
        };
        let (rounds, both) = match scaling {
            Scaling::None => (0, false),
            Scaling::Rows => (1, false),
            Scaling::Both => (ROUNDS, true),
        };
        for _ in 0..rounds {
            for (row, w) in heard.iter().zip(&mut by_row) {
                *w = inverse(row.iter().zip(&by_column).map(|(a, c)| a * c).sum(), *w);
            }
            for (j, c) in by_column.iter_mut().enumerate().filter(|_| both) {
                *c = inverse(
                    heard.iter().zip(&by_row).map(|(row, w)| row[j] * w).sum(),
                    *c,
                );
            }
        }
        (by_row, by_column)
    }

    /// The sizes of slopes that may set a scale; 0 for the others.
    fn heard(&self, slopes: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let columns = self.sizes.len();
        let mut heard = vec![vec![0.0; columns]; slopes.len()];
        for rows in self.sorts(slopes.len()) {
            for across in self.sorts(columns) {
                let least = NOISE * largest(&slopes[rows.clone()], &across);
                for (i, j) in rows
                    .clone()
                    .flat_map(|i| across.clone().map(move |j| (i, j)))
                {
                    let size = slopes[i][j].abs();
                    heard[i][j] = if size > least { size } else { 0.0 };
                }
            }
        }
        heard
    }

    /// Positions, velocities, and what is behind them: residuals among rows, inputs among columns.
    fn sorts(&self, length: usize) -> [Range<usize>; 3] {
        [
            0..self.positions,
            self.positions..self.directions,
            self.directions..length,
        ]
    }
}

/// The largest of slopes along some columns.
fn largest<R: AsRef<[f64]>>(slopes: &[R], columns: &Range<usize>) -> f64 {
    let rows = slopes
        .iter()
        .map(|row| largest_entry(&row.as_ref()[columns.clone()]));
    rows.fold(0.0, f64::max)
}
