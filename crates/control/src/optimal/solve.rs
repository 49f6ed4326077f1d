//! From a posed problem to its solution: iterates, meshes, several starts, and what became of them.

use super::error::PoseError;
use super::extract::Trajectory;
use super::mesh::Mesh;
use super::path::Path;
use super::plant::Kind;
use super::posed::{Bounded, Posed};
use super::refinement::Limit;
use super::scheme::{Ends, Scheme};
use super::sizes::Sizes;
use super::tolerance::LEAST_SPAN;
use super::transcribe::{RowLabel, Transcriber, Transcription};
use crate::stage::{self, Ending, Iterate, Outcome, StageProblem, Watch};
use rattleback_lie::Retraction;
use rattleback_mechanics::Origin;
use rattleback_numeric::Inertia;
use std::sync::Arc;
use std::time::Instant;

/// What is asked of a solve.
#[derive(Clone, Debug)]
pub struct Request {
    /// The scheme.
    pub scheme: Scheme,
    /// How velocities on intervals meet those at the ends.
    pub ends: Ends,
    /// By which map they move group elements.
    pub retraction: Retraction,
    /// The number of intervals; none to refine until the cost is known.
    pub nodes: Option<usize>,
    /// The relative error of the cost that is aimed at.
    pub tolerance: f64,
    /// How many first iterates are tried.
    pub starts: usize,
    /// A first iterate.
    pub guess: Option<Path>,
    /// The most iterations of one solve.
    pub iterations: usize,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            scheme: Scheme::default(),
            ends: Ends::default(),
            retraction: Retraction::Cayley,
            nodes: None,
            tolerance: 1e-6,
            starts: 1,
            guess: None,
            iterations: 500,
        }
    }
}

/// What became of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The conditions of optimality hold.
    Solved,
    /// The conditions contradict each other, near the last iterate.
    Infeasible,
    /// An invariant or the algebra excludes the goal.
    Unreachable,
    /// The cost has no least value, or it is not attained.
    Unbounded,
    /// The discretisation leaves free directions.
    Degenerate,
    /// The conditions do not determine the controls.
    Singular,
    /// The most iterations were made.
    IterationLimit,
    /// Somebody stopped it.
    Interrupted,
}

impl Status {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Status::Solved => "solved",
            Status::Infeasible => "infeasible",
            Status::Unreachable => "unreachable",
            Status::Unbounded => "unbounded",
            Status::Degenerate => "degenerate",
            Status::Singular => "singular",
            Status::IterationLimit => "iteration-limit",
            Status::Interrupted => "interrupted",
        }
    }
}

/// What kind of stationary path it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extremum {
    /// A strict local minimum of the discrete problem.
    Minimum,
    /// There are directions up and down.
    Saddle,
    /// All directions lead down.
    Maximum,
    /// Not told.
    Unknown,
}

impl Extremum {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Extremum::Minimum => "minimum",
            Extremum::Saddle => "saddle",
            Extremum::Maximum => "maximum",
            Extremum::Unknown => "unknown",
        }
    }
}

/// The constraint that resists.
#[derive(Clone, Debug)]
pub struct Resisting {
    /// The time.
    pub time: f64,
    /// By how much it is violated; none where cost or motion have no value there.
    pub by: Option<f64>,
    /// The statement; none for the motion itself.
    pub origin: Option<Origin>,
    /// Is it the start?
    pub at_start: bool,
}

impl Resisting {
    /// In words, with those for the statement that it comes of.
    pub fn told(&self, origin: Option<String>) -> String {
        let time = self.time;
        match (self.by, origin, self.at_start) {
            (None, ..) => format!("cost or motion have no value at t = {time:.6}"),
            (Some(by), Some(what), _) => format!("{what} is violated by {by:.3e} at t = {time:.6}"),
            // The start is given: that it is missed most says that the rest cannot be met from it.
            (Some(by), None, true) => {
                format!("goal and bounds would need another start, which differs by {by:.3e}")
            }
            (Some(by), None, false) => {
                format!("the equation of motion is violated by {by:.3e} at t = {time:.6}")
            }
        }
    }
}

