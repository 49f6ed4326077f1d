//! Stationary points of any kind, of programs without bounds: Newton's method on the KKT conditions.

use super::assembly::{Kkt, Shift};
use super::problem::StageProblem;
use super::solver::{Ending, Iterate, Options, Outcome, Watch, dot, largest};

/// A stationary point near an iterate: a minimum, a saddle or a maximum.
pub fn stationary(
    problem: &StageProblem,
    start: Iterate,
    options: &Options,
    watch: &dyn Watch,
) -> Outcome {
    let mut kkt = Kkt::new(problem);
    let mut scratch = problem.scratch();
    let mut now = start;
    now.multipliers.resize(problem.constraints(), 0.0);
    let none = vec![0.0; problem.variables()];
    now.bounds.lower = none.clone();
    now.bounds.upper = none.clone();
    let mut iterations = 0;
    let mut best = f64::INFINITY;
    let mut stalled = 0;
    loop {
        let found = kkt.assemble(problem, &now.point, 1.0, &now.multipliers, &mut scratch);
        let count = iterations;
        let outcome = |ending, now: Iterate, numbers: [f64; 2], worst, inertia| Outcome {
            ending,
            iterate: now,
            objective: numbers[0],
            iterations: count,
            optimality: numbers[1],
            infeasibility: worst,
            inertia,
            // Without bounds, and with constraints met to rounding.
            slack: 0.0,
            held: false,
        };
        let slopes = match found {
            Ok(slopes) => slopes,
            Err(e) => {
                let ending = Ending::NoValue { piece: e.piece };
                return outcome(ending, now, [f64::NAN; 2], (f64::NAN, 0), None);
            }
        };
        let dual: Vec<f64> = (slopes.gradient.iter().zip(&slopes.reactions))
            .map(|(g, r)| g + r)
            .collect();
        let (slope, worst) = (largest(&dual).0, largest(&slopes.constraints));
        watch.progress(iterations, worst.0, slope);
        let size = (1.0 + largest(&now.multipliers).0) * options.optimality;
        let error = (slope / size).max(worst.0 / options.feasibility);
        stalled = if error < 0.5 * best { 0 } else { stalled + 1 };
        best = best.min(error);
        let numbers = [slopes.objective, slope];
        let ending = if error <= 1.0 {
            Some(Ending::Solved)
        } else if stalled > 4 && best <= 1e3 {
            Some(Ending::Acceptable)
        } else if watch.stop() {
            Some(Ending::Interrupted)
        } else if iterations >= options.iterations.min(200) || stalled > 60 {
            Some(Ending::IterationLimit)
        } else {
            None
        };
        if let Some(ending) = ending {
            let inertia = kkt.settled_inertia(&none);
            return outcome(ending, now, numbers, worst, inertia);
        }
        iterations += 1;
        let mut shift = Shift::default();
        let mut factored = kkt.factor(&none, shift);
        while factored.is_none_or(|i| i.zero > 0) && shift.constraints < 1e-3 {
            shift.constraints = (shift.constraints * 100.0).max(1e-10);
            shift.variables = shift.constraints;
            factored = kkt.factor(&none, shift);
        }
        let right: Vec<f64> = dual.iter().map(|g| -g).collect();
        let rows: Vec<f64> = slopes.constraints.iter().map(|c| -c).collect();
        let Some((dx, dy)) = kkt.solve(&right, &rows) else {
            return outcome(Ending::IterationLimit, now, numbers, worst, None);
        };
        let merit = |dual: &[f64], rows: &[f64]| dot(dual, dual) + dot(rows, rows);
        let before = merit(&dual, &slopes.constraints);
        let mut share = 1.0;
        loop {
            let point = problem.moved(&now.point, &dx, share);
            let multipliers: Vec<f64> = (now.multipliers.iter().zip(&dy))
                .map(|(l, d)| l + share * d)
                .collect();
            let tried = kkt.assemble(problem, &point, 1.0, &multipliers, &mut scratch);
            let better = tried.is_ok_and(|s| {
                let dual: Vec<f64> = (s.gradient.iter().zip(&s.reactions))
                    .map(|(g, r)| g + r)
                    .collect();
                merit(&dual, &s.constraints) <= (1.0 - 1e-4 * share) * before
            });
            if better || share < 1e-3 {
                now.point = point;
                now.multipliers = multipliers;
                break;
            }
            share /= 2.0;
        }
    }
}
