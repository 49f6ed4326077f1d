//! The primal-dual interior point: barrier, inertia, filter line search, second-order correction.

use super::assembly::{Kkt, Shift, Slopes};
use super::descent::{Descent, WAYS};
use super::filter::{Filter, MARGIN};
use super::problem::{Point, Scratch, StageProblem};
use super::restoration::{Restored, restore};
use super::step::{BoundMultipliers, Bounds};
use rattleback_numeric::Inertia;

/// What is asked of a solve.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The largest slope of the Lagrangian that counts as none, relative to the multipliers.
    pub optimality: f64,
    /// The largest violation of a constraint that counts as none.
    pub feasibility: f64,
    /// The most iterations.
    pub iterations: usize,
    /// The barrier to begin with; none for one that fits the start.
    pub barrier: Option<f64>,
    /// Is a minimum asked for? Then saddles are left.
    pub minimum: bool,
    /// What the objective is multiplied by: tolerances are met by the product.
    pub weight: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            optimality: 1e-9,
            feasibility: 1e-10,
            iterations: 1000,
            barrier: None,
            minimum: true,
            weight: 1.0,
        }
    }
}

/// A point with its multipliers.
#[derive(Clone, Debug, Default)]
pub struct Iterate {
    /// The point.
    pub point: Point,
    /// λ of f + λ·c.
    pub multipliers: Vec<f64>,
    /// The multipliers of the bounds.
    pub bounds: BoundMultipliers,
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// The conditions hold.
    Solved,
    /// They hold as far as rounding lets them.
    Acceptable,
    /// The violation of the constraints has a least value above zero.
    Infeasible,
    /// The objective or the variables run away.
    Unbounded,
    /// A function has no value.
    NoValue {
        /// At which piece.
        piece: usize,
    },
    /// The most iterations were made.
    IterationLimit,
    /// Somebody stopped it.
    Interrupted,
}

/// The end of a solve.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// The last point.
    pub iterate: Iterate,
    /// The objective there.
    pub objective: f64,
    /// How many iterations were made.
    pub iterations: usize,
    /// The largest slope of the Lagrangian.
    pub optimality: f64,
    /// The largest violation, and of which constraint.
    pub infeasibility: (f64, usize),
    /// The inertia of the KKT matrix at the end, where it has factors.
    pub inertia: Option<Inertia>,
    /// What the constraints and bounds are worth, to first order, that are met up to tolerances only.
    pub slack: f64,
    /// Does a bound hold a variable?
    pub held: bool,
}

/// Who watches a solve, and may end it.
pub trait Watch {
    /// Shall the solve end?
    fn stop(&self) -> bool {
        false
    }
    /// An iteration has been made: its number, the violation and the slope.
    fn progress(&self, _iteration: usize, _infeasibility: f64, _optimality: f64) {}
}

/// Nobody watches.
impl Watch for () {}

/// Points further away than this have run away.
const AWAY: f64 = 1e12;
/// How large a violation may be beside the variables, for a point that runs away within its constraints.
const KEPT: f64 = 1e-6;
/// Gradients larger than this are scaled down.
const STEEP: f64 = 100.0;
/// An ending that is no longer improved on is accepted within this factor of what is asked.
const ACCEPTABLE: f64 = 1e3;

/// After so many iterations without progress multipliers are looked at that are larger than this.
const ABNORMAL: (usize, f64) = (8, 1e5);
/// What is next to nothing beside such multipliers.
const VANISHES: f64 = 1e-6;

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

/// The multiplier of a bound that holds a variable is larger.
const HOLDS: f64 = 1e-7;
/// By how much the objective falls where a saddle is left for good.
const FALL: f64 = 1e-9;

impl Outcome {
    /// Do the conditions of first order hold?
    pub fn is_solved(&self) -> bool {
        matches!(self.ending, Ending::Solved | Ending::Acceptable)
    }