/// The end of a solve.
#[derive(Clone, Debug)]
pub struct Solution {
    /// What became of it.
    pub status: Status,
    /// The cost; none where the problem has none.
    pub cost: Option<f64>,
    /// The size that costs of the problem have: one that vanishes beside it is none.
    pub cost_unit: f64,
    /// The estimated relative error of the cost; none on a mesh that was asked for.
    pub cost_error: Option<f64>,
    /// Has the mesh reached its limit before the error was small?
    pub mesh_limit: bool,
    /// The relative error of the cost that was aimed at.
    pub tolerance: f64,
    /// The scheme.
    pub scheme: Scheme,
    /// The intervals.
    pub nodes: usize,
    /// The iterations of all meshes.
    pub iterations: usize,
    /// The largest slope of the Lagrangian.
    pub optimality: f64,
    /// The largest violation of a constraint.
    pub infeasibility: f64,
    /// The free numbers.
    pub free: Vec<f64>,
    /// The path.
    pub trajectory: Trajectory,
    /// What kind of stationary path.
    pub extremum: Extremum,
    /// Do the conditions along the path depend on each other, whatever the cost?
    pub abnormal: bool,
    /// Negative directions beyond those of a minimum; none where the matrix has no factors.
    pub descents: Option<usize>,
    /// With several starts: the costs of distinct solutions, lowest first.
    pub extremals: Vec<(f64, Extremum)>,
    /// Where it failed: what resists.
    pub resisting: Option<Resisting>,
    /// What finer and finer meshes tend to.
    pub limit: Limit,
    /// How far the path is from that on the mesh before, beside its range; none where only one mesh was solved on.
    pub change: Option<f64>,
    /// Seconds spent on compiling and on solving.
    pub seconds: [f64; 2],
}

/// The intervals that refinement begins with.
pub(super) const FIRST_INTERVALS: usize = 20;

/// How much such violations may differ, beside their size.
const ALIKE: f64 = 0.1;
/// A cost below this falls without end.
const BOTTOMLESS: f64 = -1e10;
/// The most iterations with times held near their guess.
const HELD: usize = 100;
/// A shorter horizon is none.
const SHORTEST: f64 = 1e-7;
/// How well a path keeps to its conditions while a free number runs away.
const KEPT: f64 = 1e-6;
/// Free numbers beyond this multiple of their guess have run away.
const RUN_AWAY: f64 = 1e4;

/// Solves a posed problem.
///
/// The conditions of Hermite and Simpson see a control at nodes and middles only, and a path may gain from pulses between
/// them that no mesh gets rid of. Where the choice of a mesh is left to refinement, and its meshes do not agree, those of
/// Gauss are tried.
pub fn solve(posed: Posed, request: &Request, watch: &dyn Watch) -> Result<Solved, PoseError> {
    let may_change = request.nodes.is_none()
        && request.scheme == Scheme::HermiteSimpson
        && posed.plant.kind == Kind::OptimalControl
        && !posed.plant.is_map;
    let again = may_change.then(|| posed.clone());
    let unasked = |_: &Run, _: &Found| ();
    let (mut first, ()) = solve_by(posed, request, watch, unasked)?;
    let limit = first.solution.limit;
    let is_open = first.solution.status == Status::IterationLimit;
    let grows = matches!(limit, Limit::Growth(_));
    let Some(posed) = again.filter(|_| is_open && !grows) else {
        return Ok(first);
    };
    let other = Request {
        scheme: Scheme::Gauss4,
        ..request.clone()
    };
    let (mut second, ()) = solve_by(posed.clone(), &other, watch, unasked)?;
    // What another scheme's meshes tend to is an answer, too, where those of the first tend to nothing.
    let told = second.solution.status == Status::Unbounded && second.solution.limit != Limit::Path;
    if second.solution.status != Status::Solved && !told {
        let mean = match limit {
            Limit::Needles => super::mean::of(&posed, &first, &other, watch)?,
            _ => None,
        };
        if let Some(mean) = mean {
            first.solution.limit = mean;
            first.solution.status = mean.status();
        }
        if watch.stop() {
            first.solution.status = Status::Interrupted;
        }
        return Ok(first);
    }
    second.solution.iterations += first.solution.iterations;
    for (sum, part) in (second.solution.seconds.iter_mut()).zip(first.solution.seconds) {
        *sum += part;
    }
    Ok(second)
}

