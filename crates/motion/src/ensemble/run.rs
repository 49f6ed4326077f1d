//! Following all members.

use super::assumptions::Assumptions;
use super::balance::Balance;
use super::error::EnsembleError;
use super::field::{Code, Extras, Field};
use super::given::Given;
use super::inspecting::Looks;
use super::members::Members;
use super::side_by_side::single;
use crate::compiled::Compiled;
use crate::simulation::{
    AnyMap, Choice, EventSpec, Horizon, Method, Options, Projection, SimulationError, knots, space,
};
use rattleback_compile::{Motion, StartState, Tables, Variation};
use rattleback_integrate::taylor::{BatchTaylor, StepPolicy};
use rattleback_integrate::{
    BatchDop853, Crossings, EnsembleRun, EnsembleSummary, Inspector, MemberError, MemberEvent,
    MemberOutcome, Span, Tolerance,
};
use rattleback_mechanics::{Form, Problem, System, Varied};
use rattleback_native::{Function, Lanes};
use rattleback_symbolic::Symbol;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};

/// The largest residual of a constraint that a start state may have.
const START_TOLERANCE: f64 = 1e-9;

/// An ensemble, compiled.
pub struct Ensemble {
    /// What is integrated and recorded.
    pub motion: Motion,
    /// Start values that the constraints on positions determined, of the model as it is.
    pub assembled: Vec<(Symbol, f64)>,
    /// Who the members are.
    pub members: Arc<Members>,
    /// The method.
    pub method: Method,
    /// Its steps, where a discrete principle makes them.
    pub(super) discrete: Option<AnyMap>,
    pub(super) options: Options,
    /// The time span of every member.
    pub from: f64,
    /// The end time of the model as it is.
    pub until: f64,
    /// When a member ends, where that depends on what is varied.
    end: Option<Function>,
    /// The events that are looked for.
    pub events: Vec<EventSpec>,
    kinds: Vec<MemberEvent>,
    /// How close events are looked for.
    pub spacing: f64,
    tolerance: Tolerance,
    /// The order and the step sizes of series.
    policy: Option<StepPolicy>,
    most_steps: u64,
    pub(super) code: Arc<Code>,
    pub(super) given: Arc<Given>,
    /// Where tables go over from one piece to the next.
    knots: Vec<f64>,
    start: Function,
    assumptions: Assumptions,
    recorder: Compiled,
    balance: Option<Balance>,
    /// What is looked for inside their steps.
    looks: Looks,
}

/// How a member ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// At the end time, or at an event that ends motions.
    Finished,
    /// The step size fell to nothing: a singularity.
    StepUnderflow,
    /// The equations have no value, or the motion leaves what the model assumes.
    Fault,
    /// Too many steps.
    TooManySteps,
    /// The start state breaks a constraint or is not finite, or the parameters break an assumption.
    BadStart,
    /// It came to its end with an energy that its motion does not explain: the motion is wrong.
    OffBalance,
}

impl Status {
    /// The number in tables: 0 is good.
    pub fn code(self) -> u8 {
        match self {
            Status::Finished => 0,
            Status::StepUnderflow => 1,
            Status::Fault => 2,
            Status::TooManySteps => 3,
            Status::BadStart => 4,
            Status::OffBalance => 5,
        }
    }

    /// The status of a number in a table.
    pub fn of_code(code: f64) -> Option<Self> {
        [
            Status::Finished,
            Status::StepUnderflow,
            Status::Fault,
            Status::TooManySteps,
            Status::BadStart,
            Status::OffBalance,
        ]
        .into_iter()
        .find(|status| f64::from(status.code()) == code)
    }

    /// What the numbers mean.
    pub const MEANING: &'static str = "0 finished, 1 step underflow, 2 equations without a value or beyond what the model assumes, 3 too many steps, 4 bad start, 5 off the balance of energy";

