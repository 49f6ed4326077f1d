//! Points at which the constraints depend on each other: λ ≠ 0 with Aᵀλ = 0, whatever the objective.
//!
//! A solver ends beside such a point, never on it, and how small Aᵀλ has become there says more of units than of the
//! problem. What is asked instead is how far away the nearest point is that has such a λ: Newton's method on
//!
//! ```text
//! Aᵀλ = 0,   c = τλ,   |λ| = const      with the matrix [[λ·∇²c, Aᵀ], [A, 0]], bordered by λ
//! ```
//!
//! begins at the λ for which |Aᵀλ| is least. Conditions that are linear do not change their rank, so that they stay where
//! they are; a point that the others reach at next to no distance and without moving the conditions (τ = 0) is the one.

use super::assembly::{Kkt, Shift};
use super::norm::{dot, largest};
use super::problem::{Point, StageProblem};

/// Steps of inverse iteration for λ, and what is taken from the constraints that depend on each other.
const INVERSE: (usize, f64) = (5, 1e-12);
/// Steps of Newton's method.
const STEPS: usize = 6;
/// What is added to the curvature, beside its largest: directions that it does not see stay as they are.
const UNSEEN: f64 = 1e-6;
/// How far away, beside 1 + its size, the nearest such point may be.
const NEAR: f64 = 1e-5;
/// Aᵀλ that has vanished, and by how much it has fallen where it has not been so small before.
const VANISHES: f64 = 1e-13;
const FALLS: f64 = 1e-5;
/// How far to each side second differences look, and the part of them that is left within the constraints.
const ASIDE: f64 = 1e-3;
const BENDS: f64 = 1e-3;
/// How well the constraints hold there.
const FEASIBLE: f64 = 1e-8;

/// Do the constraints depend on each other at a point, or at one that differs by less than points are known?
/// Conditions that follow from others do so all around, and are no reason to say so.
pub fn is_abnormal(problem: &StageProblem, at: &Point) -> bool {
    let found = nearest(problem, at);
    found.is_some_and(|(point, lambda)| bends(problem, &point, &lambda) == Some(true))
}

/// The nearest point that has such a λ, and that; none where none is near that keeps the constraints.
fn nearest(problem: &StageProblem, at: &Point) -> Option<(Point, Vec<f64>)> {
    let mut kkt = Kkt::new(problem);
    let mut lambda = softest(problem, &mut kkt, at)?;
    let (mut point, mut scratch) = (at.clone(), problem.scratch());
    let none = vec![0.0; problem.variables()];
    let mut moved = none.clone();
    let mut begun = None;
    for _ in 0..STEPS {
        let found = kkt.assemble(&point, 0.0, &lambda, &mut scratch);
        let slopes = found.ok()?;
        let left = largest(&slopes.reactions).0;
        if left <= VANISHES || left <= FALLS * *begun.get_or_insert(left) {
            let holds = largest(&slopes.constraints).0 <= FEASIBLE;
            return holds.then_some((point, lambda));
        }
        let shift = Shift {
            variables: UNSEEN * slopes.curvature,
            constraints: 0.0,
        };
        kkt.factor(&none, shift)?;
        let against = |values: &[f64]| -> Vec<f64> { values.iter().map(|x| -x).collect() };
        let (rows, columns) = (against(&slopes.constraints), against(&slopes.reactions));
        let own = kkt.solve(&columns, &rows)?;
        let border = kkt.solve(&none, &lambda)?;
        let tau = -dot(&lambda, &own.1) / dot(&lambda, &border.1);
        let step = sum(&own.0, tau, &border.0);
        lambda = sum(&lambda, 1.0, &sum(&own.1, tau, &border.1));
        moved = sum(&moved, 1.0, &step);
        if !is_near(&moved, at) {
            return None;
        }
        point = problem.moved(&point, &step, 1.0);
    }
    None
}

/// The λ for which |Aᵀλ| is least, of largest entry one: by inverse iteration with AAᵀ.
fn softest(problem: &StageProblem, kkt: &mut Kkt<'_>, at: &Point) -> Option<Vec<f64>> {
    let mut lambda = anything(problem.constraints());
    factor_projection(problem, kkt, at)?;
    for _ in 0..INVERSE.0 {
        let next = kkt.solve_roughly(&lambda)?;
        let size = largest(&next).0;
        if size == 0.0 {
            return None;
        }
        lambda = next.iter().map(|x| x / size).collect();
    }
    Some(lambda)
}

/// Factors [[1, Aᵀ], [A, −ε]], with ε = 0 where that is regular, which projects onto the kernel of A.
fn factor_projection(problem: &StageProblem, kkt: &mut Kkt<'_>, at: &Point) -> Option<()> {
    let (n, m) = (problem.variables(), problem.constraints());
    let found = kkt.assemble(at, 0.0, &vec![0.0; m], &mut problem.scratch());
    found.ok()?;
    kkt.with_identity();
    let (none, mut with) = (vec![0.0; n], Shift::default());
    // Where nothing is dependent nothing need be taken.
    let clear = kkt.factor(&none, with);
    with.constraints = INVERSE.1;
    clear.or_else(|| kkt.factor(&none, with)).map(|_| ())
}

/// Does λ·c change to second order within the constraints, by P(λ·∇²c)P with P onto the kernel of A? What follows from the other
/// constraints does not.
fn bends(problem: &StageProblem, at: &Point, lambda: &[f64]) -> Option<bool> {
    let mut kkt = Kkt::new(problem);
    factor_projection(problem, &mut kkt, at)?;
    let zeros = vec![0.0; lambda.len()];
    let (d, _) = kkt.solve(&anything(problem.variables()), &zeros)?;
    let share = ASIDE / largest(&d).0;
    let slope = |share: f64| {
        let (point, mut scratch) = (problem.moved(at, &d, share), problem.scratch());
        let found = Kkt::new(problem).assemble(&point, 0.0, lambda, &mut scratch);
        found.ok().map(|slopes| slopes.reactions)
    };
    let second = sum(&slope(share)?, -1.0, &slope(-share)?);
    let (within, _) = kkt.solve(&second, &zeros)?;
    Some(largest(&within).0 > BENDS * largest(&second).0)
}

/// Something that is orthogonal to nothing by symmetry.
fn anything(n: usize) -> Vec<f64> {
    (0..n).map(|i| (1.7 * i as f64 + 0.3).sin() + 0.1).collect()
}

/// Is a step next to nothing beside 1 + the size of what it moves?
fn is_near(step: &[f64], at: &Point) -> bool {
    let mut both = step.iter().zip(&at.variables);
    both.all(|(d, x)| d.abs() <= NEAR * (1.0 + x.abs()))
}

/// a + τ b.
fn sum(a: &[f64], tau: f64, b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + tau * b).collect()
}
