//! The primal-dual interior point: from iterate to iterate, until there is an end.

use super::assembly::{Kkt, Shift, Slopes};
use super::conditions::ABNORMAL;
use super::descent::{Descent, WAYS};
use super::filter::Filter;
use super::norm::{largest, total};
use super::outcome::{Ending, Iterate, Options, Outcome, Watch};
use super::problem::{Scratch, StageProblem};
use super::restoration::{Restored, beside, restore};
use super::step::{BoundMultipliers, Bounds};
use super::tolerance::{
    BARE_ESTIMATE, ESTIMATE, INSIDE, LEAST_BARRIER, SMALL_VIOLATION, WARM_INSIDE,
};

/// Points further away than this have run away.
const AWAY: f64 = 1e12;
/// How large a violation may be beside the variables, for a point that runs away within its constraints.
const KEPT: f64 = 1e-6;
/// Gradients larger than this are scaled down.
const STEEP: f64 = 100.0;
/// An ending that is no longer improved on is accepted within this factor of what is asked.
const ACCEPTABLE: f64 = 1e3;
/// So many iterations without progress tell that it is; after the other number nothing is begun anew.
const NO_PROGRESS: usize = 8;
const NO_MORE: usize = 30;

/// Solves a program with stages from a point, or from an iterate of an earlier solve.
pub fn solve(
    problem: &StageProblem,
    start: Iterate,
    options: &Options,
    watch: &dyn Watch,
) -> Outcome {
    let mut found = Solver::new(problem, start, options, watch).run();
    if !options.minimum {
        return found;
    }
    while let Some(lower) = below(problem, &mut found, options, watch) {
        found = lower;
    }
    found
}

/// A solution below a saddle, from points beside it; none where there is none, or what lies below is worth no more than
/// tolerances are: a direction that is flat but for them leads nowhere.
fn below(
    problem: &StageProblem,
    found: &mut Outcome,
    options: &Options,
    watch: &dyn Watch,
) -> Option<Outcome> {
    if !found.has_descent(problem) {
        return None;
    }
    let least = FALL * (1.0 + found.objective.abs());
    let descent = Descent::of(problem, found)?;
    if descent.worth <= least + found.slack {
        return None;
    }
    for way in 0..WAYS {
        if watch.stop() {
            break;
        }
        let rest = Options {
            iterations: options.iterations.saturating_sub(found.iterations),
            barrier: None,
            ..*options
        };
        let mut lower = Solver::new(problem, descent.beside(way), &rest, watch).run();
        lower.iterations += found.iterations;
        found.iterations = lower.iterations;
        let falls = lower.is_solved() && found.objective - lower.objective > least;
        if falls || lower.ending == Ending::Unbounded {
            return Some(lower);
        }
    }
    None
}

/// Estimated multipliers beyond this are those of conditions that depend on each other.
const MOST_ESTIMATED: f64 = 1e3;
/// The multiplier of a bound that holds a variable is larger.
const HOLDS: f64 = 1e-7;
/// By how much the objective falls where a saddle is left for good.
const FALL: f64 = 1e-9;

pub(super) struct Solver<'p> {
    pub problem: &'p StageProblem,
    pub options: &'p Options,
    pub watch: &'p dyn Watch,
    pub bounds: Bounds,
    pub kkt: Kkt<'p>,
    pub scratch: Scratch,
    pub now: Iterate,
    /// What the objective is multiplied by.
    pub scale: f64,
    pub mu: f64,
    pub filter: Filter,
    pub least_violation: f64,
    pub last_shift: f64,
    pub iterations: usize,
    best: (f64, Iterate),
}

impl<'p> Solver<'p> {
    fn new(
        problem: &'p StageProblem,
        start: Iterate,
        options: &'p Options,
        watch: &'p dyn Watch,
    ) -> Self {
        let bounds = Bounds::of(problem);
        let mut now = start;
        let warm = now.multipliers.len() == problem.constraints();
        let share = if warm && options.barrier.is_some() {
            WARM_INSIDE
        } else {
            INSIDE
        };
        bounds.push_inside(&mut now.point.variables, share);
        let mu = options.barrier.unwrap_or(0.1);
        let mu = if bounds.is_empty() { 0.0 } else { mu };
        if !warm || now.bounds.len() != 2 * problem.variables() {
            now.bounds = bounds.central(&now.point.variables, mu.max(LEAST_BARRIER));
            if options.barrier.is_none() && mu > 0.0 {
                now.bounds = bounds.central(&now.point.variables, mu);
            }
        }
        if !warm {
            now.multipliers = vec![0.0; problem.constraints()];
        }
        bounds.safeguard(&now.point.variables, &mut now.bounds, mu);
        Self {
            kkt: Kkt::new(problem),
            scratch: problem.scratch(),
            problem,
            options,
            watch,
            bounds,
            scale: if warm { 1.0 } else { 0.0 },
            mu,
            filter: Filter::default(),
            least_violation: 0.0,
            last_shift: 0.0,
            iterations: 0,
            best: (f64::INFINITY, now.clone()),
            now,
        }
    }

