//! Restoration: the nearest point with less violation, in the same block structure.
//!
//! min ½|c|² + ζ/2 |x − x_R|² within the bounds, by Newton's method: with y = c + A dx its KKT matrix is
//! [[W(c) + ζ + Σ, Aᵀ], [A, −1]]. Where the violation has a least value above zero, there is no feasible point nearby.

use super::assembly::Shift;
use super::solver::{Options, Solver, dot, largest, total};
use rattleback_numeric::Inertia;

/// How a restoration ended.
pub(super) enum Restored {
    /// The violation is smaller, and the filter accepts the point.
    Feasible,
    /// The violation is stationary.
    Stationary,
    /// Too many iterations.
    Limit,
    /// Somebody stopped it.
    Stopped,
}

/// What is left of Aᵀc by rounding, beside its largest part.
const ROUNDING: f64 = 1e-13;
/// The violation must fall to this part.
const ENOUGH: f64 = 0.9;

pub(super) fn restore(solver: &mut Solver, violation: f64, options: &Options) -> Restored {
    let (feasibility, most) = (options.feasibility, options.iterations);
    let problem = solver.problem;
    let (n, m) = (problem.variables(), problem.constraints());
    let wanted = Inertia {
        positive: n,
        negative: m,
        zero: 0,
    };
    let mut rows = vec![0.0; m];
    let mu = solver.mu.max(1e-9);
    let mut bounds = solver.bounds.central(&solver.now.point.variables, mu);
    let mut damping: f64 = 1e-6;
    let mut slow = 0;
    for _ in 0..500 {
        if solver.watch.stop() {
            return Restored::Stopped;
        }
        if solver.iterations >= most {
            return Restored::Limit;
        }
        solver.iterations += 1;
        let at = &solver.now.point;
        if problem
            .evaluate(at, &mut rows, &mut solver.scratch)
            .is_err()
        {
            return Restored::Limit;
        }
        // The multipliers of ½|c|² are c: one assembly gives W(c), A and Aᵀc.
        let found = solver
            .kkt
            .assemble(problem, at, 0.0, &rows, &mut solver.scratch);
        let Ok(slopes) = found else {
            return Restored::Limit;
        };
        let now = total(&rows);
        let objective = solver.barrier_objective(slopes.objective, &solver.now.point);
        if now <= ENOUGH * violation && solver.filter.accepts(now, objective)
            || largest(&rows).0 <= feasibility
        {
            return Restored::Feasible;
        }
        let x = solver.now.point.variables.clone();
        let barrier = solver.bounds.barrier_slope(&x);
        let gradient: Vec<f64> = (slopes.reactions.iter().zip(&barrier))
            .map(|(r, b)| r + mu * b)
            .collect();
        let projected = solver.bounds.longest_descent(&x, &slopes.reactions);
        // Where bounds hold nothing back, Aᵀc = 0 to rounding: next to nothing it is, too, where the controls hardly move
        // the goal, and there the violation falls on, however slowly.
        let vanishes = |loose: f64| match problem.is_bounded() {
            true => projected <= loose * now.min(1.0),
            false => projected <= ROUNDING * slopes.part,
        };
        if vanishes(1e-7) {
            return Restored::Stationary;
        }
        let stiffness = solver.bounds.stiffness(&x, &bounds);
        let mut shift = Shift {
            variables: damping,
            constraints: 1.0,
        };
        while solver.kkt.factor(&stiffness, shift) != Some(wanted) {
            shift.variables = (shift.variables * 10.0).max(1e-8);
            if shift.variables > 1e20 {
                return Restored::Limit;
            }
        }
        // [W + Σ + ζ, Aᵀ; A, −1] (dx, dy) = (−gradient, 0): dy = A dx.
        let right: Vec<f64> = gradient.iter().map(|g| -g).collect();
        let Some((dx, _)) = solver.kkt.solve(&right, &vec![0.0; m]) else {
            damping = (damping * 100.0).min(1e10);
            continue;
        };
        let dz = solver.bounds.multiplier_step(&x, &dx, &bounds, mu);
        let longest = solver.bounds.longest(&x, &dx, 0.99);
        let merit = |c: &[f64], x: &[f64]| 0.5 * dot(c, c) + mu * solver.bounds.barrier(x);
        let (before, slope) = (merit(&rows, &x), dot(&gradient, &dx));
        let mut share = longest;
        let mut trial = vec![0.0; m];
        let mut moved = None;
        while share > 1e-12 {
            let point = problem.moved(&solver.now.point, &dx, share);
            let value = problem.evaluate(&point, &mut trial, &mut solver.scratch);
            if value.is_ok() && merit(&trial, &point.variables) <= before + 1e-4 * share * slope {
                moved = Some(point);
                break;
            }
            share /= 2.0;
        }
        let Some(point) = moved else {
            slow += 1;
            damping = (damping * 100.0).min(1e10);
            if slow > 5 {
                return match vanishes(1e-4) {
                    true => Restored::Stationary,
                    false => Restored::Limit,
                };
            }
            continue;
        };
        damping = if share >= 0.5 {
            damping / 3.0
        } else {
            damping * 3.0
        };
        damping = damping.clamp(1e-12, 1e10);
        let shrunk = total(&trial) > 0.9999 * now;
        slow = if shrunk { slow + 1 } else { 0 };
        if slow > 20 {
            return match vanishes(f64::INFINITY) {
                true => Restored::Stationary,
                false => Restored::Limit,
            };
        }
        bounds.add(&dz, bounds.longest(&dz, 0.99));
        solver.now.point = point;
        let x = &solver.now.point.variables;
        solver.bounds.safeguard(x, &mut bounds, mu);
    }
    Restored::Limit
}