    fn of(error: Option<MemberError>) -> Self {
        match error {
            None => Status::Finished,
            Some(MemberError::StepUnderflow { .. }) => Status::StepUnderflow,
            Some(MemberError::Fault) => Status::Fault,
            // Steps that can never suffice, and steps that did not.
            Some(MemberError::TooManySteps | MemberError::Stalled { .. }) => Status::TooManySteps,
            Some(MemberError::BadStart) => Status::BadStart,
        }
    }
}

/// A member at its end.
#[derive(Clone, Copy, Debug)]
pub struct Finished<'a> {
    /// Which one.
    pub member: usize,
    /// What differed.
    pub given: &'a [f64],
    /// How it ended.
    pub status: Status,
    /// Accepted steps.
    pub steps: u64,
    /// Time, state and recorded quantities at the end.
    pub row: &'a [f64],
    /// What is known of each event.
    pub events: &'a [Crossings],
    /// The event that ended the motion.
    pub stopped_by: Option<usize>,
}

impl Ensemble {
    /// Derives and compiles; `varied` is what differs between the members, in their order.
    pub fn new(
        problem: &Problem,
        system: &System,
        options: &Options,
        members: Members,
        varied: &[Varied],
        events: Vec<EventSpec>,
    ) -> Result<Self, EnsembleError> {
        let none = Tables::default();
        Self::with_tables(problem, system, options, members, varied, events, none)
    }

    /// The same with controls that tables feed: the problem has the tables' laws ([`Table::law`]).
    ///
    /// [`Table::law`]: rattleback_compile::Table::law
    pub fn with_tables(
        problem: &Problem,
        system: &System,
        options: &Options,
        mut members: Members,
        varied: &[Varied],
        events: Vec<EventSpec>,
        tables: Tables,
    ) -> Result<Self, EnsembleError> {
        let variation = Variation::of(problem, varied)?;
        members.rename(variation.names());
        let variation = variation.with_constants(&tables.symbols());
        let opened = opened(problem, varied);
        let system = opened.as_ref().unwrap_or(system);
        let varied: Vec<Symbol> = variation.symbols().cloned().collect();
        let form = options.form_for_varied(system, &varied);
        let equations = system.equations(form).map_err(SimulationError::from)?;
        equations.check_followed().map_err(SimulationError::from)?;
        let start = StartState::of(problem, system).map_err(SimulationError::from)?;
        let mut motion = Motion::new(problem, system, &equations, &start, variation);
        let Choice { method, series, .. } = chosen(&motion, options, &events)?;
        let program = motion.start_program(problem, system, &equations, &start);
        let start_program = program.map_err(SimulationError::from)?;
        let rates = motion.rates().map_err(SimulationError::from)?;
        let recorder = motion.recorder().map_err(SimulationError::from)?;
        let horizon = Horizon::of(problem, options, start.time)?;
        let (from, until) = (horizon.from, horizon.until);
        let end = varied_end(problem, &motion, options, &tables)?;
        tables.covers(from, until).map_err(SimulationError::from)?;
        let step = (until - from).signum() * horizon.step;
        let discrete = AnyMap::of(system, &mut motion, method, options, step)?;
        let members = Arc::new(members);
        let knots = knots(&tables, method, (from, until, horizon.step));
        let given = Given::new(&members, tables, from, until);
        let one = single(&motion, options, method, (&given, discrete.as_ref()))?;
        let looks = Looks::of((problem, system), &motion, options, method, given.len())?;
        let extras = extras(&motion, options, &events, discrete.is_some())?;
        let policy = series.as_ref().map(|series| series.policy);
        Ok(Self {
            assembled: start.assembled(),
            looks,
            kinds: events.iter().map(EventSpec::member_event).collect(),
            code: Arc::new(Code::new(rates, series).with_one(one).with_extras(extras)),
            events,
            spacing: horizon.step,
            start: Function::new(start_program),
            assumptions: Assumptions::of(&motion, problem)?,
            recorder: Compiled::new(recorder),
            balance: Balance::of(&motion, options.tolerance())?,
            tolerance: options.tolerance(),
            policy,
            most_steps: options.most_steps,
            members,
            given: Arc::new(given),
            knots,
            method,
            discrete,
            options: options.clone(),
            from,
            until,
            end,
            motion,
        })
    }