    fn run(mut self) -> Outcome {
        let ending = self.iterate();
        self.finish(ending)
    }

    /// Iterates until there is an end.
    fn iterate(&mut self) -> Ending {
        let warm = self.scale != 0.0;
        self.scale = 1.0;
        if let Err(ending) = self.prepare(warm).or_else(|e| self.prepare_beside(e)) {
            return ending;
        }
        let mut stalled = 0;
        loop {
            if let Err(ending) = self.iteration(&mut stalled) {
                return ending;
            }
        }
    }

    /// One iteration, after so many without progress; an ending where it is the last.
    fn iteration(&mut self, stalled: &mut usize) -> Result<(), Ending> {
        let slopes = self.assemble()?;
        let error = self.error(&slopes, 0.0);
        if error < self.best.0 {
            self.best = (error, self.now.clone());
            *stalled = 0;
        } else {
            *stalled += 1;
        }
        let violation = largest(&slopes.constraints).0;
        self.watch.progress(self.iterations, violation, error);
        if let Some(ending) = self.ending(&slopes, error, *stalled) {
            return Err(ending);
        }
        self.lower_barrier(&slopes);
        self.iterations += 1;
        match self.step(&slopes) {
            Some(()) => Ok(()),
            None => self.restored(&slopes, *stalled),
        }
    }

    /// Is this the end?
    fn ending(&mut self, slopes: &Slopes, error: f64, stalled: usize) -> Option<Ending> {
        if error <= 1.0 {
            return Some(Ending::Solved);
        }
        if self.watch.stop() {
            return Some(Ending::Interrupted);
        }
        if stalled >= NO_PROGRESS && self.accepts_best() {
            return Some(Ending::Acceptable);
        }
        if stalled >= ABNORMAL.0 && self.is_abnormal(slopes) {
            return Some(Ending::Acceptable);
        }
        if self.iterations >= self.options.iterations {
            return Some(Ending::IterationLimit);
        }
        let far = largest(&self.now.point.variables).0;
        let is_away = far > AWAY || slopes.objective < -AWAY;
        let kept = largest(&slopes.constraints).0 <= KEPT * far.max(1.0);
        // What leaves the constraints behind says nothing of the objective.
        is_away.then_some(match kept {
            true => Ending::Unbounded,
            false => Ending::IterationLimit,
        })
    }

    /// Goes back to the best iterate, if that is good enough.
    fn accepts_best(&mut self) -> bool {
        let acceptable = self.best.0 <= ACCEPTABLE;
        if acceptable {
            self.now = self.best.1.clone();
        }
        acceptable
    }

    /// Lowers the barrier as long as its problem is solved well enough.
    fn lower_barrier(&mut self, slopes: &Slopes) {
        let least = self.options.optimality / 100.0;
        while self.mu > least && self.error(slopes, self.mu) <= 10.0 {
            self.mu = (self.mu * 0.2).min(self.mu.powf(1.5)).max(least);
            self.filter.clear();
        }
    }

    /// Where no step leads on: goes to a point with less violation, or begins the barrier problem anew.
    fn restored(&mut self, slopes: &Slopes, stalled: usize) -> Result<(), Ending> {
        if self.accepts_best() {
            return Err(Ending::Acceptable);
        }
        if largest(&slopes.constraints).0 <= self.options.feasibility {
            // Nothing is violated that could be restored.
            if stalled > NO_MORE {
                return Err(self.judge_multipliers());
            }
            self.filter.clear();
            self.refresh();
            return Ok(());
        }
        let objective = self.barrier_objective(slopes.objective, &self.now.point);
        let violation = total(&slopes.constraints);
        self.filter.add(violation, objective);
        let options = self.options;
        match restore(self, violation, options) {
            Restored::Feasible => self.refresh(),
            Restored::Stationary => return Err(Ending::Infeasible),
            Restored::Limit => return Err(Ending::IterationLimit),
            Restored::Stopped => return Err(Ending::Interrupted),
        }
        Ok(())
    }

