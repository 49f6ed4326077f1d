//! Leaving a stationary point that is no minimum, along a direction of negative curvature.
//!
//! K(δ) = [[W + Σ + δ, Aᵀ], [A, 0]] with as much δ as its inertia needs: inverse iteration with it finds the direction d
//! in the kernel of A along which W + Σ is least, where dᵀ(W + Σ)d = dᵀr − δ dᵀd for K(δ)(d, y) = (r, 0).

use super::assembly::{Kkt, Shift, Slopes};
use super::norm::dot;
use super::outcome::{Iterate, Outcome};
use super::problem::{Point, StageProblem};
use super::step::Bounds;
use rattleback_numeric::Inertia;

/// Steps of inverse iteration.
const STEPS: usize = 8;
/// How far to go, relative to the size of the variables; both ways are tried at each.
const REACHES: [f64; 3] = [0.05, 0.3, 1.0];
/// How many points to go on from there are.
pub(super) const WAYS: usize = 2 * REACHES.len();
/// The least shift that is tried, and the largest beside the largest second derivative: with so much everything grows, and
/// where the inertia is another one still, conditions depend on each other.
const LEAST: f64 = 1e-6;
const MOST: f64 = 1e3;
/// A direction is flat whose curvature is this part of the largest second derivative.
const FLAT: f64 = 1e-6;
/// The part of the largest second derivative by which a strict minimum grows, and what is added to variables that need not.
const STRICT: (f64, f64) = (1e-7, 1e-10);

/// What is added and taken of the sizes of variables, to tell what is flat.
const LITTLE: [f64; 3] = [1e-8, 1e-7, 1e-6];

/// A direction in which a stationary point that is no minimum is left.
pub(super) struct Descent<'p> {
    problem: &'p StageProblem,
    from: Point,
    /// By each way, within the bounds.
    steps: Vec<Vec<f64>>,
    /// What the objective falls by along the best of them, to second order.
    pub worth: f64,
}

impl<'p> Descent<'p> {
    /// The direction along which the objective falls most; none where none leads down.
    pub fn of(problem: &'p StageProblem, at: &Outcome) -> Option<Self> {
        let from = &at.iterate.point;
        let (bounds, x) = (Bounds::of(problem), &from.variables);
        let Softest {
            curvature,
            direction,
            ..
        } = softest(problem, &at.iterate)?;
        if curvature >= 0.0 {
            return None;
        }
        let relative = direction.iter().zip(x);
        let relative = relative.map(|(d, x)| d.abs() / (1.0 + x.abs()));
        let size = relative.fold(0.0, f64::max);
        let step = |way: usize| -> Vec<f64> {
            let sign = if way.is_multiple_of(2) { 1.0 } else { -1.0 };
            let scale = sign * REACHES[way / 2] / size;
            let whole: Vec<f64> = direction.iter().map(|d| scale * d).collect();
            let share = bounds.longest(x, &whole, 0.9);
            whole.iter().map(|d| share * d).collect()
        };
        let steps: Vec<Vec<f64>> = (0..WAYS).map(step).collect();
        let longest = steps.iter().map(|d| dot(d, d)).fold(0.0, f64::max);
        Some(Self {
            problem,
            from: from.clone(),
            steps,
            worth: -curvature * longest / 2.0,
        })
    }

    /// The point beside it that a way leads to.
    pub fn beside(&self, way: usize) -> Iterate {
        Iterate {
            point: self.problem.moved(&self.from, &self.steps[way], 1.0),
            ..Iterate::default()
        }
    }
}

/// What the objective falls by beside a stationary point, to second order; none where no direction leads down.
pub fn descent(problem: &StageProblem, at: &Outcome) -> Option<f64> {
    Descent::of(problem, at).map(|d| d.worth)
}

/// A direction within the constraints along which a solution does not change the objective to second order; none where
/// the inertia tells that there is none, for a little that is the same for all variables or for one of the size of each.
pub fn flat_direction(problem: &StageProblem, at: &Outcome) -> Option<Vec<f64>> {
    if !at.is_solved() || at.inertia.is_some() || settles_by_size(problem, at) {
        return None;
    }
    let softest = softest(problem, &at.iterate)?;
    // Where the shift had to be large, as it has where conditions depend on each other, it is any direction.
    let is_flat = softest.curvature.abs() <= FLAT * softest.largest;
    is_flat.then_some(softest.direction)
}

