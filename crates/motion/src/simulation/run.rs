//! Following one motion of a problem.

use super::chaplygin;
use super::choice::{Choice, Recurrences};
use super::confinement::Confinement;
use super::diagnosis;
use super::error::SimulationError;
use super::events::{EventCode, EventSpec};
use super::feature::{Features, Judge};
use super::field::Field;
use super::guard::{Guard, Watched, places};
use super::method::Method;
use super::options::{Horizon, Options};
use super::passage::Passage;
use super::projection::Projection;
use super::stepper::{self, AnyStepper};
use super::stiffness;
use super::trial::Stretch;
use super::variational::{self, AnyMap};
use super::watch::{Outlook, Size, Watch};
use rattleback_compile::{Motion, RecordKind, StartState, Tables, Variation};
use rattleback_integrate::group::Space;
use rattleback_integrate::taylor::StepPolicy;
use rattleback_integrate::{Drive, DriveError, End, Event, Output, StepSize};
use rattleback_mechanics::{Equations, Form, Problem, System};
use rattleback_symbolic::{Expr, Symbol};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// A motion, ready to be followed.
pub struct Simulation {
    /// What is integrated and recorded.
    pub motion: Motion,
    /// Why its form was chosen, where that is not the usual one.
    pub form_reason: Option<String>,
    /// The method.
    pub method: Method,
    /// Why it was chosen, where it was not asked for.
    pub reason: Option<String>,
    /// The start state.
    pub start: Vec<f64>,
    /// Start values that the constraints on positions determined.
    pub assembled: Vec<(Symbol, f64)>,
    /// The end time that is asked for.
    pub until: f64,
    /// The start time.
    pub from: f64,
    /// The step, or the spacing of the rows.
    pub step: f64,
    /// What was asked for.
    pub options: Options,
    /// Seconds spent on compiling.
    pub compile_seconds: f64,
    pub(super) field: Field,
    /// The tables that feed controls, and their coefficients on the present stretch.
    pub(super) tables: Tables,
    pub(super) given: Vec<f64>,
    /// The map of a variational method.
    pub(super) discrete: Option<AnyMap>,
    /// The method of the last run, whose memory serves again.
    stepper: Option<AnyStepper>,
    /// The state space, where it has groups.
    space: Option<Space>,
    projection: Option<Projection>,
    pub(super) confinement: Option<Confinement>,
    /// Are there constraints on positions?
    may_branch: bool,
    features: Option<Features>,
    pub(super) outlook: Outlook,
    pub(super) events: Vec<(EventSpec, EventCode)>,
    /// Conditions of the motion's equations that only their frame of the constraints needs.
    frame_conditions: Vec<Expr>,
}

/// One row of the record: time, state, recorded quantities.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a>(pub &'a [f64]);

/// An event that has fired.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Which one.
    pub event: usize,
    /// When.
    pub time: f64,
    /// The state there.
    pub state: Vec<f64>,
    /// The whole row there: time, state, recorded quantities.
    pub row: Vec<f64>,
}

/// The momentum of a declared symmetry along a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Momentum {
    /// Its name.
    pub name: String,
    /// Its largest change.
    pub change: f64,
    /// Is it proven that it does not change?
    pub conserved: bool,
}

/// What a simulation came to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Why it ended; none if it failed.
    pub end: Option<End>,
    /// What went wrong, where and what to try.
    pub failure: Option<String>,
    /// The last row.
    pub row: Vec<f64>,
    /// How large its columns got.
    pub sizes: Vec<Size>,
    /// Accepted steps.
    pub steps: u64,
    /// Rejected trials.
    pub rejected: u64,
    /// Evaluations of the right-hand side.
    pub evaluations: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// The largest |E(t) − E(0)|.
    pub energy_change: Option<f64>,
    /// The largest |E(t) − E(0) − W(t)| with W the work of forces, time and moving constraints; none where that
    /// work is not known.
    pub energy_error: Option<f64>,
    /// The largest |residual| of a constraint.
    pub constraint_residual: Option<f64>,
    /// What became of each symmetry's momentum.
    pub momenta: Vec<Momentum>,
    /// Where the motion is less accurate than was asked for.
    pub warnings: Vec<String>,
    /// The farthest that a group element came off its group.
    pub group_distance: Option<f64>,
    /// When singular positions of the constraints were passed, along the branch that the motion came on.
    pub passed: Vec<f64>,
    /// Events in the order in which they fired.
    pub hits: Vec<Hit>,
}