    /// Scales the objective and estimates the multipliers.
    fn prepare(&mut self, warm: bool) -> Result<(), Ending> {
        let slopes = self.assemble()?;
        let steepest = largest(&slopes.gradient).0;
        self.scale = self.options.weight.min(STEEP / steepest);
        let violation = total(&slopes.constraints);
        self.filter = Filter::new(1e4 * violation.max(1.0));
        self.least_violation = SMALL_VIOLATION * violation.max(1.0);
        if warm {
            self.now
                .multipliers
                .iter_mut()
                .for_each(|l| *l *= self.scale);
            self.now.bounds.scale(self.scale);
        } else {
            self.refresh();
        }
        Ok(())
    }

    /// The same from a point beside, where functions have no slope at the start: lengths have none where they vanish.
    fn prepare_beside(&mut self, ending: Ending) -> Result<(), Ending> {
        let Ending::NoValue { .. } = ending else {
            return Err(ending);
        };
        self.now = Iterate {
            point: beside(self, &self.now.point),
            multipliers: vec![0.0; self.problem.constraints()],
            bounds: BoundMultipliers::default(),
        };
        self.now.bounds = self.bounds.central(&self.now.point.variables, self.mu);
        self.best.1 = self.now.clone();
        // Where there is none either, the first is told.
        self.prepare(false).map_err(|_| ending)
    }

    /// Multipliers of least squares at the point, none where they are large.
    fn refresh(&mut self) {
        self.estimate(ESTIMATE);
        if largest(&self.now.multipliers).0 > MOST_ESTIMATED {
            self.now.multipliers.fill(0.0);
        }
    }

    /// Multipliers of least squares at the point: min |σ∇f + Aᵀλ − z|.
    /// Dependent constraints share them, by a little that is taken from their diagonal.
    fn estimate(&mut self, little: f64) {
        if self.mu > 0.0 {
            self.now.bounds = self.bounds.central(&self.now.point.variables, self.mu);
        }
        self.now.multipliers.fill(0.0);
        let Ok(slopes) = self.assemble() else { return };
        self.kkt.with_identity();
        let right = self.dual(&slopes);
        let right: Vec<f64> = right.iter().map(|g| -g).collect();
        let zeros = vec![0.0; self.problem.constraints()];
        let none = vec![0.0; right.len()];
        let mut with = |constraints: f64| {
            let shift = Shift {
                variables: 0.0,
                constraints,
            };
            self.kkt.factor(&none, shift)?;
            self.kkt.solve(&right, &zeros).map(|(_, found)| found)
        };
        // Where nothing is dependent nothing need be taken, which is quicker.
        let clear = with(0.0).filter(|found| largest(found).0 <= MOST_ESTIMATED);
        if let Some(multipliers) = clear.or_else(|| with(little)) {
            self.now.multipliers = multipliers;
        }
    }

    /// Where no step leads on from a feasible point: is it one whose multipliers have no limit?
    fn judge_multipliers(&mut self) -> Ending {
        self.estimate(BARE_ESTIMATE);
        match self.assemble() {
            Ok(slopes) if self.is_abnormal(&slopes) => Ending::Acceptable,
            _ => Ending::IterationLimit,
        }
    }

    /// Unscales, and looks at the inertia where the solve ended well.
    fn finish(mut self, ending: Ending) -> Outcome {
        let solved = matches!(ending, Ending::Solved | Ending::Acceptable);
        let slopes = self.assemble().ok();
        let stiffness = self
            .bounds
            .stiffness(&self.now.point.variables, &self.now.bounds);
        let inertia = match solved {
            true => self.kkt.settled_inertia(&stiffness),
            false => None,
        };
        let optimality = slopes
            .as_ref()
            .map_or(f64::NAN, |s| largest(&self.dual(s)).0 / self.scale);
        let infeasibility = slopes
            .as_ref()
            .map_or((f64::NAN, 0), |s| largest(&s.constraints));
        let value = slopes.as_ref().map(|s| self.value(s, solved));
        let (objective, missed) = value.unwrap_or((f64::NAN, 0.0));
        let held = self.now.bounds.largest() > HOLDS * self.scale;
        let near = (self.bounds).slack(&self.now.point.variables, &self.now.bounds);
        let mut iterate = self.now;
        iterate
            .multipliers
            .iter_mut()
            .for_each(|l| *l /= self.scale);
        iterate.bounds.scale(1.0 / self.scale);
        Outcome {
            ending,
            iterate,
            objective,
            iterations: self.iterations,
            optimality,
            infeasibility,
            inertia,
            slack: missed + near / self.scale,
            held,
        }
    }
}
