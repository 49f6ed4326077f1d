//! The state of rest nearest to a state.

use crate::error::EquilibriumError;
use crate::point::StatePoint;
use crate::reach::{Reach, Scaling};
use rattleback_compile::Linearizer;
use rattleback_mechanics::System;
use rattleback_numeric::{Ldlt, largest_entry};

/// Rates that changes of the state by this part explain are none.
const AT_REST: f64 = 1e-10;
const MOST_STEPS: usize = 400;

/// Searches begun elsewhere than at the start.
const MOST_SEARCHES: usize = 96;
/// Shares of the distance of the equilibrium that is known at which searches begin.
const SHARES: [f64; 3] = [0.35, 0.7, 1.0];
/// A nearer one is nearer by this part.
const NEARER: f64 = 1e-6;

/// The state of rest nearest to `from` among those that searches from there and from around it find, until none finds a
/// nearer one: least squares end anywhere, and where they end first need not be near. These entries are velocities.
pub fn nearest_rest(
    system: &System,
    linearizer: &Linearizer,
    from: &StatePoint,
    velocities: &[usize],
) -> Result<Rest, EquilibriumError> {
    // All of them are at rest: velocities neither tell them apart nor show the way.
    let from = &from.resting(velocities);
    let search = |start: &StatePoint| rest_from(system, linearizer, start, &[]);
    let away = |found: &Rest| {
        let entries = found.point.state.iter().zip(&from.state).enumerate();
        let places = entries.filter(|(i, _)| !velocities.contains(i));
        let squares = places.map(|(_, (a, b))| (a - b).powi(2));
        squares.sum::<f64>().sqrt()
    };
    let far = match largest_entry(&from.state) {
        0.0 => 1.0,
        size => size,
    };
    let first = search(from);
    let mut best = first.as_ref().ok().map(|r| (away(r), r.clone()));
    let mut searches = 0;
    loop {
        let known = best.as_ref().map_or(far, |(d, _)| *d);
        if known == 0.0 {
            break;
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
            None => break,
        }
    }
    best.map_or(first, |(_, found)| Ok(found))
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

/// A state at rest.
#[derive(Clone, Debug)]
pub struct Rest {
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
pub fn rest_from(
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
    let mut damping = 1e-3;
    for _ in 0..MOST_STEPS {
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
                damping = (damping * 0.1).max(1e-14);
            }
            _ if damping > 1e12 => break,
            _ => damping *= 10.0,
        }
    }
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

/// δ = C d with (JᵀJ + μ) d = −Jᵀ r for the scaled J = R J C and r = R r, with μ in the units of JᵀJ.
fn damped_step(
    values: &[f64],
    slopes: &[Vec<f64>],
    (rows, columns): (&[f64], &[f64]),
    damping: f64,
) -> Option<Vec<f64>> {
    let n = columns.len();
    let scaled: Vec<Vec<f64>> = slopes
        .iter()
        .zip(rows)
        .map(|(row, w)| row.iter().zip(columns).map(|(a, c)| w * a * c).collect())
        .collect();
    let product = |i: usize, j: usize| scaled.iter().map(|row| row[i] * row[j]).sum::<f64>();
    let scale = (0..n).map(|i| product(i, i)).fold(0.0, f64::max);
    let unit = |i: usize, j: usize| if i == j { damping * scale } else { 0.0 };
    let mut factors = Ldlt::new(n);
    factors.factor(|i, j| product(i, j) + unit(i, j)).ok()?;
    let along = |i: usize| {
        let all = scaled.iter().zip(rows).zip(values);
        all.map(|((row, w), v)| row[i] * w * v).sum::<f64>()
    };
    let mut step: Vec<f64> = (0..n).map(|i| -along(i)).collect();
    factors.solve(&mut step).ok()?;
    step.iter_mut().zip(columns).for_each(|(d, c)| *d *= c);
    step.iter().all(|x| x.is_finite()).then_some(step)
}
