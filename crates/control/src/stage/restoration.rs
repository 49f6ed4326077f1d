//! Restoration: the nearest point with less violation, in the same block structure.
//!
//! min ½|c|² + ζ/2 |x − x_R|² within the bounds, by Newton's method: with y = c + A dx its KKT matrix is
//! [[W(c) + ζ + Σ, Aᵀ], [A, −1]]. Where the violation has a least value above zero, there is no feasible point nearby.

use super::assembly::{Shift, Slopes};
use super::norm::{dot, largest, total};
use super::outcome::Options;
use super::problem::Point;
use super::solver::Solver;
use super::step::BoundMultipliers;
use super::tolerance::{INSIDE, MERIT_DECREASE};
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
/// The barrier is no smaller.
const LEAST_BARRIER: f64 = 1e-9;
/// Slopes along the bounds below this part of the violation are none; where no step leads on, below the next, and where
/// steps hardly lower it, below the last.
const STATIONARY: f64 = 1e-7;
const NEARLY_STATIONARY: f64 = 1e-4;
const SLOWLY_STATIONARY: f64 = 1e-2;
/// How far beside a point that is stationary it is looked for less, beside 1 + the size of the variables, and how often.
const BESIDE: f64 = 1e-2;
const LOOKS: usize = 3;
/// The part of the violation that such a look leaves at most where it led on.
const LESS: f64 = 0.99;
/// Damping of the steps: the first, and its limits.
const FIRST_DAMPING: f64 = 1e-6;
const LEAST_DAMPING: f64 = 1e-12;
const MOST_DAMPING: f64 = 1e10;
/// The first shift where the damped curvature has the wrong inertia.
const FIRST_SHIFT: f64 = 1e-8;
/// No smaller share of a step is tried.
const LEAST_SHARE: f64 = 1e-12;

/// The largest shift.
const MOST_SHIFT: f64 = 1e20;
/// The most iterations.
const MOST_ITERATIONS: usize = 500;
/// Steps that are not found, and such that hardly lower the violation, one after the other, before it is given up.
const NOT_FOUND: usize = 5;
const SLOW: usize = 20;
/// A step that leaves more than this part of the violation hardly lowers it.
const HARDLY: f64 = 0.9999;
/// The part of the way to a bound that a step may go.
const TO_BOUND: f64 = 0.99;

/// Goes to the nearest point with less violation than this.
///
/// The violation is stationary, too, where the gradient of a constraint vanishes by itself, as at the tip of a cone, and at
/// saddles. So it is stationary for good only where it comes back from points beside, which is asked where it matters.
pub(super) fn restore(solver: &mut Solver, violation: f64, options: &Options) -> Restored {
    let mut ended = lowered(solver, violation, options);
    for _ in 0..if options.leaves { LOOKS } else { 0 } {
        let (Restored::Stationary, Some(least)) = (&ended, missed(solver)) else {
            break;
        };
        let stuck = solver.now.point.clone();
        solver.now.point = beside(solver, &stuck);
        let next = lowered(solver, violation, options);
        match next {
            Restored::Feasible | Restored::Stopped => return next,
            _ if missed(solver).is_some_and(|m| m < LESS * least) => ended = next,
            _ => {
                solver.now.point = stuck;
                break;
            }
        }
    }
    ended
}

/// By how much the constraints are missed, none where a function has no value.
fn missed(solver: &mut Solver) -> Option<f64> {
    let mut rows = vec![0.0; solver.problem.constraints()];
    let (problem, at) = (solver.problem, &solver.now.point);
    let value = problem.evaluate(at, &mut rows, &mut solver.scratch);
    value.ok().map(|_| total(&rows))
}

/// A point beside another one, inside of the bounds.
pub(super) fn beside(solver: &Solver, at: &Point) -> Point {
    // Nothing that is symmetric leaves a saddle by symmetry.
    let aside = |(i, x): (usize, &f64)| BESIDE * (1.0 + x.abs()) * (1.7 * i as f64 + 0.3).sin();
    let step: Vec<f64> = at.variables.iter().enumerate().map(aside).collect();
    let mut point = solver.problem.moved(at, &step, 1.0);
    solver.bounds.push_inside(&mut point.variables, INSIDE);
    point
}

/// The same from where the solver is, downhill.
fn lowered(solver: &mut Solver, violation: f64, options: &Options) -> Restored {
    let mu = solver.mu.max(LEAST_BARRIER);
    let mut restoration = Restoration {
        rows: vec![0.0; solver.problem.constraints()],
        bounds: solver.bounds.central(&solver.now.point.variables, mu),
        mu,
        damping: FIRST_DAMPING,
        slow: 0,
        solver,
    };
    for _ in 0..MOST_ITERATIONS {
        if let Err(ended) = restoration.iteration(violation, options) {
            return ended;
        }
    }
    Restored::Limit
}

/// A restoration on its way.
struct Restoration<'s, 'p> {
    solver: &'s mut Solver<'p>,
    /// c at the point.
    rows: Vec<f64>,
    bounds: BoundMultipliers,
    mu: f64,
    /// ζ.
    damping: f64,
    /// Steps that did not lead on, one after the other.
    slow: usize,
}