impl Simulation {
    /// Derives, chooses and compiles.
    pub fn new(
        problem: &Problem,
        system: &System,
        options: &Options,
        events: Vec<EventSpec>,
    ) -> Result<Self, SimulationError> {
        Self::with_tables(problem, system, options, events, Tables::default())
    }

    /// The same with controls that tables feed: the problem has the tables' laws ([`Table::law`]).
    ///
    /// [`Table::law`]: rattleback_compile::Table::law
    pub fn with_tables(
        problem: &Problem,
        system: &System,
        options: &Options,
        events: Vec<EventSpec>,
        tables: Tables,
    ) -> Result<Self, SimulationError> {
        let mut equations = system.equations(options.form_for(system))?;
        // Where the multiplier vanishes, its time ends.
        let time = options.chaplygin_time.iter();
        equations
            .conditions
            .extend(time.map(|time| time.multiplier.clone()));
        let start = StartState::of(problem, system)?;
        Self::build(problem, system, &equations, &start, options, events, tables)
    }

    /// The same for equations that have been derived.
    pub fn of_equations(
        problem: &Problem,
        system: &System,
        equations: &Equations,
        start: &StartState,
        options: &Options,
        events: Vec<EventSpec>,
    ) -> Result<Self, SimulationError> {
        Self::build(
            problem,
            system,
            equations,
            start,
            options,
            events,
            Tables::default(),
        )
    }

    fn build(
        problem: &Problem,
        system: &System,
        equations: &Equations,
        start: &StartState,
        options: &Options,
        events: Vec<EventSpec>,
        tables: Tables,
    ) -> Result<Self, SimulationError> {
        let begun = Instant::now();
        let variation = Variation::of_constants(&tables.symbols());
        let motion = Motion::new(problem, system, equations, start, variation);
        let state = motion.start(start, equations)?;
        check_start(&motion, &state)?;
        let horizon = Horizon::of(problem, options, start.time)?;
        tables.covers(horizon.from, horizon.until)?;
        let given = tables.values(horizon.from);
        let (choice, tried) = choice(system, &motion, (&state, &given), &horizon, options)?;
        let Choice {
            method,
            series,
            mut reason,
        } = choice;
        let step = (horizon.until - horizon.from).signum() * horizon.step;
        let discrete = AnyMap::of(system, &motion, method, options, step)?;
        if discrete.is_some() {
            reason = Some(variational::principle(system, motion.form, method));
        }
        let field = match tried {
            Some(field) => field,
            None => Field::new(motion.rates()?, method, series, &given),
        };
        // A discrete principle has its constraints at the nodes already.
        let projection = if options.project && discrete.is_none() {
            Projection::of(&motion)?
        } else {
            None
        };
        let rates = || Ok(field.code());
        let (judge, tolerance) = (Judge::of(method), options.tolerance());
        let features = Features::of(problem, system, &motion, rates, tolerance, judge)?;
        let confinement = Confinement::of(problem, &motion, &given)?;
        let space = Some(stepper::space(&motion)?).filter(Space::has_groups);
        let events = with_code(events, &motion)?;
        let exchange = exchange(system, &motion);
        let tolerance = method.is_adaptive().then(|| options.tolerance());
        let outlook = Outlook::on(&motion, &exchange, tolerance, given.len())?;
        let of_frame = |c: &&Expr| system.frame_conditions().contains(c);
        Ok(Self {
            form_reason: options
                .form_reason(system)
                .filter(|_| motion.form == options.form_for(system)),
            frame_conditions: motion.conditions.iter().filter(of_frame).cloned().collect(),
            method,
            reason,
            start: state,
            assembled: start.assembled(),
            tables,
            given,
            from: horizon.from,
            until: horizon.until,
            step: horizon.step,
            options: options.clone(),
            compile_seconds: begun.elapsed().as_secs_f64(),
            field,
            discrete,
            stepper: None,
            space,
            confinement,
            may_branch: !system.constraints().holonomic().is_empty(),
            projection,
            features,
            outlook,
            events,
            motion,
        })
    }