    /// Does the objective fall along some direction, to second order?
    fn has_descent(&self, problem: &StageProblem) -> bool {
        let more = |i: Inertia| i.negative > problem.constraints();
        self.is_solved() && self.inertia.is_some_and(more)
    }
}

pub(super) struct Solver<'p> {
    pub problem: &'p StageProblem,
    options: &'p Options,
    pub watch: &'p dyn Watch,
    pub bounds: Bounds,
    pub kkt: Kkt,
    pub scratch: Scratch,
    pub now: Iterate,
    /// What the objective is multiplied by.
    scale: f64,
    pub mu: f64,
    pub filter: Filter,
    least_violation: f64,
    pub last_shift: f64,
    pub iterations: usize,
    best: (f64, Iterate),
}

enum Search {
    Moved,
    Restore,
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
            1e-8
        } else {
            1e-2
        };
        bounds.push_inside(&mut now.point.variables, share);
        let mu = options.barrier.unwrap_or(0.1);
        let mu = if bounds.is_empty() { 0.0 } else { mu };
        if !warm || now.bounds.len() != 2 * problem.variables() {
            now.bounds = bounds.central(&now.point.variables, mu.max(1e-11));
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
        let warm = self.scale != 0.0;
        self.scale = 1.0;
        if let Err(ending) = self.prepare(warm) {
            return self.finish(ending);
        }
        let mut stalled = 0;
        loop {
            let slopes = match self.assemble() {
                Ok(slopes) => slopes,
                Err(ending) => return self.finish(ending),
            };
            let error = self.error(&slopes, 0.0);
            if error < self.best.0 {
                self.best = (error, self.now.clone());
                stalled = 0;
            } else {
                stalled += 1;
            }
            let violation = largest(&slopes.constraints).0;
            self.watch.progress(self.iterations, violation, error);
            if error <= 1.0 {
                return self.finish(Ending::Solved);
            }
            if self.watch.stop() {
                return self.finish(Ending::Interrupted);
            }
            let acceptable = self.best.0 <= ACCEPTABLE;
            if acceptable && stalled >= 8 {
                self.now = self.best.1.clone();
                return self.finish(Ending::Acceptable);
            }
            if stalled >= ABNORMAL.0 && self.is_abnormal(&slopes) {
                return self.finish(Ending::Acceptable);
            }
            if self.iterations >= self.options.iterations {
                return self.finish(Ending::IterationLimit);
            }
            let far = largest(&self.now.point.variables).0;
            if far > AWAY || slopes.objective < -AWAY {
                // What leaves the constraints behind says nothing of the objective.
                return self.finish(match violation <= KEPT * far.max(1.0) {
                    true => Ending::Unbounded,
                    false => Ending::IterationLimit,
                });
            }
            while self.mu > 0.0 && self.error(&slopes, self.mu) <= 10.0 {
                let least = self.options.optimality / 100.0;
                if self.mu <= least {
                    break;
                }
                self.mu = (self.mu * 0.2).min(self.mu.powf(1.5)).max(least);
                self.filter.clear();
            }
            self.iterations += 1;
            let moved = match self.step(&slopes) {
                Some(moved) => moved,
                None => Search::Restore,
            };
            if let Search::Restore = moved {
                if acceptable {
                    self.now = self.best.1.clone();
                    return self.finish(Ending::Acceptable);
                }
                let objective = self.barrier_objective(slopes.objective, &self.now.point);
                let violation = total(&slopes.constraints);
                if largest(&slopes.constraints).0 <= self.options.feasibility {
                    // Nothing is violated that could be restored: the barrier problem begins anew.
                    if stalled > 30 {
                        let ending = self.judge_multipliers();
                        return self.finish(ending);
                    }
                    self.filter.clear();
                    self.refresh();
                    continue;
                }
                self.filter.add(violation, objective);
                let options = self.options;
                match restore(&mut self, violation, options) {
                    Restored::Feasible => self.refresh(),
                    Restored::Stationary => return self.finish(Ending::Infeasible),
                    Restored::Limit => return self.finish(Ending::IterationLimit),
                    Restored::Stopped => return self.finish(Ending::Interrupted),
                }
            }
        }
    }

    /// Scales the objective and estimates the multipliers.
    fn prepare(&mut self, warm: bool) -> Result<(), Ending> {
        let slopes = self.assemble()?;
        let steepest = largest(&slopes.gradient).0;
        self.scale = self.options.weight.min(STEEP / steepest);
        let violation = total(&slopes.constraints);
        self.filter = Filter::new(1e4 * violation.max(1.0));
        self.least_violation = 1e-4 * violation.max(1.0);
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

    /// Multipliers of least squares at the point, none where they are large.
    fn refresh(&mut self) {
        self.estimate(1e-10);
        if largest(&self.now.multipliers).0 > 1e3 {
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
        let ones = vec![1.0; self.problem.variables()];
        self.kkt.with_identity(&ones);
        let right = self.dual(&slopes);
        let right: Vec<f64> = right.iter().map(|g| -g).collect();
        let zeros = vec![0.0; self.problem.constraints()];
        let shift = Shift {
            variables: 0.0,
            constraints: little,
        };
        let none = vec![0.0; ones.len()];
        let found = self.kkt.factor(&none, shift).is_some();
        let solved = if found {
            self.kkt.solve(&right, &zeros)
        } else {
            None
        };
        if let Some((_, multipliers)) = solved {
            self.now.multipliers = multipliers;
        }
    }

    /// Where no step leads on from a feasible point: is it one whose multipliers have no limit?
    fn judge_multipliers(&mut self) -> Ending {
        self.estimate(1e-20);
        match self.assemble() {
            Ok(slopes) if self.is_abnormal(&slopes) => Ending::Acceptable,
            _ => Ending::IterationLimit,
        }
    }

    fn assemble(&mut self) -> Result<Slopes, Ending> {
        let (problem, now) = (self.problem, &self.now);
        let found = self.kkt.assemble(
            problem,
            &now.point,
            self.scale,
            &now.multipliers,
            &mut self.scratch,
        );
        found.map_err(|e| Ending::NoValue { piece: e.piece })
    }

    /// σ∇f + Aᵀλ − z_l + z_u.
    fn dual(&self, slopes: &Slopes) -> Vec<f64> {
        let z = &self.now.bounds;
        let slopes = slopes.gradient.iter().zip(&slopes.reactions);
        let both = z.lower.iter().zip(&z.upper);
        let all = slopes.zip(both);
        all.map(|((g, r), (l, u))| self.scale * g + r - l + u)
            .collect()
    }

    /// The largest miss of the conditions of the barrier problem, 1 where it is what is asked for.
    fn error(&self, slopes: &Slopes, mu: f64) -> f64 {
        let z = &self.now.bounds;
        let size = |sum: f64, n: usize| (sum / n.max(1) as f64).max(100.0) / 100.0;
        let multipliers = total(&self.now.multipliers);
        let all = self.now.multipliers.len() + z.len();
        let dual = largest(&self.dual(slopes)).0 / size(multipliers + z.sum(), all);
        let x = &self.now.point.variables;
        let complementarity = self.bounds.complementarity(x, z, mu) / size(z.sum(), z.len());
        let primal = largest(&slopes.constraints).0;
        let scale = if mu > 0.0 { 1.0 / mu } else { 0.0 };
        match mu > 0.0 {
            true => dual.max(complementarity).max(primal) * scale,
            false => (dual.max(complementarity) / self.options.optimality)
                .max(primal / self.options.feasibility),
        }
    }

    /// Do the conditions of Fritz John hold at a feasible point whose multipliers have no limit: σ∇f + Aᵀλ − z vanishes
    /// beside the largest of them?
    fn is_abnormal(&self, slopes: &Slopes) -> bool {
        let largest_multiplier = largest(&self.now.multipliers).0;
        let dual = largest(&self.dual(slopes)).0;
        let gaps = self
            .bounds
            .complementarity(&self.now.point.variables, &self.now.bounds, 0.0);
        largest_multiplier >= ABNORMAL.1
            && largest(&slopes.constraints).0 <= self.options.feasibility
            && dual.max(gaps) <= VANISHES * largest_multiplier
    }

    pub fn barrier_objective(&self, objective: f64, at: &Point) -> f64 {
        let barrier = match self.mu > 0.0 {
            true => self.mu * self.bounds.barrier(&at.variables),
            false => 0.0,
        };
        self.scale * objective + barrier
    }

    /// One step of Newton's method on the barrier problem, with its line search; none where no step is found.
    fn step(&mut self, slopes: &Slopes) -> Option<Search> {
        let x = self.now.point.variables.clone();
        let stiffness = self.bounds.stiffness(&x, &self.now.bounds);
        let slope: Vec<f64> = match self.mu > 0.0 {
            true => self
                .bounds
                .barrier_slope(&x)
                .iter()
                .map(|b| self.mu * b)
                .collect(),
            false => vec![0.0; x.len()],
        };
        let barrier_gradient: Vec<f64> = (slopes.gradient.iter().zip(&slope))
            .map(|(g, b)| self.scale * g + b)
            .collect();
        let right: Vec<f64> = (barrier_gradient.iter().zip(&slopes.reactions))
            .map(|(g, r)| -(g + r))
            .collect();
        let rows: Vec<f64> = slopes.constraints.iter().map(|c| -c).collect();
        let (dx, dy) = self.newton_step(&stiffness, &right, &rows)?;
        let dz = self
            .bounds
            .multiplier_step(&x, &dx, &self.now.bounds, self.mu);
        let tau = (1.0 - self.mu).max(0.99);
        let longest = self.bounds.longest(&x, &dx, tau).min(self.within_turn(&dx));
        let tried = Tried {
            slopes,
            right: &right,
            tau,
            decrease: dot(&barrier_gradient, &dx),
            violation: total(&slopes.constraints),
            objective: self.barrier_objective(slopes.objective, &self.now.point),
        };
        let relative = dx.iter().zip(&x).map(|(d, x)| d.abs() / (1.0 + x.abs()));
        let is_tiny = relative.fold(0.0, f64::max) < 1e-14;
        let (point, share) = match is_tiny {
            true => (self.problem.moved(&self.now.point, &dx, longest), longest),
            false => match self.search(&tried, &dx, longest) {
                Some(found) => found,
                None => return Some(Search::Restore),
            },
        };
        let dual_share = self.now.bounds.longest(&dz, tau);
        self.now.point = point;
        for (l, d) in self.now.multipliers.iter_mut().zip(&dy) {
            *l += share * d;
        }
        self.now.bounds.add(&dz, dual_share);
        let x = &self.now.point.variables;
        if self.mu > 0.0 {
            self.bounds.safeguard(x, &mut self.now.bounds, self.mu);
        }
        Some(Search::Moved)
    }

    /// Shorter and shorter steps, until one is good for the filter.
    fn search(&mut self, tried: &Tried, dx: &[f64], longest: f64) -> Option<(Point, f64)> {
        let mut share = longest;
        let least = self.least_share(tried).max(1e-14);
        let mut first = true;
        let mut violated = vec![0.0; self.problem.constraints()];
        while share >= least {
            let point = self.problem.moved(&self.now.point, dx, share);
            let value = self
                .problem
                .evaluate(&point, &mut violated, &mut self.scratch);
            if let Ok(value) = value {
                let violation = total(&violated);
                let objective = self.barrier_objective(value, &point);
                if self.accept(tried, share, violation, objective) {
                    return Some((point, share));
                }
                if first
                    && violation >= tried.violation
                    && let Some(found) = self.correct(tried, &violated, longest)
                {
                    return Some(found);
                }
            }
            first = false;
            share /= 2.0;
        }
        None
    }

    /// Second-order corrections: the step that removes the violation at the end of the full one, too.
    fn correct(&mut self, tried: &Tried, violated: &[f64], longest: f64) -> Option<(Point, f64)> {
        let mut rows: Vec<f64> = (tried.slopes.constraints.iter().zip(violated))
            .map(|(c, v)| -(longest * c + v))
            .collect();
        let mut last = total(violated);
        let mut violated = vec![0.0; rows.len()];
        for _ in 0..4 {
            let (dx, _) = self.kkt.solve(tried.right, &rows)?;
            let share = self
                .bounds
                .longest(&self.now.point.variables, &dx, tried.tau);
            let point = self.problem.moved(&self.now.point, &dx, share);
            let value = self
                .problem
                .evaluate(&point, &mut violated, &mut self.scratch)
                .ok()?;
            let violation = total(&violated);
            let objective = self.barrier_objective(value, &point);
            if self.accept(tried, longest, violation, objective) {
                return Some((point, share));
            }
            if violation > 0.99 * last {
                return None;
            }
            last = violation;
            for (r, v) in rows.iter_mut().zip(&violated) {
                *r = share * *r - v;
            }
        }
        None
    }

    /// Does a step promise more from the objective than from the constraints?
    fn switches(&self, tried: &Tried, share: f64) -> bool {
        tried.decrease < 0.0 && share * (-tried.decrease).powf(2.3) > tried.violation.powf(1.1)
    }

    fn least_share(&self, tried: &Tried) -> f64 {
        let violation = tried.violation;
        let mut least = MARGIN.0;
        if tried.decrease < 0.0 {
            least = least.min(MARGIN.1 * violation / -tried.decrease);
            if violation <= self.least_violation {
                least = least.min(violation.powf(1.1) / (-tried.decrease).powf(2.3));
            }
        }
        0.05 * least
    }

    fn accept(&mut self, tried: &Tried, share: f64, violation: f64, objective: f64) -> bool {
        if !objective.is_finite() || !self.filter.accepts(violation, objective) {
            return false;
        }
        let rounding = 10.0 * f64::EPSILON * tried.objective.abs();
        let armijo = objective <= tried.objective + 1e-8 * share * tried.decrease + rounding;
        let switches = self.switches(tried, share) && tried.violation <= self.least_violation;
        if switches {
            return armijo;
        }
        let improves = violation <= (1.0 - MARGIN.0) * tried.violation
            || objective <= tried.objective - MARGIN.1 * tried.violation + rounding;
        if improves && !(armijo && self.switches(tried, share)) {
            self.filter.add(tried.violation, tried.objective);
        }
        improves
    }

    /// The objective, and what missed constraints are worth beyond it. Where they hold it is f + λ·c but for the square of
    /// what they miss, while f is off by the miss times the multipliers, which many intervals add up; multipliers without
    /// a limit, and those of a solve that did not end, say only how much that may be.
    fn value(&self, slopes: &Slopes, solved: bool) -> (f64, f64) {
        let worth = |pair: (&f64, &f64)| pair.0 * pair.1 / self.scale;
        let missed = || self.now.multipliers.iter().zip(&slopes.constraints);
        match solved && largest(&self.now.multipliers).0 < ABNORMAL.1 {
            true => (slopes.objective + missed().map(worth).sum::<f64>(), 0.0),
            false => (slopes.objective, missed().map(|p| worth(p).abs()).sum()),
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

/// What a line search compares with.
struct Tried<'a> {
    slopes: &'a Slopes,
    right: &'a [f64],
    tau: f64,
    /// The slope of the barrier objective along the step.
    decrease: f64,
    violation: f64,
    objective: f64,
}

pub(super) fn total(values: &[f64]) -> f64 {
    values.iter().map(|v| v.abs()).sum()
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The largest magnitude and where it stands.
pub(super) fn largest(values: &[f64]) -> (f64, usize) {
    let all = values.iter().enumerate();
    all.fold((0.0, 0), |(m, at), (i, v)| match v.abs() > m {
        true => (v.abs(), i),
        false => (m, at),
    })
}