impl Restoration<'_, '_> {
    /// One step; how it ended where it did.
    fn iteration(&mut self, violation: f64, options: &Options) -> Result<(), Restored> {
        if self.solver.watch.stop() {
            return Err(Restored::Stopped);
        }
        if self.solver.iterations >= options.iterations {
            return Err(Restored::Limit);
        }
        self.solver.iterations += 1;
        let slopes = self.assemble().ok_or(Restored::Limit)?;
        let now = total(&self.rows);
        let point = &self.solver.now.point;
        let objective = self.solver.barrier_objective(slopes.objective, point);
        if now <= ENOUGH * violation && self.solver.filter.accepts(now, objective)
            || largest(&self.rows).0 <= options.feasibility
        {
            return Err(Restored::Feasible);
        }
        let x = point.variables.clone();
        let problem = self.solver.problem;
        let projected = self.solver.bounds.longest_descent(&x, &slopes.reactions);
        // Where bounds hold nothing back, Aᵀc = 0 to rounding: next to nothing it is, too, where the controls hardly move
        // the goal, and there the violation falls on, however slowly.
        let vanishes = |loose: f64| match problem.is_bounded() {
            true => projected <= loose * now.min(1.0),
            false => projected <= ROUNDING * slopes.part,
        };
        let judged = |loose: f64| match vanishes(loose) {
            true => Restored::Stationary,
            false => Restored::Limit,
        };
        if vanishes(STATIONARY) {
            return Err(Restored::Stationary);
        }
        let gradient = self.gradient(&x, &slopes);
        let Some(dx) = self.direction(&x, &gradient)? else {
            self.damping = (self.damping * 100.0).min(MOST_DAMPING);
            return Ok(());
        };
        let Some((point, share, left)) = self.search(&x, &gradient, &dx) else {
            self.slow += 1;
            self.damping = (self.damping * 100.0).min(MOST_DAMPING);
            return match self.slow > NOT_FOUND {
                true => Err(judged(NEARLY_STATIONARY)),
                false => Ok(()),
            };
        };
        self.damping = if share >= 0.5 {
            self.damping / 3.0
        } else {
            self.damping * 3.0
        };
        self.damping = self.damping.clamp(LEAST_DAMPING, MOST_DAMPING);
        self.slow = if left > HARDLY * now {
            self.slow + 1
        } else {
            0
        };
        if self.slow > SLOW {
            return Err(judged(match options.leaves {
                true => SLOWLY_STATIONARY,
                false => f64::INFINITY,
            }));
        }
        self.take(&x, &dx, point);
        Ok(())
    }

    /// c, W(c), A and Aᵀc: the multipliers of ½|c|² are c. None where a function has no value.
    fn assemble(&mut self) -> Option<Slopes> {
        let solver = &mut *self.solver;
        let (problem, at) = (solver.problem, &solver.now.point);
        let value = problem.evaluate(at, &mut self.rows, &mut solver.scratch);
        value.ok()?;
        let found = (solver.kkt).assemble(at, 0.0, &self.rows, &mut solver.scratch);
        found.ok()
    }

    /// Aᵀc, and the slope of the barrier.
    fn gradient(&self, x: &[f64], slopes: &Slopes) -> Vec<f64> {
        let barrier = self.solver.bounds.barrier_slope(x);
        let both = slopes.reactions.iter().zip(&barrier);
        both.map(|(r, b)| r + self.mu * b).collect()
    }

    /// dx of [W + Σ + ζ, Aᵀ; A, −1] (dx, dy) = (−gradient, 0), where dy = A dx, with as much ζ as its inertia needs; none
    /// where it has no solution.
    fn direction(&mut self, x: &[f64], gradient: &[f64]) -> Result<Option<Vec<f64>>, Restored> {
        let (n, m) = (x.len(), self.rows.len());
        let wanted = Inertia {
            positive: n,
            negative: m,
            zero: 0,
        };
        let stiffness = self.solver.bounds.stiffness(x, &self.bounds);
        let mut shift = Shift {
            variables: self.damping,
            constraints: 1.0,
        };
        while self.solver.kkt.factor(&stiffness, shift) != Some(wanted) {
            shift.variables = (shift.variables * 10.0).max(FIRST_SHIFT);
            if shift.variables > MOST_SHIFT {
                return Err(Restored::Limit);
            }
        }
        let right: Vec<f64> = gradient.iter().map(|g| -g).collect();
        let solved = self.solver.kkt.solve(&right, &vec![0.0; m]);
        Ok(solved.map(|(dx, _)| dx))
    }

    /// The point at the end of the longest share of a step that lowers ½|c|² and the barrier, that share, and the violation
    /// there.
    fn search(&mut self, x: &[f64], gradient: &[f64], dx: &[f64]) -> Option<(Point, f64, f64)> {
        let solver = &mut *self.solver;
        let (problem, bounds, mu) = (solver.problem, &solver.bounds, self.mu);
        let merit = |c: &[f64], x: &[f64]| 0.5 * dot(c, c) + mu * bounds.barrier(x);
        let (before, slope) = (merit(&self.rows, x), dot(gradient, dx));
        let mut share = bounds.longest(x, dx, TO_BOUND);
        let mut trial = vec![0.0; self.rows.len()];
        while share > LEAST_SHARE {
            let point = problem.moved(&solver.now.point, dx, share);
            let value = problem.evaluate(&point, &mut trial, &mut solver.scratch);
            let most = before + MERIT_DECREASE * share * slope;
            if value.is_ok() && merit(&trial, &point.variables) <= most {
                return Some((point, share, total(&trial)));
            }
            share /= 2.0;
        }
        None
    }

    /// Goes to a point, and the multipliers of the bounds with it.
    fn take(&mut self, x: &[f64], dx: &[f64], point: Point) {
        let dz = (self.solver.bounds).multiplier_step(x, dx, &self.bounds, self.mu);
        let share = self.bounds.longest(&dz, TO_BOUND);
        self.bounds.add(&dz, share);
        self.solver.now.point = point;
        let x = &self.solver.now.point.variables;
        (self.solver.bounds).safeguard(x, &mut self.bounds, self.mu);
    }
}
