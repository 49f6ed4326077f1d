//! A motion of a problem, derived and compiled: ready to be followed.

use super::choice::Choice;
use super::confinement::Confinement;
use super::error::SimulationError;
use super::events::{EventCode, EventSpec};
use super::feature::{Features, Judge};
use super::field::Field;
use super::method::Method;
use super::options::{Horizon, Options};
use super::projection::Projection;
use super::stepper::{self, AnyStepper};
use super::suited;
use super::variational::{self, AnyMap};
use super::watch::Outlook;
use crate::discrete::MomentumMap;
use rattleback_compile::{Motion, StartState, Tables, Variation};
use rattleback_integrate::group::Space;
use rattleback_mechanics::{Equations, Form, Problem, System};
use rattleback_symbolic::{Expr, Symbol};
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
    /// The map of a given discrete Lagrangian, which looks for a node elsewhere where it is not found from rest.
    pub(super) elsewhere: Option<MomentumMap>,
    /// The method of the last run, whose memory serves again.
    pub(super) stepper: Option<AnyStepper>,
    /// The state space, where it has groups.
    pub(super) space: Option<Space>,
    pub(super) projection: Option<Projection>,
    pub(super) confinement: Option<Confinement>,
    /// Are there constraints on positions?
    pub(super) may_branch: bool,
    pub(super) features: Option<Features>,
    pub(super) outlook: Outlook,
    pub(super) events: Vec<(EventSpec, EventCode)>,
    /// Conditions of the motion's equations that only their frame of the constraints needs.
    pub(super) frame_conditions: Vec<Expr>,
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
        equations.check_followed()?;
        let begun = Instant::now();
        let variation = Variation::of_constants(&tables.symbols());
        let mut motion = Motion::new(problem, system, equations, start, variation);
        let state = motion.start(start, equations)?;
        check_start(&motion, &state)?;
        let horizon = Horizon::of(problem, options, start.time)?;
        tables.covers(horizon.from, horizon.until)?;
        let given = tables.values(horizon.from);
        let (choice, tried) = suited::choice(system, &motion, (&state, &given), &horizon, options)?;
        let Choice {
            method,
            series,
            mut reason,
        } = choice;
        let step = (horizon.until - horizon.from).signum() * horizon.step;
        let discrete = AnyMap::of(system, &mut motion, method, options, step)?;
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
            elsewhere: elsewhere(system, &motion),
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
}

/// The map of positions and momenta of a given discrete Lagrangian, where nothing varies.
fn elsewhere(system: &System, motion: &Motion) -> Option<MomentumMap> {
    if motion.form != Form::Map || !system.is_discrete_lagrangian() || !motion.varied().is_empty() {
        return None;
    }
    let step = system.node_step().ok()?;
    let is_input = |(s, _): &&(Symbol, f64)| step.inputs.contains(s);
    let constants = motion.constants().iter().filter(|c| !is_input(c));
    let constants: Vec<(Symbol, f64)> = constants.cloned().collect();
    MomentumMap::new(&step, &constants, 0.0, 1.0).ok()
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
