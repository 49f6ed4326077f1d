//! States of rest near a state.

use crate::error::EquilibriumError;
use crate::noise::rates_and_slopes;
use crate::point::StatePoint;
use crate::reach::{Reach, Scaling};
use rattleback_compile::Linearizer;
use rattleback_mechanics::System;
use rattleback_numeric::{largest_entry, least_squares};
use rattleback_symbolic::checkpoint;

/// Rates that changes of the state by this part explain are none.
const AT_REST: f64 = 1e-10;
const MOST_STEPS: usize = 400;

/// A state at rest.
#[derive(Clone, Debug)]
pub(crate) struct Rest {
    /// The state.
    pub point: StatePoint,
    /// The values of the inputs there.
    pub inputs: Vec<f64>,
    /// How far the search went.
    pub(crate) reach: Reach,
}

impl Rest {
    /// A step on, along the directions and then the inputs.
    fn moved(&self, system: &System, step: &[f64]) -> Self {
        let (by, turned) = step.split_at(step.len() - self.inputs.len());
        let point = StatePoint {
            state: self.point.moved(system, by),
            exact: None,
            ..self.point
        };
        let inputs: Vec<f64> = self.inputs.iter().zip(turned).map(|(u, d)| u + d).collect();
        let mut reach = self.reach.clone();
        reach.extend(&Reach::of(system, &point, &inputs));
        Self {
            point,
            inputs,
            reach,
        }
    }

    /// The inputs, with 0 for those that are rounding beside how large they were.
    pub fn tidy(&self, inputs: &[f64]) -> Vec<f64> {
        let sizes = self.reach.of_inputs();
        let largest = largest_entry(sizes);
        let tidy = |(u, s): (&f64, &f64)| match u.abs() <= AT_REST * s + f64::EPSILON * largest {
            true => 0.0,
            false => *u,
        };
        inputs.iter().zip(sizes).map(tidy).collect()
    }
}

/// A state near `from` at which nothing moves and the constraints hold, with the values of the inputs there, which
/// are unknown too: damped least squares, whose small steps have no part along a family of equilibria, so that the
/// nearest of a family is found. Where this does not end, because units differ, rates are scaled, then directions too.
pub(crate) fn rest_from(
    system: &System,
    linearizer: &Linearizer,
    from: &StatePoint,
    inputs: &[f64],
) -> Result<Rest, EquilibriumError> {
    let start = Rest {
        point: from.clone(),
        inputs: inputs.to_vec(),
        reach: Reach::of(system, from, inputs),
    };
    let (mut found, mut left) = settled(system, linearizer, start, Scaling::None)?;
    for scaling in [Scaling::Rows, Scaling::Both] {
        if left.is_none() {
            break;
        }
        (found, left) = settled(system, linearizer, found, scaling)?;
    }
    match left {
        None => polished(system, linearizer, found),
        Some(residual) => Err(EquilibriumError::NotFound { residual }),
    }
}

/// Steps of a polish, each of which leaves this part of what there was at most.
const MOST_POLISHES: usize = 12;
const POLISHED: f64 = 0.25;
/// They are hardly damped: what is left is small in all units.
const LEAST_DAMPING: f64 = 1e-14;
/// The damping that the search begins with.
const FIRST_DAMPING: f64 = 1e-3;

/// The same after steps in which all rates count alike, however small they are beside others.
fn polished(
    system: &System,
    linearizer: &Linearizer,
    mut at: Rest,
) -> Result<Rest, EquilibriumError> {
    let rest = |at: &Rest| linearizer.rest(at.point.time, &at.point.state, &at.inputs);
    let (mut values, mut slopes) = rest(&at)?;
    for _ in 0..MOST_POLISHES {
        let (rows, columns) = at.reach.scales(&slopes, Scaling::Both);
        let size = |values: &[f64]| {
            let scaled = values.iter().zip(&rows).map(|(v, w)| v * w);
            scaled.map(|v| v * v).sum::<f64>().sqrt()
        };
        let Some(step) = damped_step(&values, &slopes, (&rows, &columns), LEAST_DAMPING) else {
            break;
        };
        let next = at.moved(system, &step);
        match rest(&next) {
            Ok(found) if size(&found.0) <= POLISHED * size(&values) && size(&values) > 0.0 => {
                (values, slopes) = found;
                at = next;
            }
            _ => break,
        }
    }
    Ok(at)
}