    /// Follows the members from `first` on; the sink gets them in order.
    pub fn run(
        &self,
        first: usize,
        threads: Option<usize>,
        stop: &AtomicBool,
        progress: &AtomicUsize,
        sink: &mut (dyn FnMut(Finished<'_>) + Send),
    ) -> EnsembleSummary {
        let (varied, count) = (self.members.varied(), self.given.len());
        let mut recorder = self.recorder.clone();
        let mut balance = self.balance.clone();
        let mut start = vec![0.0; self.motion.state.len()];
        let mut given = vec![0.0; count];
        let mut inputs = vec![0.0; 1 + self.motion.state.len() + count];
        let mut values = vec![0.0; self.motion.records.len()];
        let mut row = Vec::with_capacity(inputs.len() + values.len());
        let run = EnsembleRun::new()
            .stop_flag(stop)
            .progress(progress)
            .most_steps(self.most_steps)
            .spacing(self.spacing);
        let run = match threads {
            Some(threads) => run.threads(threads),
            None => run,
        };
        let members = Tail {
            ensemble: self,
            first,
        };
        let n = self.motion.state.len();
        let mut deliver = |k: usize, outcome: MemberOutcome| {
            let member = first + k;
            self.given.write(member, outcome.t, &mut given);
            inputs[0] = outcome.t;
            inputs[1..=outcome.state.len()].copy_from_slice(&outcome.state);
            inputs[1 + outcome.state.len()..].copy_from_slice(&given);
            if recorder.call(&inputs, &mut values).is_err() {
                values.fill(f64::NAN);
            }
            row.clear();
            row.extend_from_slice(&inputs[..=outcome.state.len()]);
            row.extend_from_slice(&values);
            let mut status = Status::of(outcome.error);
            if let (Status::Finished, Some(balance)) = (status, &mut balance) {
                self.start_state(member, &mut start);
                status = balance.judge(&mut inputs, (self.from, &start), outcome.steps);
            }
            sink(Finished {
                member,
                given: &given[..varied],
                status,
                steps: outcome.steps,
                row: &row,
                events: &outcome.events,
                stopped_by: outcome.stopped_by,
            });
        };
        if self.method == Method::Iteration {
            return self.iterate(first, stop, progress, &mut deliver);
        }
        match self.policy {
            Some(policy) => {
                let stepper = || BatchTaylor::with_policy(n, policy);
                run.run(&members, stepper, deliver)
            }
            None if self.method.has_lanes() => {
                let stepper = || BatchDop853::new(n, self.tolerance);
                run.run(&members, stepper, deliver)
            }
            None => run.run(&members, || self.abreast(), deliver),
        }
    }
}

/// The system without the laws of controls that are varied; none where none is.
fn opened(problem: &Problem, varied: &[Varied]) -> Option<System> {
    let is_varied = |u: &Symbol| varied.contains(&Varied::Control(u.clone()));
    let mut controls = problem.controls.iter();
    let is_open = controls.any(|c| is_varied(&c.symbol));
    is_open.then(|| problem.driven_but(is_varied))
}

/// When members end, where that differs.
fn varied_end(
    problem: &Problem,
    motion: &Motion,
    options: &Options,
    tables: &Tables,
) -> Result<Option<Function>, EnsembleError> {
    let [from, until] = motion
        .varied_horizon(problem)
        .map_err(SimulationError::from)?;
    let until = until.filter(|_| options.until.is_none());
    match (from, until) {
        (Some(_), _) => Err(EnsembleError::VariedStart),
        (None, Some(_)) if !tables.is_empty() => Err(EnsembleError::VariedEnd),
        (None, until) => Ok(until.map(Function::new)),
    }
}

/// The method, where it and what else is asked for fit an ensemble.
fn chosen(
    motion: &Motion,
    options: &Options,
    events: &[EventSpec],
) -> Result<Choice, EnsembleError> {
    if motion.form == Form::Map {
        return match (options.method, events.is_empty()) {
            (Some(method), _) => Err(EnsembleError::Iterated(Box::new(method))),
            (None, false) => Err(EnsembleError::MapEvents),
            (None, true) => Ok(Choice::iteration()),
        };
    }
    Ok(Choice::in_lanes(motion, options, Lanes::Four)?)
}

/// What belongs to every motion of an ensemble, besides its rates.
fn extras(
    motion: &Motion,
    options: &Options,
    events: &[EventSpec],
    is_discrete: bool,
) -> Result<Extras, SimulationError> {
    let events = events.iter().map(|event| event.compile(motion));
    let is_projected = options.project;
    Ok(Extras {
        events: events.collect::<Result<_, _>>()?,
        space: Some(space(motion)?).filter(|space| is_projected && space.has_groups()),
        // A discrete principle has its constraints at the nodes already.
        projection: match is_projected && !is_discrete {
            true => Projection::of(motion)?,
            false => None,
        },
    })
}

/// The members that an earlier run has left.
struct Tail<'a> {
    ensemble: &'a Ensemble,
    first: usize,
}

impl rattleback_integrate::Ensemble for Tail<'_> {
    type Field = Field;

