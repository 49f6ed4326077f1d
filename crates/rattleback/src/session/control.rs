//! Problems with ends of a model: posed, solved, replayed.

use super::reach::Reach;
use super::routes::{self, Polished, Route};
use super::{Error, Model, Phase};
use crate::Failed;
use crate::complaint::{Blame, Complaint};
use crate::control::optimal::{
    Ends, Kind, Path, PoseError, Request, Resisting, Scheme, Solution, Solved, solve,
};
use crate::control::optimal::{Posed, Status};
use crate::control::stage::Watch;
use crate::language::{self, Diagnostic};
use crate::mechanics::{Form, Given, Origin, Problem, SlotRole};
use crate::simulation::{Between, Options, Simulation, Table};
use crate::symbolic::Symbol;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
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
        self.request.guess = Some(path_of(&posed, columns)?);
        Ok(self)
    }

    /// Solves; whoever watches may end it, and the best iterate is kept.
    pub fn run(&self, watch: &dyn Watch) -> Result<Controlled, Error> {
        let began = Instant::now();
        let (posed, problem, mut notes) = self.model.pose()?;
        let derived = began.elapsed().as_secs_f64();
        for remark in &posed.remarks {
            notes.push(self.model.placed(&remark.text, remark.origin));
        }
        let steered = posed.plant.kind == Kind::OptimalControl && !posed.plant.is_map;
        let reach = match steered {
            true => {
                let work = || Reach::of(&problem, &posed);
                self.model.session.during(Phase::Proving, work)?
            }
            false => Reach::default(),
        };
        // What is excluded is not tried: the first iterate is shown.
        let watch = if reach.excluded.is_some() {
            &Stopped
        } else {
            watch
        };
        let Solved {
            transcriber,
            mut solution,
        } = solve(posed, &self.request, watch).map_err(|e| self.model.refuse(e))?;
        if reach.excluded.is_some() {
            solution.status = Status::Unreachable;
            solution.resisting = None;
        }
        let posed = transcriber.posed;
        let mut found = Controlled {
            model: Arc::clone(&self.model.declared),
            kind: posed.plant.kind,
            names: Names::of(&posed),
            free: posed.free.iter().map(|(s, _)| s.to_string()).collect(),
            replay_error: None,
            momenta: Vec::new(),
            resisting: match &reach.excluded {
                Some(why) => Some(why.clone()),
                None => solution.resisting.as_ref().map(|r| self.model.told(r)),
            },
            bounded: !posed.simple.is_empty() || !posed.paths.is_empty(),
            reach,
            polished: None,
            requested_nodes: self.request.nodes.is_some(),
            notes,
            derive_seconds: derived,
            wall_seconds: 0.0,
            solution,
        };
        found.momenta = momenta(&posed, &found.solution);
        if found.solution.status == Status::Solved {
            found.replay_error = self.model.replay(&posed, &problem, &found);
            self.polish(&posed, &problem, &mut found)?;
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
        let work = || routes::polished(problem, found);
        let why = match self.model.session.during(Phase::Deriving, work)? {
            Ok(Some(polished)) => {
                if self.route == Route::Indirect {
                    found.solution.cost = Some(polished.cost);
                }
                found.polished = Some(polished);
                return Ok(());
            }
            Ok(None) => "their states are others than those of the direct route".to_owned(),
            Err(e) => e.to_string(),
        };
        let text = format!("the necessary conditions were not solved: {why}");
        match self.route {
            Route::Indirect => Err(Failed(text).into()),
            // An active bound is no reason to worry.
            _ if found.bounded => Ok(()),
            _ => {
                found.notes.push(text);
                Ok(())
            }
        }
    }
}

/// Nothing is tried.
struct Stopped;

impl Watch for Stopped {
    fn stop(&self) -> bool {
        true
    }
}

/// A solved problem with its names.
pub struct Controlled {
    /// The model.
    pub model: Arc<language::Model>,
    /// Which problem it is.
    pub kind: Kind,
    /// The solution.
    pub solution: Solution,
    /// What its numbers are called.
    pub names: Names,
    /// The free numbers.
    pub free: Vec<String>,
    /// The largest difference at the end between the path and the motion under its controls.
    pub replay_error: Option<f64>,
    /// Momenta of declared symmetries: name, mean, largest change.
    pub momenta: Vec<(String, f64, f64)>,
    /// Are there bounds along the path?
    pub bounded: bool,
    /// What is known of the goal beforehand.
    pub reach: Reach,
    /// What the necessary conditions make of the solution.
    pub polished: Option<Polished>,
    /// What resists, in words.
    pub resisting: Option<String>,
    /// Was a number of intervals asked for?
    pub requested_nodes: bool,
    /// What the reader should know.
    pub notes: Vec<String>,
    /// Seconds until the problem was posed.
    pub derive_seconds: f64,
    /// All seconds.
    pub wall_seconds: f64,
}