/// Where damped least squares end with this scaling, and the largest rate that is left, if some is.
fn settled(
    system: &System,
    linearizer: &Linearizer,
    mut at: Rest,
    scaling: Scaling,
) -> Result<(Rest, Option<f64>), EquilibriumError> {
    let rest = |at: &Rest| linearizer.rest(at.point.time, &at.point.state, &at.inputs);
    let (mut values, mut slopes) = rest(&at)?;
    let mut damping = FIRST_DAMPING;
    for _ in 0..MOST_STEPS {
        checkpoint();
        if at.reach.explains(&values, &slopes, f64::EPSILON) {
            break;
        }
        let (rows, columns) = at.reach.scales(&slopes, scaling);
        let size = |values: &[f64]| {
            let scaled = values.iter().zip(&rows).map(|(v, w)| v * w);
            scaled.map(|v| v * v).sum::<f64>()
        };
        let Some(step) = damped_step(&values, &slopes, (&rows, &columns), damping) else {
            break;
        };
        let next = at.moved(system, &step);
        match rest(&next) {
            Ok(found) if size(&found.0) < size(&values) => {
                (values, slopes) = found;
                at = next;
                damping = (damping * 0.1).max(LEAST_DAMPING);
            }
            _ if damping > 1e12 => break,
            _ => damping *= 10.0,
        }
    }
    let here = (at.point.time, &at.inputs[..]);
    let (values, slopes) = rates_and_slopes(system, linearizer, &at.point, here)?;
    let done = at.reach.explains(&values, &slopes, AT_REST);
    Ok((at, (!done).then(|| largest_entry(&values))))
}

/// Values of this part of what changes of the state by its size do to them are rounding.
const NOISE: f64 = 16.0 * f64::EPSILON;
/// What is left of values that one change of the state undoes, and by how much longer it may be than the part that is asked for.
const LEFT: f64 = 1e-2;
const LONGER: f64 = 1e2;

/// Does one change of the state, of about this part of it, undo all these values, J δ = −f? Each of them may be small beside a
/// stiff term that none of the changes which undo it can do without.
pub(crate) fn is_undone(reach: &Reach, values: &[f64], slopes: &[Vec<f64>], part: f64) -> bool {
    let sizes = reach.sizes();
    // What its own slopes do not explain is rounding of others, if anything.
    let weight = |(row, f): (&Vec<f64>, &f64)| match reach.moved(row) {
        moved if f.abs() <= part * moved && moved > 0.0 => moved.recip(),
        _ => 0.0,
    };
    let rows: Vec<f64> = slopes.iter().zip(values).map(weight).collect();
    let scaled = |values: &[f64]| -> Vec<f64> {
        let all = values.iter().zip(&rows);
        all.map(|(f, w)| (f * w).abs()).collect()
    };
    let before = scaled(values);
    if largest_entry(&before) <= NOISE {
        return true;
    }
    let Some(step) = damped_step(values, slopes, (&rows, sizes), LEAST_DAMPING) else {
        return false;
    };
    let changed = slopes.iter().zip(values).map(|(row, f)| {
        let terms = row.iter().zip(&step).map(|(a, d)| a * d);
        f + terms.sum::<f64>()
    });
    let left = scaled(&changed.collect::<Vec<_>>());
    let is_short = |(d, s): (&f64, &f64)| d.abs() <= LONGER * part * s;
    largest_entry(&left) <= (LEFT * largest_entry(&before)).max(NOISE)
        && step.iter().zip(sizes).all(is_short)
}

/// δ = C d with d that makes |J d + r|² + μ |d|² least for the scaled J = R J C and r = R r, with μ in the units of JᵀJ.
fn damped_step(
    values: &[f64],
    slopes: &[Vec<f64>],
    (rows, columns): (&[f64], &[f64]),
    damping: f64,
) -> Option<Vec<f64>> {
    let n = columns.len();
    let scaled = slopes.iter().zip(rows).flat_map(|(row, w)| {
        let entries = row.iter().zip(columns);
        entries.map(move |(a, c)| w * a * c)
    });
    let mut matrix: Vec<f64> = scaled.collect();
    let length = |j: usize| matrix.iter().skip(j).step_by(n).map(|a| a * a).sum::<f64>();
    let weight = (damping * (0..n).map(length).fold(0.0, f64::max)).sqrt();
    let unit = |at: usize| if at / n == at % n { weight } else { 0.0 };
    matrix.extend((0..n * n).map(unit));
    let mut right: Vec<f64> = values.iter().zip(rows).map(|(f, w)| -f * w).collect();
    right.resize(right.len() + n, 0.0);
    let mut step = least_squares(&matrix, n, &right, 0.0).solution;
    step.iter_mut().zip(columns).for_each(|(d, c)| *d *= c);
    step.iter().all(|x| x.is_finite()).then_some(step)
}
