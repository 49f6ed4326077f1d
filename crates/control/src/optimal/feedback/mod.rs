//! Feedback along a path: the linear-quadratic regulator of the motions beside it, tried from disturbed starts.

mod beside;
mod closed;
mod reference;
mod riccati;

use super::extract::Trajectory;
use super::posed::{Bounded, Posed};
use beside::Beside;
use closed::Loop;
use reference::Reference;

/// The law u = u_r(t) − K(t) e(t, x) along a path, with e the deviation from the path by direction: differences of
/// coordinates and components, the logarithm of g_r⁻¹g (g g_r⁻¹ for a velocity in space) of group elements.
#[derive(Clone, Debug)]
pub struct Feedback {
    /// The names of the directions.
    pub directions: Vec<String>,
    /// K at the nodes, by rows of controls.
    pub gains: Vec<Vec<f64>>,
    /// The sizes of deviations that cost as much as each other (Bryson's rule), by direction, then by control.
    pub sizes: (Vec<f64>, Vec<f64>),
    /// The motions from disturbed starts, one by direction.
    pub disturbed: Vec<Disturbed>,
}

/// What a disturbance of the start becomes at the end; deviations in units of their sizes, the largest.
#[derive(Clone, Debug, PartialEq)]
pub struct Disturbed {
    /// The direction of the disturbance.
    pub direction: usize,
    /// How far the start is moved.
    pub by: f64,
    /// The deviation at the end under the controls of the path; none where the motion does not get there.
    pub open: Option<f64>,
    /// The deviation at the end with the loop closed.
    pub closed: Option<f64>,
}

/// Why there is no feedback along a path.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoFeedback {
    /// Nothing steers.
    #[error("there are no controls that could be fed back")]
    NoControls,
    /// Time passes in steps.
    #[error("a model with `map` is regulated by `discrete`, which has its gains under `lqr`")]
    Map,
    /// The directions beside the path are not independent.
    #[error("positions with constraints of their own have no independent directions to feed back")]
    Holonomic,
    /// The linear system is not finite somewhere.
    #[error("the linear system beside the path is not finite at t = {0}")]
    NotFinite(f64),
}

/// Sizes are at least this part of the largest of their kind.
const LEAST_SIZE: f64 = 1e-2;
/// The disturbances, as a part of the sizes.
const DISTURBANCE: f64 = 0.02;

impl Feedback {
    /// The regulator along a path with these values of the free numbers.
    pub fn along(posed: &Posed, path: &Trajectory, free: &[f64]) -> Result<Self, NoFeedback> {
        let plant = &posed.plant;
        if plant.is_map {
            return Err(NoFeedback::Map);
        }
        if !plant.holonomic.is_empty() {
            return Err(NoFeedback::Holonomic);
        }
        if plant.controls.is_empty() {
            return Err(NoFeedback::NoControls);
        }
        let missing = NoFeedback::NotFinite(path.times[0]);
        let beside = Beside::of(posed).ok_or(missing)?;
        let mut systems = Vec::new();
        for k in 0..path.times.len() {
            let found = beside.at(posed, path, free, k);
            systems.push(found.ok_or(NoFeedback::NotFinite(path.times[k]))?);
        }
        let sizes = (state_sizes(posed, path), control_sizes(posed, path));
        let gains = riccati::gains(&path.times, &systems, &sizes)
            .ok_or_else(|| NoFeedback::NotFinite(path.times[path.times.len() - 1]))?;
        let rates: Vec<Vec<f64>> = systems.into_iter().map(|s| s.rates).collect();
        let reference = Reference {
            posed,
            path,
            rates: &rates,
        };
        let mut trial = Loop::of(posed, reference, free, &gains, &sizes.0)
            .ok_or(NoFeedback::NotFinite(path.times[0]))?;
        let disturbed = (0..plant.directions())
            .map(|i| trial.disturbed(i, DISTURBANCE * sizes.0[i]))
            .collect();
        Ok(Self {
            directions: names(posed),
            gains,
            sizes,
            disturbed,
        })
    }

    /// The largest deviations at the end, with the loop open and closed; none where a motion does not get there.
    pub fn worst(&self) -> (Option<f64>, Option<f64>) {
        let largest = |end: fn(&Disturbed) -> Option<f64>| {
            let mut all = self.disturbed.iter();
            all.try_fold(0.0_f64, |m, d| end(d).map(|x| m.max(x)))
        };
        (largest(|d| d.open), largest(|d| d.closed))
    }
}

/// Coordinates and components by their names, directions of a group element R as `R~1`, `R~2`, ….
fn names(posed: &Posed) -> Vec<String> {
    let plant = &posed.plant;
    let mut all = Vec::new();
    for factor in plant.factors() {
        match factor.group {
            None => all.push(factor.name.clone()),
            Some(g) => all.extend((1..=g.dimension()).map(|i| format!("{}~{i}", factor.name))),
        }
    }
    all.extend(plant.components.iter().map(|c| c.symbol.to_string()));
    all
}

/// How far each direction goes along the path; a radian for group elements.
fn state_sizes(posed: &Posed, path: &Trajectory) -> Vec<f64> {
    let plant = &posed.plant;
    let range = |i: usize| {
        let values = path.states.iter().map(|x| x[i]);
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
        high - low
    };
    let mut positions = Vec::new();
    for factor in plant.factors() {
        match factor.group {
            None => positions.push(range(factor.base.start)),
            Some(g) => positions.resize(positions.len() + g.dimension(), 1.0),
        }
    }
    let base = plant.base().len();
    let components = (0..plant.components.len()).map(|i| range(base + i));
    [filled(positions), filled(components.collect())].concat()
}

/// The largest values of the controls; where they have bounds half of the width.
fn control_sizes(posed: &Posed, path: &Trajectory) -> Vec<f64> {
    let size = |j: usize| {
        let width = posed.simple.iter().find_map(|b| {
            let half = (b.upper - b.lower) / 2.0;
            (b.on == Bounded::Control(j) && half.is_finite()).then_some(half)
        });
        let largest = path.controls.iter().map(|u| u[j].abs()).fold(0.0, f64::max);
        width.unwrap_or(largest)
    };
    filled((0..posed.plant.controls.len()).map(size).collect())
}

/// No size is nothing beside the others.
fn filled(sizes: Vec<f64>) -> Vec<f64> {
    let largest = sizes.iter().fold(0.0, |m: f64, s| m.max(*s));
    let least = match largest > 0.0 {
        true => LEAST_SIZE * largest,
        false => 1.0,
    };
    sizes.into_iter().map(|s| s.max(least)).collect()
}