    /// The formulation.
    pub fn form(&self) -> Form {
        self.motion.form
    }

    /// The names of the columns of a row.
    pub fn columns(&self) -> Vec<String> {
        std::iter::once("t".to_owned())
            .chain(self.motion.state.iter().map(Symbol::to_string))
            .chain(self.motion.records.iter().map(|r| r.name.clone()))
            .collect()
    }

    /// Follows the motion; every row goes to `sink`. What was computed before a failure is in the
    /// outcome.
    pub fn run(
        &mut self,
        stop: &AtomicBool,
        sink: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<Outcome, SimulationError> {
        if self.method == Method::Iteration {
            return self.iterate(stop, sink);
        }
        let begun = Instant::now();
        let projected = self.space.clone().filter(|_| self.options.project);
        let mut stepper = self.stepper()?;
        let count = places(stepper.order(), self.series());
        self.outlook.look_at_places(count);
        let mut watch = Watch::new(
            &self.motion,
            &self.outlook,
            self.projection.clone(),
            projected,
            &self.given,
            sink,
        );
        watch.passage = self.passage();
        watch.may_branch = self.may_branch;
        watch.features = self.features.clone();
        watch.confinement = self.confinement.clone();
        let mut x = self.start.clone();
        let (summary, result) = match self.tables.is_empty() {
            true => {
                let mut events = self.events();
                let drive = self.drive(stop);
                drive.run_counted(
                    &mut self.field,
                    &mut *stepper,
                    &mut x,
                    &mut events,
                    &mut watch,
                )
            }
            false => self.stretches(stop, &mut *stepper, &mut x, &mut watch)?,
        };
        self.stepper = Some(stepper);
        let failure = self.failure(result, &mut watch)?;
        let judgement = watch.guard.judgement();
        let failure = failure.or(judgement.failure);
        let mut warnings = judgement.warnings;
        warnings.extend(match self.method.is_adaptive() {
            true => watch.misses.warning_of_rounding(self.options.rtol),
            false => watch.misses.warning_of_steps(self.step),
        });
        warnings.extend(summary.blurred.map(|at| self.warning_of_blur(at)));
        let guarded = |kind, of: fn(&Watched) -> Option<f64>| watch.guard.largest(kind, of);
        Ok(Outcome {
            end: failure.is_none().then_some(summary.end),
            failure,
            steps: summary.steps,
            rejected: summary.rejected,
            evaluations: summary.evaluations,
            seconds: begun.elapsed().as_secs_f64(),
            energy_change: guarded(RecordKind::Energy, |w| Some(w.change)),
            energy_error: guarded(RecordKind::Energy, |w| w.is_kept.then_some(w.error)),
            constraint_residual: guarded(RecordKind::Residual, |w| Some(w.change)),
            momenta: momenta(&watch.guard),
            warnings,
            group_distance: self.space.as_ref().map(|space| space.distance(&x)),
            passed: watch.passage.take().map_or(Vec::new(), |p| p.times),
            hits: std::mem::take(&mut watch.hits),
            row: std::mem::take(&mut watch.row),
            sizes: std::mem::take(&mut watch.sizes),
        })
    }

    /// The method, ready for a run: that of the run before, whose memory serves again. A map has more to remember
    /// than a method forgets at a new start.
    fn stepper(&mut self) -> Result<AnyStepper, SimulationError> {
        match self.stepper.take().filter(|_| self.discrete.is_none()) {
            Some(stepper) => Ok(stepper),
            None => stepper::stepper(
                self.method,
                &self.motion,
                &self.field,
                &self.options,
                self.discrete.as_ref(),
            ),
        }
    }

    fn warning_of_blur(&self, (event, t): (usize, f64)) -> String {
        let text = &self.events[event].0.text;
        format!(
            "crossings of `{text}` may be missing from t = {t} on: it turns too often to be followed; try a smaller ‹step›"
        )
    }

    /// From when to when, in which steps, with which rows.
    fn drive<'s>(&self, stop: &'s AtomicBool) -> Drive<'s> {
        let drive = Drive::new(self.from, self.until).stop_flag(stop);
        match self.method.is_adaptive() {
            true => drive
                .output(Output::Spacing(self.step))
                .most_steps(self.options.most_steps),
            false => drive
                .step_size(StepSize::Fixed(self.step))
                .output(Output::Steps),
        }
    }

    /// What ended the motion before its time: its steps, a value that is not finite, or a broken assumption.
    fn failure(
        &self,
        result: Result<(), DriveError>,
        watch: &mut Watch<'_>,
    ) -> Result<Option<String>, SimulationError> {
        if let Err(DriveError::BadRequest(why)) = result {
            return Err(SimulationError::Request(why.into()));
        }
        let fixed;
        let motion = match self.given.is_empty() {
            true => &self.motion,
            false => {
                fixed = self.motion.at(&self.given);
                &fixed
            }
        };
        let start = (self.from, &self.start[..]);
        let (barrier, missed) = (watch.barrier.as_ref(), watch.misses.last());
        let conditions = &self.frame_conditions;
        let explain = |e: DriveError| {
            let told = diagnosis::explain(motion, conditions, start, &e, barrier, missed);
            let (DriveError::Fault { state, .. }, Some(time)) = (&e, &self.options.chaplygin_time)
            else {
                return told;
            };
            let ended = chaplygin::ended(time, motion, &self.start, state);
            told + &ended.unwrap_or_default()
        };
        let stepping = result.err().map(explain);
        let lost = watch.lost.take().map(|l| diagnosis::lost(motion, &l));
        let broken = watch.broken.take();
        let broken = broken.map(|(text, t, x)| diagnosis::broken(motion, &text, t, &x));
        Ok(stepping.or(lost).or(broken))
    }

    /// The steps of series, where it follows them.
    fn series(&self) -> Option<StepPolicy> {
        let policy = || self.field.policy(self.options.tolerance());
        (self.method == Method::TAYLOR).then(policy)
    }

    /// The check of steps over singular positions and near to them, where anything is to stay regular.
    fn passage(&self) -> Option<Passage> {
        if self.motion.regular().is_empty() {
            return None;
        }
        Some(Passage::new(
            &self.field,
            self.motion.state.len(),
            self.series(),
            self.options.tolerance(),
            self.method.is_adaptive(),
        ))
    }

    /// The events, to be looked for.
    pub(super) fn events(&self) -> Vec<Event<'static>> {
        let event = |(spec, code): &(EventSpec, EventCode)| {
            let (mut code, course) = (code.clone(), code.clone());
            let mut inputs = vec![0.0; 1 + self.motion.state.len()];
            inputs.extend_from_slice(&self.given);
            let event = Event::new(move |t, x| {
                inputs[0] = t;
                inputs[1..=x.len()].copy_from_slice(x);
                code.value(&inputs)
            })
            .direction(spec.direction);
            let given = self.given.clone();
            let event = match course.is_bounded() {
                true => event.bounded(move |tube| course.bounds(&given, tube)),
                false => event,
            };
            if spec.terminal {
                event.terminal()
            } else {
                event
            }
        };
        self.events.iter().map(event).collect()
    }
}

