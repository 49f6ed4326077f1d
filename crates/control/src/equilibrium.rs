//! The state of rest nearest to a state.

use crate::error::EquilibriumError;
use crate::point::StatePoint;
use rattleback_compile::Linearizer;
use rattleback_mechanics::System;
use rattleback_numeric::{Ldlt, largest_entry};

/// What is left of the rates at an equilibrium, beside 1 + the size of the state.
const AT_REST: f64 = 1e-10;
const MOST_STEPS: usize = 400;

/// The state near `from` at which nothing moves and the constraints hold, with the values of the inputs there, which
/// are unknown too: damped least squares, whose small steps have no part along a family of equilibria, so that the
/// nearest one is found.
pub fn nearest_rest(
    system: &System,
    linearizer: &Linearizer,
    from: &StatePoint,
    inputs: &[f64],
) -> Result<(StatePoint, Vec<f64>), EquilibriumError> {
    let (mut point, mut inputs) = (from.clone(), inputs.to_vec());
    let size = |values: &[f64]| values.iter().map(|v| v * v).sum::<f64>();
    let (mut values, mut slopes) = linearizer.rest(point.time, &point.state, &inputs)?;
    let mut damping = 1e-3;
    for _ in 0..MOST_STEPS {
        if largest_entry(&values) <= f64::EPSILON * (1.0 + largest_entry(&point.state)) {
            break;
        }
        let Some(step) = damped_step(&values, &slopes, damping) else {
            break;
        };
        let (by, turned) = step.split_at(linearizer.directions());
        let next = StatePoint {
            state: point.moved(system, by),
            exact: None,
            ..point
        };
        let tried: Vec<f64> = inputs.iter().zip(turned).map(|(u, d)| u + d).collect();
        match linearizer.rest(next.time, &next.state, &tried) {
            Ok(found) if size(&found.0) < size(&values) => {
                (values, slopes) = found;
                (point, inputs) = (next, tried);
                damping = (damping * 0.1).max(1e-14);
            }
            _ if damping > 1e12 => break,
            _ => damping *= 10.0,
        }
    }
    let residual = largest_entry(&values);
    match residual <= AT_REST * (1.0 + largest_entry(&point.state)) {
        true => Ok((point, inputs)),
        false => Err(EquilibriumError::NotFound { residual }),
    }
}

/// (JᵀJ + μ) δ = −Jᵀ r, with μ in the units of JᵀJ.
fn damped_step(values: &[f64], slopes: &[Vec<f64>], damping: f64) -> Option<Vec<f64>> {
    let n = slopes.first()?.len();
    let product = |i: usize, j: usize| slopes.iter().map(|row| row[i] * row[j]).sum::<f64>();
    let scale = (0..n).map(|i| product(i, i)).fold(0.0, f64::max);
    let unit = |i: usize, j: usize| if i == j { damping * scale } else { 0.0 };
    let mut factors = Ldlt::new(n);
    factors.factor(|i, j| product(i, j) + unit(i, j)).ok()?;
    let along = |i: usize| {
        slopes
            .iter()
            .zip(values)
            .map(|(row, v)| row[i] * v)
            .sum::<f64>()
    };
    let mut step: Vec<f64> = (0..n).map(|i| -along(i)).collect();
    factors.solve(&mut step).ok()?;
    step.iter().all(|x| x.is_finite()).then_some(step)
}
