//! The state of rest nearest to a state.

use crate::error::EquilibriumError;
use crate::point::StatePoint;
use rattleback_compile::Linearizer;
use rattleback_mechanics::System;
use rattleback_numeric::{Ldlt, largest_entry};

/// What is left of the rates at an equilibrium, beside their slopes times the size of the state.
const AT_REST: f64 = 1e-10;
const MOST_STEPS: usize = 400;

/// Searches begun elsewhere than at the start.
const MOST_SEARCHES: usize = 96;
/// Shares of the distance of the equilibrium that is known at which searches begin.
const SHARES: [f64; 3] = [0.35, 0.7, 1.0];
/// A nearer one is nearer by this part.
const NEARER: f64 = 1e-6;

/// The state of rest nearest to `from` among those that searches from there and from around it find, until none finds a
/// nearer one: least squares end anywhere, and where they end first need not be near.
pub fn nearest_rest(
    system: &System,
    linearizer: &Linearizer,
    from: &StatePoint,
) -> Result<StatePoint, EquilibriumError> {
    let search = |start: &StatePoint| rest_from(system, linearizer, start, &[]).map(|(p, _)| p);
    let away = |p: &StatePoint| {
        let squares = p
            .state
            .iter()
            .zip(&from.state)
            .map(|(a, b)| (a - b).powi(2));
        squares.sum::<f64>().sqrt()
    };
    let first = search(from);
    let mut best = first.as_ref().ok().map(|p| (away(p), p.clone()));
    let mut searches = 0;
    loop {
        let known = best.as_ref().map_or(1.0, |(d, _)| *d);
        if known == 0.0 {
            return Ok(from.clone());
        }
        let around = directions(linearizer.directions(), system.frame().rank());
        let starts = around.flat_map(|e| SHARES.map(|share| scaled(&e, share * known)));
        let mut nearer = None;
        for by in starts.take(MOST_SEARCHES - searches) {
            searches += 1;
            let start = StatePoint {
                state: from.moved(system, &by),
                exact: None,
                ..from.clone()
            };
            let Ok(found) = search(&start) else { continue };
            if best.is_none() || away(&found) < known * (1.0 - NEARER) {
                nearer = Some((away(&found), found));
                break;
            }
        }
        match nearer {
            Some(found) => best = Some(found),
            None => return best.map_or(first, |(_, p)| Ok(p)),
        }
    }
}

/// Both ways along each position, then along all of them with every pattern of two signs.
fn directions(length: usize, positions: usize) -> impl Iterator<Item = Vec<f64>> {
    let along = move |entry: &dyn Fn(usize) -> f64| -> Vec<f64> {
        let entries = (0..length).map(|i| if i < positions { entry(i) } else { 0.0 });
        entries.collect()
    };
    let single = (0..positions).flat_map(|k| [(k, 1.0), (k, -1.0)]);
    let mixed = if positions > 1 { 1..8u32 } else { 0..0 };
    let size = (positions as f64).sqrt().recip();
    let single = single.map(move |(k, sign)| along(&|i| if i == k { sign } else { 0.0 }));
    let mixed = mixed.map(move |pattern| {
        along(&|i| match (pattern >> (i % 3)) & 1 {
            0 => size,
            _ => -size,
        })
    });
    single.chain(mixed)
}

fn scaled(e: &[f64], size: f64) -> Vec<f64> {
    e.iter().map(|x| x * size).collect()
}

/// A state near `from` at which nothing moves and the constraints hold, with the values of the inputs there, which
/// are unknown too: damped least squares, whose small steps have no part along a family of equilibria, so that the
/// nearest of a family is found.
pub fn rest_from(
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
        if largest_entry(&values) <= f64::EPSILON * measure(&slopes, &point, from) {
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
    match residual <= AT_REST * measure(&slopes, &point, from) {
        true => Ok((point, inputs)),
        false => Err(EquilibriumError::NotFound { residual }),
    }
}

/// What rates are measured by: their slopes times the size of the states here and where the search began.
fn measure(slopes: &[Vec<f64>], here: &StatePoint, from: &StatePoint) -> f64 {
    let steepest = slopes
        .iter()
        .map(|row| largest_entry(row))
        .fold(0.0, f64::max);
    steepest * largest_entry(&here.state).max(largest_entry(&from.state))
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