/// Events with the code of what crosses zero.
fn with_code(
    events: Vec<EventSpec>,
    motion: &Motion,
) -> Result<Vec<(EventSpec, EventCode)>, SimulationError> {
    let compiled = |event: EventSpec| {
        let code = event.compile(motion)?;
        Ok((event, code))
    };
    events.into_iter().map(compiled).collect()
}

/// Is there a start, and do the equations hold for the values of the parameters?
fn check_start(motion: &Motion, state: &[f64]) -> Result<(), SimulationError> {
    if let Some((s, x)) = motion.state.iter().zip(state).find(|(_, x)| !x.is_finite()) {
        let form = motion.form;
        return Err(SimulationError::Motion(format!(
            "`{s}` is {x} at the start state in the form {form}; try other start values, or another ‹form›"
        )));
    }
    if let Some(broken) = motion.broken_condition() {
        let form = motion.form;
        return Err(SimulationError::Motion(format!(
            "the equations in the form {form} hold where {broken} is not 0, but it is: try other parameters, \
             or another ‹form›"
        )));
    }
    Ok(())
}

/// The method that is asked for, or the one that suits the motion, with the field on which that was tried.
fn choice(
    system: &System,
    motion: &Motion,
    (state, given): (&[f64], &[f64]),
    horizon: &Horizon,
    options: &Options,
) -> Result<(Choice, Option<Field>), SimulationError> {
    if motion.form == Form::Map {
        let why = "a map is iterated from node to node, without a method";
        return match options.method {
            None => Ok((Choice::iteration(), None)),
            Some(method) => Err(SimulationError::method(method, motion.form, why)),
        };
    }
    let mut field = None;
    let mut choice = Choice::of(motion, options)?;
    // Without forces nothing decays.
    if options.method.is_none() && (system.is_forced() || !system.auxiliary().is_empty()) {
        let span = horizon.until - horizon.from;
        let tolerance = options.tolerance();
        let implicit = stiffness::implicit(motion, (horizon.from, state), given, span, tolerance)?;
        choice = implicit.unwrap_or(choice);
    }
    if options.method.is_none() && matches!(choice.method, Method::TAYLOR | Method::DOP853) {
        (choice, field) =
            tried(motion, (state, given), horizon, options)?.unwrap_or((choice, None));
    }
    let positions = system.frame().base();
    // Where the rank of many constraints drops may be too long to be written down.
    let may_branch = system.constraints().holonomic().len() > 1
        || system.rank_drop().iter().any(|c| c.contains_any(positions));
    if options.method.is_none() && choice.method == Method::DOP853 && may_branch {
        let series = Choice::passing(&motion.rates()?, options.tolerance());
        choice = series.unwrap_or(choice);
    }
    Ok((choice, field))
}

