//! Problems with ends of a model: posed, solved, replayed.

use super::{Error, Model, Phase, Session};
use crate::Failed;
use crate::complaint::Complaint;
use crate::control::optimal::{
    Controlled, Ends, Kind, Limit, PoseError, Posed, Reach, Replayed, Request, Route, Scheme,
    Solution, Solved, Status, polished, replay, solve,
};
use crate::control::stage::Watch;
use crate::mechanics::{Form, Origin, Problem};
use std::cell::Cell;
use std::sync::Arc;
use std::time::Instant;

/// A question for the solution of a model's problem with ends.
///
/// ```
/// use rattleback::Model;
///
/// let model = Model::read(
///     "system cart\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost u^2/2\n\
///      start x = 0\ngoal x = 1, x' = 0\ntime 0 .. 1\n",
/// )?;
/// let found = model.control().run(&())?;
/// // From rest to rest: u = 6 − 12 t.
/// assert!((found.solution.cost.unwrap() - 6.0).abs() < 1e-8);
/// # Ok::<(), rattleback::Error>(())
/// ```
#[derive(Clone)]
pub struct ControlRequest<'a> {
    model: &'a Model,
    request: Request,
    route: Route,
}

impl<'a> ControlRequest<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        Self {
            model,
            request: Request::default(),
            route: Route::default(),
        }
    }

    /// Which routes are taken.
    pub fn route(mut self, route: Route) -> Self {
        self.route = route;
        self
    }

    /// The scheme.
    pub fn scheme(mut self, scheme: Scheme) -> Self {
        self.request.scheme = scheme;
        self
    }

    /// How velocities on intervals meet those at the ends.
    pub fn ends(mut self, ends: Ends) -> Self {
        self.request.ends = ends;
        self
    }

    /// By which map velocities on intervals move group elements.
    pub fn retraction(mut self, retraction: crate::control::optimal::Retraction) -> Self {
        self.request.retraction = retraction;
        self
    }

    /// A number of intervals, instead of refinement.
    pub fn nodes(mut self, nodes: usize) -> Self {
        self.request.nodes = Some(nodes);
        self
    }

    /// The relative error of the cost that refinement aims at.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.request.tolerance = tolerance;
        self
    }

    /// How many first iterates are tried.
    pub fn starts(mut self, starts: usize) -> Self {
        self.request.starts = starts;
        self
    }

    /// A first iterate: columns by name, among them `t`.
    pub fn guess(mut self, columns: &[(String, Vec<f64>)]) -> Result<Self, Error> {
        let posed = self.model.pose()?.0;
        let path = posed.path_of(columns);
        self.request.guess = Some(path.map_err(|e| Error::Request(e.to_string()))?);
        Ok(self)
    }

    /// Solves; whoever watches may end it, and so may the session's token: the best iterate is kept.
    pub fn run(&self, watch: &dyn Watch) -> Result<Controlled, Error> {
        let began = Instant::now();
        let (mut posed, problem) = self.model.pose()?;
        let mut notes = Vec::new();
        let derived = began.elapsed().as_secs_f64();
        let steered = posed.plant.kind == Kind::OptimalControl;
        let reach = match steered {
            true => {
                let work = || Reach::of(&problem, &posed);
                self.model.session.during(Phase::Proving, work)?
            }
            false => Reach::default(),
        };
        if reach.excluded.is_none() {
            let dropped = posed.drop_implied(&problem, &reach.implied);
            dropped.map_err(|e| self.model.refuse(e))?;
        }
        for remark in &posed.remarks {
            notes.push(self.model.placed(&remark.text, remark.origin));
        }
        let watch = Steering {
            session: &self.model.session,
            watch,
            // What is excluded is not tried: the first iterate is shown.
            is_excluded: reach.excluded.is_some(),
            iterations: Cell::new(0),
        };
        watch.session.progress(Phase::Steering, 0.0);
        let Solved {
            transcriber,
            mut solution,
        } = solve(posed, &self.request, &watch).map_err(|e| self.model.refuse(e))?;
        if reach.excluded.is_some() {
            solution.status = Status::Unreachable;
            solution.resisting = None;
        }
        let posed = transcriber.posed;
        let mut found = Controlled {
            system: self.model.declared.name.clone(),
            title: self.model.declared.title.clone(),
            resisting: match &reach.excluded {
                Some(why) => Some(why.to_string()),
                None => self.model.told(&solution),
            },
            requested_nodes: self.request.nodes.is_some(),
            notes,
            derive_seconds: derived,
            ..Controlled::of(&posed, solution, reach)
        };
        if found.solution.status == Status::Solved {
            let replayed = self.model.replay(&posed, &problem, &found);
            found.replay_error = replayed.map(|r| r.error);
            let terminal = || posed.terminal_at(&found.solution.trajectory, &found.solution.free);
            found.replay_cost = replayed.and_then(|r| Some(r.running? + terminal()?));
            self.polish(&posed, &problem, &mut found)?;
            found.withhold();
        }
        found.wall_seconds = began.elapsed().as_secs_f64();
        Ok(found)
    }
}

