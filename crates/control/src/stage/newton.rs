//! Stationary points of any kind, of programs without bounds: Newton's method on the KKT conditions.

use super::assembly::{Kkt, Shift, Slopes};
use super::norm::{dot, largest};
use super::outcome::{Ending, Iterate, Options, Outcome, Watch};
use super::problem::{Scratch, StageProblem};
use super::tolerance::MERIT_DECREASE;

/// Shifts where rows or columns are dependent: the first, and the largest.
const FIRST_SHIFT: f64 = 1e-10;
const MOST_SHIFT: f64 = 1e-3;
/// No smaller share of a step is tried: it is taken.
const LEAST_SHARE: f64 = 1e-3;

/// An ending that is no longer improved on is accepted within this factor of what is asked, after so many steps.
const ACCEPTABLE: (f64, usize) = (1e3, 4);
/// The most steps, and the most without an improvement.
const MOST_STEPS: usize = 200;
const MOST_IN_VAIN: usize = 60;

/// A stationary point near an iterate: a minimum, a saddle or a maximum.
pub fn stationary(
    problem: &StageProblem,
    start: Iterate,
    options: &Options,
    watch: &dyn Watch,
) -> Outcome {
    let mut search = Search::of(problem, start);
    loop {
        if let Some(outcome) = search.iteration(options, watch) {
            return outcome;
        }
    }
}

/// A search on its way.
struct Search<'p> {
    problem: &'p StageProblem,
    kkt: Kkt<'p>,
    scratch: Scratch,
    now: Iterate,
    /// No bounds make anything stiff.
    none: Vec<f64>,
    iterations: usize,
    best: f64,
    /// Steps without an improvement.
    stalled: usize,
}

impl<'p> Search<'p> {
    fn of(problem: &'p StageProblem, start: Iterate) -> Self {
        let mut now = start;
        now.multipliers.resize(problem.constraints(), 0.0);
        let none = vec![0.0; problem.variables()];
        now.bounds.lower = none.clone();
        now.bounds.upper = none.clone();
        Self {
            problem,
            kkt: Kkt::new(problem),
            scratch: problem.scratch(),
            now,
            none,
            iterations: 0,
            best: f64::INFINITY,
            stalled: 0,
        }
    }

    /// One step; the outcome where it was the last.
    fn iteration(&mut self, options: &Options, watch: &dyn Watch) -> Option<Outcome> {
        let (point, multipliers) = (&self.now.point, &self.now.multipliers);
        let found = (self.kkt).assemble(point, 1.0, multipliers, &mut self.scratch);
        let slopes = match found {
            Ok(slopes) => slopes,
            Err(e) => {
                let ending = Ending::NoValue { piece: e.piece };
                return Some(self.outcome(ending, [f64::NAN; 2], (f64::NAN, 0)));
            }
        };
        let dual = dual(&slopes);
        let (slope, worst) = (largest(&dual).0, largest(&slopes.constraints));
        watch.progress(self.iterations, worst.0, slope);
        let numbers = [slopes.objective, slope];
        if let Some(ending) = self.ending(slope, worst.0, options, watch) {
            let inertia = self.kkt.settled_inertia(&self.none);
            let outcome = self.outcome(ending, numbers, worst);
            return Some(Outcome { inertia, ..outcome });
        }
        let Some((dx, dy)) = self.step(&dual, &slopes.constraints) else {
            return Some(self.outcome(Ending::IterationLimit, numbers, worst));
        };
        self.iterations += 1;
        self.advance(&dx, &dy, merit(&dual, &slopes.constraints));
        None
    }

    /// The end of the search at the iterate, with objective and slope there.
    fn outcome(
        &mut self,
        ending: Ending,
        [objective, optimality]: [f64; 2],
        infeasibility: (f64, usize),
    ) -> Outcome {
        Outcome {
            ending,
            iterate: std::mem::take(&mut self.now),
            objective,
            iterations: self.iterations,
            optimality,
            infeasibility,
            inertia: None,
            // Without bounds, and with constraints met to rounding.
            slack: 0.0,
            held: false,
        }
    }

    /// Is this the end?
    fn ending(
        &mut self,
        slope: f64,
        violation: f64,
        options: &Options,
        watch: &dyn Watch,
    ) -> Option<Ending> {
        let size = (1.0 + largest(&self.now.multipliers).0) * options.optimality;
        let error = (slope / size).max(violation / options.feasibility);
        let improves = error < 0.5 * self.best;
        self.stalled = if improves { 0 } else { self.stalled + 1 };
        self.best = self.best.min(error);
        if error <= 1.0 {
            Some(Ending::Solved)
        } else if self.stalled > ACCEPTABLE.1 && self.best <= ACCEPTABLE.0 {
            Some(Ending::Acceptable)
        } else if watch.stop() {
            Some(Ending::Interrupted)
        } else if self.iterations >= options.iterations.min(MOST_STEPS)
            || self.stalled > MOST_IN_VAIN
        {
            Some(Ending::IterationLimit)
        } else {
            None
        }
    }

    /// The whole step, of point and multipliers.
    fn step(&mut self, dual: &[f64], constraints: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
        let mut shift = Shift::default();
        let mut factored = self.kkt.factor(&self.none, shift);
        while factored.is_none_or(|i| i.zero > 0) && shift.constraints < MOST_SHIFT {
            shift.constraints = (shift.constraints * 100.0).max(FIRST_SHIFT);
            shift.variables = shift.constraints;
            factored = self.kkt.factor(&self.none, shift);
        }
        let right: Vec<f64> = dual.iter().map(|g| -g).collect();
        let rows: Vec<f64> = constraints.iter().map(|c| -c).collect();
        self.kkt.solve(&right, &rows)
    }

    /// Goes along a step, less and less of it until the merit falls.
    fn advance(&mut self, dx: &[f64], dy: &[f64], before: f64) {
        let mut share = 1.0;
        loop {
            let point = self.problem.moved(&self.now.point, dx, share);
            let multipliers: Vec<f64> = (self.now.multipliers.iter().zip(dy))
                .map(|(l, d)| l + share * d)
                .collect();
            let tried = (self.kkt).assemble(&point, 1.0, &multipliers, &mut self.scratch);
            let better = tried.is_ok_and(|s| {
                merit(&dual(&s), &s.constraints) <= (1.0 - MERIT_DECREASE * share) * before
            });
            if better || share < LEAST_SHARE {
                self.now.point = point;
                self.now.multipliers = multipliers;
                return;
            }
            share /= 2.0;
        }
    }
}

/// ∇f + Aᵀλ.
fn dual(slopes: &Slopes) -> Vec<f64> {
    let both = slopes.gradient.iter().zip(&slopes.reactions);
    both.map(|(g, r)| g + r).collect()
}

/// |dual|² + |c|².
fn merit(dual: &[f64], constraints: &[f64]) -> f64 {
    dot(dual, dual) + dot(constraints, constraints)
}