    fn members(&self) -> usize {
        self.ensemble.members.count().saturating_sub(self.first)
    }

    fn field(&self) -> Field {
        let Ensemble { code, given, .. } = self.ensemble;
        Field::with_given(code, Some(given), self.first)
    }

    fn knots(&self) -> &[f64] {
        &self.ensemble.knots
    }

    fn events(&self) -> &[MemberEvent] {
        &self.ensemble.kinds
    }

    fn inspector(&self) -> Option<Box<dyn Inspector>> {
        let Ensemble { looks, given, .. } = self.ensemble;
        looks.inspector(given, self.first)
    }

    /// A start that breaks a constraint or an assumption is no start: its state is not a number.
    fn start(&self, member: usize, x: &mut [f64]) -> Span {
        self.ensemble.start_state(self.first + member, x);
        Span {
            start: self.ensemble.from,
            end: self.ensemble.end_of(self.first + member),
        }
    }
}

impl Ensemble {
    /// Do members end at times of their own?
    pub fn has_varied_end(&self) -> bool {
        self.end.is_some()
    }

    /// When a member ends; not a number where that is not after its start.
    pub(super) fn end_of(&self, member: usize) -> f64 {
        let Some(end) = &self.end else {
            return self.until;
        };
        let mut given = vec![0.0; self.given.len()];
        self.given.write(member, self.from, &mut given);
        let mut found = [f64::NAN];
        let known = end.call(&given, &mut found, &mut end.memory()).is_ok();
        // A map counts nodes.
        let is_whole = self.method != Method::Iteration || (found[0] - self.from).fract() == 0.0;
        match known && is_whole && found[0] >= self.from {
            true => found[0],
            false => f64::NAN,
        }
    }

    /// The state in which a member starts; not a number where that breaks a constraint or an assumption.
    pub(super) fn start_state(&self, member: usize, x: &mut [f64]) {
        let Ensemble {
            start, assumptions, ..
        } = self;
        let mut given = vec![0.0; self.given.len()];
        self.given.write(member, self.from, &mut given);
        let mut values = vec![0.0; start.program().outputs.len()];
        let found = start.call(&given, &mut values, &mut start.memory());
        let (state, residuals) = values.split_at(x.len());
        let size = state.iter().fold(1.0, |m: f64, v| m.max(v.abs()));
        let holds = |r: &f64| r.abs() <= START_TOLERANCE * size;
        if found.is_ok() && residuals.iter().all(holds) && assumptions.hold(&given) {
            x.copy_from_slice(state);
        } else {
            x.fill(f64::NAN);
        }
    }
}