/// How far a replay may end from the path, beside 1 + the size of its end, and the routes from each other.
const CONFIRMED: (f64, f64) = (0.05, 1e-3);

impl Controlled {
    /// Is the path a motion, by its replay or by the necessary conditions? A replay that there is none of says nothing.
    pub fn is_confirmed(&self) -> bool {
        let last = self.solution.trajectory.states.last();
        let size = last
            .into_iter()
            .flatten()
            .fold(0.0, |m: f64, x| m.max(x.abs()));
        let polished = self.polished.as_ref();
        let agrees = polished.is_some_and(|p| p.difference <= CONFIRMED.1);
        let replayed = self
            .replay_error
            .is_none_or(|e| e <= CONFIRMED.0 * (1.0 + size));
        agrees || replayed
    }
}

/// What the numbers of a path are called.
#[derive(Clone, Debug)]
pub struct Names {
    /// Positions, then components, with what they are.
    pub state: Vec<(String, SlotRole)>,
    /// Controls.
    pub controls: Vec<String>,
    /// Costates: those of coordinates and components by their names, of group factors `p_R[1]`, ….
    pub costates: Vec<String>,
}

impl Names {
    fn of(posed: &Posed) -> Self {
        let plant = &posed.plant;
        let base = plant.base().iter();
        let base = base.map(|z| (z.to_string(), SlotRole::Position));
        let components = plant.components.iter();
        let components = components.map(|c| (c.symbol.to_string(), c.role));
        let mut costates = Vec::new();
        for factor in plant.factors() {
            match factor.group {
                None => costates.push(factor.name.clone()),
                Some(g) => {
                    costates.extend((1..=g.dimension()).map(|i| format!("p_{}[{i}]", factor.name)));
                }
            }
        }
        costates.extend(plant.components.iter().map(|c| c.symbol.to_string()));
        Self {
            state: base.chain(components).collect(),
            controls: plant.controls.iter().map(ToString::to_string).collect(),
            costates,
        }
    }
}

impl Model {
    /// The problem with ends that the model poses, and what was noted on the way.
    pub(super) fn pose(&self) -> Result<(Posed, Arc<Problem>, Vec<String>), Error> {
        let model = &self.declared;
        let costs = !model.costs.is_empty() || !model.terminals.is_empty();
        let is_curve = model.controls.is_empty() && !costs && model.forces.is_empty();
        let form = is_curve.then_some(Form::Vakonomic);
        let problem = Model::posed(self, form)?.problem;
        let work = || Posed::of(&problem);
        let posed = self.session.during(Phase::Deriving, work)?;
        let posed = posed.map_err(|e| self.refuse(e))?;
        Ok((posed, problem, Vec::new()))
    }