/// Solves by one scheme, and asks something of what was found on the last mesh.
pub(super) fn solve_by<T>(
    mut posed: Posed,
    request: &Request,
    watch: &dyn Watch,
    ask: impl Fn(&Run, &Found) -> T,
) -> Result<(Solved, T), PoseError> {
    let began = Instant::now();
    posed.retraction = request.retraction;
    let transcriber = Transcriber::new(posed, request.scheme, request.ends)?;
    let compiled = began.elapsed().as_secs_f64();
    let guess = match &request.guess {
        Some(path) => path.clone(),
        None => transcriber.posed.guess(0),
    };
    let mut run = Run {
        transcriber: &transcriber,
        sizes: Sizes::of(&transcriber, &guess),
        rolled: super::rolled::way(&transcriber.posed, request, watch),
        request,
        watch,
        iterations: 0,
        work: 0,
        patience: usize::MAX,
        singular: false,
        weight: 1.0,
        leaves: false,
    };
    let found = run.best_of_starts();
    let answer = ask(&run, &found);
    let seconds = [compiled, began.elapsed().as_secs_f64() - compiled];
    let solution = run.report(found, seconds);
    let solved = Solved {
        transcriber,
        solution,
    };
    Ok((solved, answer))
}

/// A solution with the problem that it is of.
pub struct Solved {
    /// The compiled problem.
    pub transcriber: Transcriber,
    /// Its solution.
    pub solution: Solution,
}

pub(super) struct Run<'r> {
    pub transcriber: &'r Transcriber,
    pub request: &'r Request,
    /// In what the problem is measured.
    pub sizes: Sizes,
    pub watch: &'r dyn Watch,
    /// The way with the attitude at the end left free, until it is tried.
    pub rolled: Option<Path>,
    iterations: usize,
    /// What was done so far, by the entries of the matrices that were factored, once each iteration.
    pub work: usize,
    /// The most iterations of a solve.
    pub patience: usize,
    /// Nothing determines the controls: one short solve shows a path, no more.
    pub singular: bool,
    /// What the cost is multiplied by while it is made least.
    pub weight: f64,
    /// Are stationary violations left for points beside?
    pub leaves: bool,
}

/// A solved mesh.
pub(super) struct Found {
    pub transcription: Transcription,
    pub outcome: Outcome,
    pub error: Option<f64>,
    pub mesh_limit: bool,
    /// What finer and finer meshes tend to.
    pub limit: Limit,
    /// How far the path is from that on the mesh before, beside its range.
    pub change: Option<f64>,
    pub extremals: Vec<(f64, Extremum)>,
}

impl Found {
    pub fn is_good(&self) -> bool {
        self.outcome.is_solved()
    }

    /// Would another first iterate change nothing: somebody stopped it, or the cost falls without end?
    pub fn is_final(&self) -> bool {
        let falls = self.outcome.objective < BOTTOMLESS;
        match self.outcome.ending {
            Ending::Interrupted => true,
            Ending::Unbounded => falls,
            _ => false,
        }
    }