impl ControlRequest<'_> {
    /// Holds the solution against the necessary conditions, where they apply and are asked for.
    fn polish(
        &self,
        posed: &Posed,
        problem: &Problem,
        found: &mut Controlled,
    ) -> Result<(), Error> {
        let applies = !posed.plant.is_map && posed.plant.kind != Kind::ParameterOptimisation;
        if self.route == Route::Direct || (self.route == Route::Both && !applies) {
            return Ok(());
        }
        let work = || polished(problem, found);
        let solved = match self.model.session.during(Phase::Deriving, work) {
            // The direct solution is there: what was stopped is the other route alone.
            Err(Error::Cancelled(_)) if self.route == Route::Both => {
                found
                    .notes
                    .push("interrupted before the necessary conditions were solved".into());
                return Ok(());
            }
            solved => solved?,
        };
        let taken = found.take_polished(self.route, solved);
        taken.map_err(|why| Failed(why).into())
    }
}

/// The session beside whoever watches: either may end the search, and both hear of it.
struct Steering<'a> {
    session: &'a Session,
    watch: &'a dyn Watch,
    is_excluded: bool,
    iterations: Cell<u32>,
}

/// Nobody knows how many iterations it takes: of so many they are the half.
const MANY: f64 = 200.0;

impl Watch for Steering<'_> {
    fn stop(&self) -> bool {
        self.is_excluded || self.watch.stop() || self.session.cancel.is_cancelled()
    }

    fn progress(&self, iteration: usize, infeasibility: f64, optimality: f64) {
        self.watch.progress(iteration, infeasibility, optimality);
        self.iterations.set(self.iterations.get().saturating_add(1));
        let made = f64::from(self.iterations.get());
        self.session.progress(Phase::Steering, made / (made + MANY));
    }
}

impl Model {
    /// The problem with ends that the model poses.
    pub(super) fn pose(&self) -> Result<(Posed, Arc<Problem>), Error> {
        let model = &self.declared;
        let costs = !model.costs.is_empty() || !model.terminals.is_empty();
        let is_curve = model.controls.is_empty() && !costs && model.forces.is_empty();
        let form = is_curve.then_some(Form::Vakonomic);
        let problem = Model::posed(self, form)?.problem;
        let work = || Posed::of(&problem);
        let posed = self.session.during(Phase::Deriving, work)?;
        let posed = posed.map_err(|e| self.refuse(e))?;
        Ok((posed, problem))
    }

    /// What is wrong with a posed problem, at its place.
    pub(super) fn refuse(&self, error: PoseError) -> Error {
        match Complaint::about_posed(&error, &self.declared) {
            Some(complaint) => self.reading.clone().complain(complaint).into(),
            None => Error::Request(error.to_string()),
        }
    }

    /// A text with the line that it is about.
    pub(super) fn placed(&self, text: &str, origin: Option<Origin>) -> String {
        let place = origin.and_then(|o| o.place(&self.declared));
        match place.filter(|p| p.setting.is_none()) {
            Some(p) => {
                let line = self.reading.source.line(p.span.start);
                format!("line {line}: {text}")
            }
            None => text.to_owned(),
        }
    }

    /// What resists, where and by how much.
    fn told(&self, solution: &Solution) -> Option<String> {
        let is_limit = solution.limit.status() == solution.status;
        if is_limit && solution.limit != Limit::Path {
            return Some(solution.limit.to_string());
        }
        let resisting = solution.resisting.as_ref()?;
        let origin = resisting
            .origin
            .map(|o| self.placed("this condition", Some(o)));
        Some(resisting.told(origin))
    }

    /// Follows the found controls in the problem with the numbers that the solution settles, and compares where they lead.
    fn replay(&self, posed: &Posed, problem: &Problem, found: &Controlled) -> Option<Replayed> {
        // Stationary curves have no motion of their own.
        posed.plant.form?;
        let settled = found.settled(posed, problem)?.into_iter();
        let settings: Vec<String> = settled.map(|(name, x)| format!("{name} = {x:?}")).collect();
        let prepared = self.set_all(&settings, &[]).ok()?.prepare(None).ok()?;
        let path = &found.solution.trajectory;
        let work = || replay(&posed.plant, &prepared.problem, path);
        self.session.cancel.scope(work)
    }
}