    /// What is wrong with a posed problem, at its place.
    pub(super) fn refuse(&self, error: PoseError) -> Error {
        let mut reading = self.reading.clone();
        let complaint = match &error {
            PoseError::Mechanics(e) => Complaint::about_mechanics(e, &self.declared),
            PoseError::Start(e) => Complaint::about_start(e, &self.declared),
            PoseError::Unknown(_) => return Error::Request(error.to_string()),
            PoseError::Statement { trouble, origin } => {
                let place = origin.and_then(|o| o.place(&self.declared));
                let (span, setting) =
                    place.map_or((self.declared.span, None), |p| (p.span, p.setting));
                let said = Diagnostic::error("control", span, trouble.to_string());
                Complaint {
                    diagnostic: said.help(trouble.help()),
                    blame: Blame::Input,
                    setting,
                }
            }
        };
        reading.complain(complaint).into()
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
    fn told(&self, r: &Resisting) -> String {
        let what = match (r.origin, r.at_start) {
            (Some(origin), _) => self.placed("this condition", Some(origin)),
            (None, true) => "the start".into(),
            (None, false) => "the equation of motion".into(),
        };
        format!("{what} is violated by {:.3e} at t = {:.6}", r.by, r.time)
    }

    /// Follows the found controls, and compares where they lead.
    fn replay(&self, posed: &Posed, problem: &Problem, found: &Controlled) -> Option<f64> {
        if posed.plant.form.is_none() || posed.plant.is_map {
            return None;
        }
        let path = &found.solution.trajectory;
        let mut settings: Vec<String> = (found.free.iter().zip(&found.solution.free))
            .map(|(name, x)| format!("{name} = {x:?}"))
            .collect();
        for (i, (name, _)) in found.names.state.iter().enumerate() {
            let symbol = posed.plant.state_symbols().get(i).cloned()?;
            let stated = problem.start.get(&symbol);
            let open = stated.is_some_and(|s| s.given == Given::Free)
                || posed.plant.is_free_at_start(problem, &symbol);
            if open && problem.system.factors().iter().all(|f| f.group.is_none()) {
                settings.push(format!("{name} = {:?}", path.states[0][i]));
            }
        }
        let changed = self.set_all(&settings, &[]).ok()?;
        let prepared = changed.prepare(None).ok()?;
        let mut problem = Problem::clone(&prepared.problem);
        let mut tables = Vec::new();
        for (i, u) in posed.plant.controls.iter().enumerate() {
            let values: Vec<f64> = path.controls.iter().map(|c| c[i]).collect();
            let between = if values.len() >= 4 {
                Between::Cubic
            } else {
                Between::Linear
            };
            let table = Table::new(u.clone(), path.times.clone(), &values, between).ok()?;
            problem = problem.with_law(u, table.law());
            tables.push(table);
        }
        let system = problem.driven();
        let options = Options {
            form: posed.plant.form,
            until: path.times.last().copied(),
            ..Options::default()
        };
        let simulation = Simulation::with_tables(&problem, &system, &options, Vec::new(), tables);
        let mut simulation = simulation.ok()?;
        let names = simulation.columns();
        let stop = AtomicBool::new(false);
        let outcome = simulation
            .run(&stop, &mut |_| ControlFlow::Continue(()))
            .ok()?;
        if outcome.failure.is_some() {
            return Some(f64::INFINITY);
        }
        let last = path.states.last()?;
        let mut error: f64 = 0.0;
        for ((name, _), value) in found.names.state.iter().zip(last) {
            let place = names.iter().position(|n| n == name)?;
            error = error.max((outcome.row.get(place)? - value).abs());
        }
        Some(error)
    }
}

/// A path from the columns of a table; what is missing is taken from the model's own guess.
fn path_of(posed: &Posed, columns: &[(String, Vec<f64>)]) -> Result<Path, Error> {
    let column = |name: &str| columns.iter().find(|(n, _)| n == name).map(|(_, v)| v);
    let Some(times) = column("t").filter(|t| t.len() >= 2) else {
        return Err(Error::Request(
            "the guess has no column `t` with at least two rows".into(),
        ));
    };
    let own = posed.guess(0);
    let (first, last) = (times[0], times[times.len() - 1]);
    let symbols: Vec<Symbol> = posed.plant.state_symbols();
    let mut path = Path {
        times: times.clone(),
        free: own.free.clone(),
        ..Path::default()
    };
    for (i, (f, _)) in posed.free.iter().enumerate() {
        if posed.to.as_symbol() == Some(f) {
            path.free[i] = last;
        }
    }
    for (k, t) in times.iter().enumerate() {
        let (mut state, mut controls) = own.at(&posed.plant, (t - first) / (last - first));
        let put = |name: String, value: &mut f64| {
            if let Some(x) = column(&name)
                .and_then(|c| c.get(k))
                .filter(|x| x.is_finite())
            {
                *value = *x;
            }
        };
        for (s, value) in symbols.iter().zip(&mut state) {
            put(s.to_string(), value);
        }
        for (u, value) in posed.plant.controls.iter().zip(&mut controls) {
            put(u.to_string(), value);
        }
        path.states.push(state);
        path.controls.push(controls);
    }
    Ok(path)
}

/// The momenta of declared symmetries along the path, of those that leave the problem as it is.
fn momenta(posed: &Posed, solution: &Solution) -> Vec<(String, f64, f64)> {
    let found = crate::control::optimal::momenta(posed, &solution.trajectory);
    let spread = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        let change = values.iter().map(|v| (v - values[0]).abs());
        (mean, change.fold(0.0, f64::max))
    };
    let all = found.into_iter().filter(|(_, values)| !values.is_empty());
    all.map(|(name, values)| {
        let (mean, change) = spread(&values);
        (name, mean, change)
    })
    .collect()
}