    /// Do both end at the same least violation?
    pub fn resists_like(&self, other: &Found) -> bool {
        let stuck = |f: &Found| {
            let by = f.outcome.infeasibility.0;
            (f.outcome.ending == Ending::Infeasible).then_some(by)
        };
        match (stuck(self), stuck(other)) {
            (Some(a), Some(b)) => (a - b).abs() <= ALIKE * a.max(b),
            _ => false,
        }
    }
}

impl Run<'_> {
    fn lengths(&self, path: &Path) -> Vec<f64> {
        let t = self.transcriber;
        let ends: Vec<f64> = t
            .times
            .iter()
            .map(|e| t.time_value(e, &path.free))
            .collect();
        ends.windows(2)
            .map(|w| (w[1] - w[0]).max(LEAST_SPAN))
            .collect()
    }

    fn first_mesh(&self, path: &Path) -> Mesh {
        let posed = &self.transcriber.posed;
        if self.transcriber.scheme == Scheme::Map {
            return Mesh::uniform(&self.lengths(path), posed.steps());
        }
        let n = self.request.nodes.unwrap_or(FIRST_INTERVALS);
        Mesh::uniform(&self.lengths(path), n)
    }

    pub fn on_first_mesh(&mut self, path: &Path) -> Found {
        let mesh = self.first_mesh(path);
        if self.transcriber.posed.has_free_time() {
            // A path that is no motion yet drives the time anywhere, to none at all too: first one near the guess.
            let mut near = self.transcriber.on(mesh.clone());
            self.transcriber.hold_times(&mut near, path);
            let held = self.in_problem(near, path, None, HELD);
            if held.is_good() {
                let at = &held.outcome.iterate.point;
                let path = self.transcriber.path(&held.transcription, at);
                let found = self.on(mesh.clone(), &path, None);
                if found.is_good() {
                    return found;
                }
            }
        }
        self.on(mesh, path, None)
    }

    /// Solves on one mesh.
    pub fn on(&mut self, mesh: Mesh, path: &Path, barrier: Option<f64>) -> Found {
        let transcription = self.transcriber.on(mesh);
        self.in_problem(transcription, path, barrier, usize::MAX)
    }

    /// Solves a discrete problem with at most so many iterations.
    fn in_problem(
        &mut self,
        transcription: Transcription,
        path: &Path,
        barrier: Option<f64>,
        most: usize,
    ) -> Found {
        let start = Iterate {
            point: self.transcriber.point(&transcription, path),
            ..Iterate::default()
        };
        let (t, sizes) = (self.transcriber, &mut self.sizes);
        if sizes.cost.is_none() {
            sizes.cost = Some(t.cost_unit(sizes, &transcription, &start.point));
        }
        let mut outcome = match t.units(sizes, &transcription, &start.point) {
            None => self.minimised(&transcription.problem, start, barrier, most),
            Some(units) => {
                let measured = transcription.problem.measured_in(Arc::clone(&units));
                let found = self.minimised(&measured, units.measure(&start), barrier, most);
                units.told(&transcription.problem, found)
            }
        };
        if outcome.is_solved() {
            let at = &mut outcome.iterate.point;
            self.transcriber.unwind(&transcription, at, path);
        }
        let mut found = Found {
            transcription,
            outcome,
            error: None,
            mesh_limit: false,
            limit: Limit::default(),
            change: None,
            extremals: Vec::new(),
        };
        if found.is_good() && self.leaps(&found) {
            found.outcome.ending = Ending::IterationLimit;
        }
        found
    }

    /// Are positions that are kept on constraints moved by that more than by their velocities?
    fn leaps(&self, found: &Found) -> bool {
        let kept = !self.transcriber.posed.plant.holonomic.is_empty();
        kept && self.between(found).is_some_and(|b| b.leaps)
    }

    /// Makes a program least, or stationary where no more is asked.
    fn minimised(
        &mut self,
        problem: &StageProblem,
        start: Iterate,
        barrier: Option<f64>,
        most: usize,
    ) -> Outcome {
        let posed = &self.transcriber.posed;
        let only_stationary = posed.plant.kind == Kind::BoundaryValue && !problem.is_bounded();
        let options = stage::Options {
            iterations: match self.singular {
                true => self.request.iterations.min(50),
                false => self.request.iterations.min(most).min(self.patience),
            },
            barrier,
            weight: self.weight,
            leaves: self.leaves,
            minimum: !only_stationary,
            ..stage::Options::default()
        };
        let mut outcome = match only_stationary {
            true => stage::stationary(problem, start.clone(), &options, self.watch),
            false => stage::solve(problem, start.clone(), &options, self.watch),
        };
        self.iterations += outcome.iterations;
        self.work += outcome.iterations * problem.entries();
        if only_stationary && !outcome.is_solved() && outcome.ending != Ending::Interrupted {
            let least = stage::solve(problem, start, &options, self.watch);
            self.iterations += least.iterations;
            self.work += least.iterations * problem.entries();
            if least.is_solved()
                || !outcome.infeasibility.0.is_finite()
                || least.infeasibility.0 < outcome.infeasibility.0
            {
                outcome = least;
            }
        }
        outcome
    }

    fn wanted(&self, found: &Found) -> Inertia {
        Inertia {
            positive: found.transcription.problem.variables(),
            negative: found.transcription.problem.constraints(),
            zero: 0,
        }
    }

    pub fn extremum(&self, found: &Found) -> Extremum {
        let wanted = self.wanted(found);
        let reduced = wanted.positive - wanted.negative.min(wanted.positive);
        match found.outcome.inertia {
            Some(i) if i == wanted => Extremum::Minimum,
            // Fewer negative eigenvalues than constraints: these depend on each other, and no direction falls.
            Some(i) if i.zero > 0 || i.negative <= wanted.negative => Extremum::Unknown,
            Some(i) if i.negative >= wanted.negative + reduced => Extremum::Maximum,
            Some(_) => Extremum::Saddle,
            None => Extremum::Unknown,
        }
    }

    /// The same, where a direction along which the cost falls by less than it is known tells nothing.
    pub(super) fn judged(&self, found: &Found) -> Extremum {
        let told = self.extremum(found);
        if !matches!(told, Extremum::Saddle | Extremum::Maximum) {
            return told;
        }
        let error = found.error.unwrap_or(0.0).max(self.request.tolerance);
        let falls = stage::descent(&found.transcription.problem, &found.outcome);
        match falls.is_some_and(|worth| worth > error * found.outcome.objective.abs()) {
            true => told,
            false => Extremum::Unknown,
        }
    }

    fn report(&self, found: Found, seconds: [f64; 2]) -> Solution {
        let t = self.transcriber;
        let outcome = &found.outcome;
        let wanted = self.wanted(&found);
        let free = t.free_values(&found.transcription, &outcome.iterate.point);
        let status = match outcome.ending {
            // A free number that has run away solves the conditions as well as rounding can tell: the least value
            // is not attained. A strict minimum is, however far off the guess was.
            Ending::Solved | Ending::Acceptable
                if self.runs_away(&free) && self.judged(&found) != Extremum::Minimum =>
            {
                Status::Unbounded
            }
            Ending::Solved | Ending::Acceptable => found.limit.status(),
            // So it does where the path keeps to its conditions all the way.
            Ending::IterationLimit if outcome.infeasibility.0 <= KEPT && self.runs_away(&free) => {
                Status::Unbounded
            }
            Ending::Infeasible => Status::Infeasible,
            Ending::Unbounded => Status::Unbounded,
            Ending::IterationLimit | Ending::NoValue { .. } => Status::IterationLimit,
            Ending::Interrupted => Status::Interrupted,
        };
        let trajectory = t.trajectory(&found.transcription, &outcome.iterate);
        let status = match status {
            Status::Solved if self.is_singular(&trajectory) => Status::Singular,
            Status::Solved | Status::Unbounded | Status::IterationLimit if self.singular => {
                Status::Singular
            }
            Status::Solved if self.leaves_free(&found) => Status::Degenerate,
            status => status,
        };
        // What is left undone when somebody stops it says nothing of the problem.
        let cut_short = status != Status::Solved || found.mesh_limit;
        let status = match self.watch.stop() && cut_short {
            true => Status::Interrupted,
            false => status,
        };
        // Where all conditions hold none of them resists.
        let resists = !matches!(
            status,
            Status::Solved | Status::Degenerate | Status::Singular
        );
        let resisting = resists.then(|| self.resisting(&found, &trajectory));
        let abnormal = status == Status::Solved && self.is_abnormal(&found);
        Solution {
            status,
            cost: t.posed.plant.has_cost.then_some(outcome.objective),
            cost_unit: self.cost_size(),
            cost_error: found.error,
            mesh_limit: found.mesh_limit,
            tolerance: self.request.tolerance,
            scheme: t.scheme,
            nodes: found.transcription.mesh.intervals(),
            iterations: self.iterations,
            optimality: outcome.optimality,
            infeasibility: outcome.infeasibility.0,
            free,
            // The second derivatives of one of many Lagrangians, or of one without a limit, tell nothing.
            extremum: match abnormal {
                true => Extremum::Unknown,
                false => self.judged(&found),
            },
            abnormal,
            descents: outcome
                .inertia
                .map(|i| i.negative.saturating_sub(wanted.negative)),
            trajectory,
            limit: found.limit,
            change: found.change,
            resisting: resisting.flatten(),
            extremals: found.extremals,
            seconds,
        }
    }

    /// Do the conditions leave the controls open: no bounds on them, and H flat along most of the path?
    fn is_singular(&self, path: &Trajectory) -> bool {
        let posed = &self.transcriber.posed;
        let mut simple = posed.simple.iter();
        let bounded = simple.any(|b| matches!(b.on, Bounded::Control(_)))
            || posed.paths.iter().any(|b| b.on_controls);
        let mostly = path.singular_arcs().is_some_and(|arcs| arcs.share > 0.5);
        posed.plant.kind == Kind::OptimalControl && !bounded && mostly
    }

    /// Has a free number left all sizes that its guess has?
    fn runs_away(&self, free: &[f64]) -> bool {
        let guesses = self.transcriber.posed.free.iter();
        let mut both = guesses.zip(free);
        let away = both.any(|((_, guess), x)| {
            let size = crate::stage::unit_of(guess.abs()).max(guess.abs());
            x.abs() > RUN_AWAY * size
        });
        let t = self.transcriber;
        let ends: Vec<f64> = t.times.iter().map(|e| t.time_value(e, free)).collect();
        let whole = ends.last().zip(ends.first()).map(|(b, a)| b - a);
        // A horizon that shrinks to nothing has no least one either.
        away || whole.is_some_and(|length| length < SHORTEST * self.sizes.time)
            && !self.transcriber.posed.free.is_empty()
    }

    fn resisting(&self, found: &Found, trajectory: &Trajectory) -> Option<Resisting> {
        if let Ending::NoValue { piece } = found.outcome.ending {
            // Pieces: the start, the intervals, the end, times on the way.
            let node = piece.saturating_sub(1).min(trajectory.times.len() - 1);
            return Some(Resisting {
                time: trajectory.times[node],
                by: None,
                origin: None,
                at_start: false,
            });
        }
        let (by, row) = found.outcome.infeasibility;
        // What holds as well as was asked for resists nothing.
        if by <= stage::Options::default().feasibility {
            return None;
        }
        let (at, label) = found.transcription.row(row)?;
        let time = trajectory.times.get(at).copied()?;
        Some(Resisting {
            time,
            by: Some(by),
            origin: match label {
                RowLabel::Statement(origin) => Some(*origin),
                _ => None,
            },
            at_start: *label == RowLabel::Start,
        })
    }
}