/// Is the inertia the same with a little added to the variables and taken from them, as a part of what the objective changes
/// by along the size of each? Whatever their units, that is the same.
fn settles_by_size(problem: &StageProblem, at: &Outcome) -> bool {
    let now = &at.iterate;
    let (mut kkt, mut scratch) = (Kkt::new(problem), problem.scratch());
    let slopes = kkt.assemble(&now.point, 1.0, &now.multipliers, &mut scratch);
    // In the units of the program.
    let objective = slopes.map_or(0.0, |s| s.objective);
    let share = objective.abs() / problem.blocks.len() as f64;
    if share == 0.0 {
        return false;
    }
    let stiffness = Bounds::of(problem).stiffness(&now.point.variables, &now.bounds);
    let sizes = sizes(problem, &now.point.variables);
    let mut with = |little: f64| {
        let weights = sizes.iter().map(|s| little * share / (s * s));
        let shifted = stiffness.iter().zip(weights).map(|(s, w)| s + w);
        let found = kkt.factor(&shifted.collect::<Vec<f64>>(), Shift::default());
        found.filter(|i| i.zero == 0)
    };
    let mut all = LITTLE.iter();
    all.any(|&little| with(little).is_some_and(|found| with(-little) == Some(found)))
}

/// The largest size of each variable among the blocks that have it at the same place; one where it vanishes.
fn sizes(problem: &StageProblem, x: &[f64]) -> Vec<f64> {
    let blocks = &problem.blocks;
    let places: Vec<usize> = blocks.iter().flat_map(|n| 0..*n).collect();
    let mut largest = vec![0.0_f64; blocks.iter().copied().max().unwrap_or(0)];
    for (&i, x) in places.iter().zip(x) {
        largest[i] = largest[i].max(x.abs());
    }
    let shared = x.iter().skip(places.len()).map(|x| x.abs());
    let all = places.iter().map(|&i| largest[i]).chain(shared);
    all.map(|s| if s > 0.0 { s } else { 1.0 }).collect()
}

/// Does the objective grow to second order with each change within the constraints that moves some of the variables, by at
/// least a part of the largest second derivative?
pub fn is_strict_in(problem: &StageProblem, at: &Outcome, some: &[bool]) -> bool {
    let now = &at.iterate;
    let (mut kkt, mut scratch) = (Kkt::new(problem), problem.scratch());
    let slopes = kkt.assemble(&now.point, 1.0, &now.multipliers, &mut scratch);
    let Ok(Slopes { curvature, .. }) = slopes else {
        return false;
    };
    let stiffness = Bounds::of(problem).stiffness(&now.point.variables, &now.bounds);
    let less = |(s, is_one): (&f64, &bool)| match is_one {
        true => s - STRICT.0 * curvature,
        false => s + STRICT.1 * curvature,
    };
    let stiffness: Vec<f64> = stiffness.iter().zip(some).map(less).collect();
    let wanted = Inertia {
        positive: problem.variables(),
        negative: problem.constraints(),
        zero: 0,
    };
    at.is_solved() && kkt.factor(&stiffness, Shift::default()) == Some(wanted)
}

/// The direction within the constraints along which the curvature is least.
struct Softest {
    curvature: f64,
    direction: Vec<f64>,
    /// The largest second derivative, and one.
    largest: f64,
}

fn softest(problem: &StageProblem, now: &Iterate) -> Option<Softest> {
    let (n, m) = (problem.variables(), problem.constraints());
    let mut kkt = Kkt::new(problem);
    let mut scratch = problem.scratch();
    let slopes = kkt.assemble(&now.point, 1.0, &now.multipliers, &mut scratch);
    let largest = 1.0 + slopes.ok()?.curvature;
    let stiffness = Bounds::of(problem).stiffness(&now.point.variables, &now.bounds);
    let wanted = Inertia {
        positive: n,
        negative: m,
        zero: 0,
    };
    let mut shift = Shift {
        variables: LEAST,
        constraints: 0.0,
    };
    while kkt.factor(&stiffness, shift) != Some(wanted) {
        shift.variables *= 4.0;
        if shift.variables > MOST * largest {
            return None;
        }
    }
    let rows = vec![0.0; m];
    // Anything that is not orthogonal to the direction by symmetry.
    let mut right: Vec<f64> = (0..n).map(|i| (1.7 * i as f64 + 0.3).sin() + 0.1).collect();
    let mut curvature = f64::NAN;
    for _ in 0..STEPS {
        let (mut d, _) = kkt.solve(&right, &rows)?;
        let square = dot(&d, &d);
        curvature = dot(&d, &right) / square - shift.variables;
        let length = square.sqrt();
        if !length.is_finite() || length == 0.0 {
            return None;
        }
        d.iter_mut().for_each(|x| *x /= length);
        right = d;
    }
    Some(Softest {
        curvature,
        direction: right,
        largest,
    })
}