/// Series or Runge-Kutta steps, by what they take on the first stretch of the motion; none where there are no series.
fn tried(
    motion: &Motion,
    (state, given): (&[f64], &[f64]),
    horizon: &Horizon,
    options: &Options,
) -> Result<Option<(Choice, Option<Field>)>, SimulationError> {
    let (program, tolerance) = (motion.rates()?, options.tolerance());
    let Ok(series) = Recurrences::of(&program, tolerance) else {
        return Ok(None);
    };
    let mut field = Field::new(motion.rates()?, Method::TAYLOR, Some(series.clone()), given);
    let stretch = Stretch {
        from: horizon.from,
        until: horizon.until,
        start: state,
    };
    let choice = Choice::after_trial(&program, series, tolerance, &mut field, &stretch);
    Ok(choice.map(|choice| (choice, Some(field))))
}

/// What became of the momenta of symmetries.
fn momenta(guard: &Guard) -> Vec<Momentum> {
    let watched = guard.watched.iter();
    watched
        .filter(|w| w.kind == RecordKind::SymmetryMomentum)
        .map(|w| Momentum {
            name: w.name.to_string(),
            change: w.change,
            conserved: w.is_kept,
        })
        .collect()
}

/// p_A y^A in terms of the state, of which the energy is made whatever the form; empty where the state does not
/// determine them.
fn exchange(system: &System, motion: &Motion) -> Vec<Expr> {
    if system.order() > 1 || motion.form == Form::Map {
        return Vec::new();
    }
    let velocity = system.frame().velocity();
    let products = system.momenta().into_iter().zip(&velocity);
    let products: Vec<Expr> = products.map(|(p, y)| p * y).collect();
    let expressed = motion.express(&products);
    match motion.program(&expressed) {
        Ok(_) => expressed,
        Err(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_language::{Source, parse};

    fn simulation(text: &str, method: Method) -> Simulation {
        let model = parse(&Source::new("model.mech", text)).model.unwrap();
        let problem = Problem::from_model(&model).unwrap();
        let options = Options {
            method: Some(method),
            ..Options::default()
        };
        Simulation::new(&problem, &problem.system, &options, Vec::new()).unwrap()
    }

    /// Follows the field of one motion under the guard of another.
    fn under_guard_of(right: &str, wrong: &str, method: Method) -> Outcome {
        let mut guarded = simulation(right, method);
        guarded.field = simulation(wrong, method).field;
        let never = AtomicBool::new(false);
        let run = guarded.run(&never, &mut |_| ControlFlow::Continue(()));
        run.unwrap()
    }

    fn pendulum(g: &str, damping: &str) -> String {
        format!(
            "system s\nparam g = {g}, c = {damping}\ncoord q\nlagrangian q'^2/2 + g*cos(q)\nforce (q: -c*q')\n\
             start q = 2\ntime 0 .. 10\n"
        )
    }

    #[test]
    fn a_field_that_is_wrong_is_told() {
        for method in [Method::TAYLOR, Method::DOP853, Method::RADAU5] {
            let right = under_guard_of(&pendulum("1", "0"), &pendulum("1", "0"), method);
            assert_eq!((right.failure, right.warnings.len()), (None, 0), "{method}");
            let right = under_guard_of(&pendulum("1", "1/5"), &pendulum("1", "1/5"), method);
            assert_eq!((right.failure, right.warnings.len()), (None, 0), "{method}");
            // Another gravity, and work that is not what it is said to be.
            for (g, c) in [("6/5", "0"), ("1", "1/5")] {
                let wrong = under_guard_of(&pendulum("1", "0"), &pendulum(g, c), method);
                let failure = wrong.failure.unwrap();
                assert!(
                    failure.contains("the balance of energy is off"),
                    "{failure}"
                );
                assert!(failure.contains("from t = "), "{failure}");
            }
        }
    }

    #[test]
    fn a_motion_is_the_same_when_it_is_followed_again() {
        for method in Method::all() {
            let text = pendulum("1", "0").replace("time 0 .. 10", "time 0 .. 3 step 1/10");
            let model = parse(&Source::new("model.mech", &text)).model.unwrap();
            let problem = Problem::from_model(&model).unwrap();
            let options = Options {
                method: Some(method),
                form: method.needs_momenta().then_some(Form::Hamiltonian),
                ..Options::default()
            };
            let made = Simulation::new(&problem, &problem.system, &options, Vec::new());
            let Ok(mut made) = made else { continue };
            let never = AtomicBool::new(false);
            let mut once = || {
                let run = made.run(&never, &mut |_| ControlFlow::Continue(())).ok();
                run.map(|run| (run.row, run.steps, run.evaluations, run.energy_error))
            };
            assert_eq!(once(), once(), "{method}");
        }
    }

    #[test]
    fn a_field_that_is_slightly_wrong_is_warned_of() {
        let slightly = under_guard_of(
            &pendulum("1", "0"),
            &pendulum("10001/10000", "0"),
            Method::TAYLOR,
        );
        assert_eq!(slightly.failure, None);
        assert_eq!(slightly.warnings.len(), 1, "{slightly:?}");
        assert!(slightly.warnings[0].contains("‹rtol"), "{slightly:?}");
    }

    #[test]
    fn momenta_that_are_conserved_are_under_guard() {
        // A magnetic field turns the velocity and leaves the energy alone.
        let text = |b: &str| {
            format!(
                "system s\nparam B = {b}\ncoord x, y\nlagrangian (x'^2 + y'^2)/2 + B*x*y'\nsymmetry north = (y: 1)\n\
                 start x' = 1, y' = 1\ntime 0 .. 5\n"
            )
        };
        let right = under_guard_of(&text("0"), &text("0"), Method::DOP853);
        assert_eq!(right.failure, None);
        let wrong = under_guard_of(&text("0"), &text("1"), Method::DOP853);
        let failure = wrong.failure.unwrap();
        let told = "`momentum_north`, which is conserved, has changed";
        assert!(failure.contains(told), "{failure}");
    }

    /// The method that is taken at a tolerance.
    fn method(text: &str, rtol: f64) -> Method {
        let model = parse(&Source::new("model.mech", text)).model.unwrap();
        let problem = Problem::from_model(&model).unwrap();
        let options = Options {
            rtol,
            atol: rtol,
            ..Options::default()
        };
        let made = Simulation::new(&problem, &problem.system, &options, Vec::new());
        made.unwrap().method
    }

    #[test]
    fn the_method_is_the_one_whose_first_steps_take_less_work() {
        // Steps of series are many times longer than those of DOP853 on a top, where both cost about the same.
        let top = "system top\ngroup R : SO(3) velocity w\nkinetic (w[1]^2 + w[2]^2 + w[3]^2/2)/2\n\
                   potential 6/5*R[3,3]\nstart R = rotation([1, 0, 0], 0.6), w = [0.3, -0.1, 4]\ntime 0 .. 10\n";
        assert_eq!(method(top, 1e-9), Method::TAYLOR);
        assert_eq!(method(top, 1e-9), method(top, 1e-9));
        // Series of many products of many states do not pay where few digits are wanted.
        let angles = ["a", "b", "c", "d", "f"];
        let mut text = String::from("system links\n");
        text += &format!("coord {}\n", angles.join(", "));
        let (mut x, mut y, mut energy) = (String::from("0"), String::from("0"), Vec::new());
        for a in angles {
            text += &format!("let x_{a} = {x} + sin({a})\nlet y_{a} = {y} - cos({a})\n");
            (x, y) = (format!("x_{a}"), format!("y_{a}"));
            energy.push(format!("(x_{a}'^2 + y_{a}'^2)/2"));
        }
        text += &format!(
            "kinetic {}\npotential 10*y_f\nstart a = 1\ntime 0 .. 5\n",
            energy.join(" + ")
        );
        assert_eq!(method(&text, 1e-4), Method::DOP853);
    }

    #[test]
    fn few_digits_of_a_stiff_motion_take_implicit_steps() {
        let text = "system relaxation\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce (x: 100*(1 - x^2)*x')\n\
                    start x = 2\ntime 0 .. 120\n";
        assert_eq!(method(text, 1e-6), Method::RADAU5);
        assert_eq!(method(text, 1e-11), Method::TAYLOR);
    }

    #[test]
    fn constraints_are_under_guard() {
        // Another constraint, which holds at the start and does no work either.
        let follow = |wrong: &str| {
            let of = |constraint: &str| {
                let text = format!(
                    "system s\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint {constraint}\n\
                     start x' = 1, y' = 1, z' = 1/2\ntime 0 .. 2\n"
                );
                let model = parse(&Source::new("model.mech", &text)).model.unwrap();
                let problem = Problem::from_model(&model).unwrap();
                let options = Options {
                    form: Some(Form::LagrangeDAlembert),
                    project: false,
                    ..Options::default()
                };
                Simulation::new(&problem, &problem.system, &options, Vec::new()).unwrap()
            };
            let mut guarded = of("z' = x'/2");
            guarded.field = of(wrong).field;
            let never = AtomicBool::new(false);
            let run = guarded.run(&never, &mut |_| ControlFlow::Continue(()));
            run.unwrap().failure
        };
        assert_eq!(follow("z' = x'/2"), None);
        let failure = follow("z' = x'*cos(y)/2").unwrap();
        assert!(
            failure.contains("a constraint (`residual1`) is off"),
            "{failure}"
        );
    }
}
