//! A motion to be computed: equations with numbers, and what is recorded along them.

mod ambient;
mod assured;
mod course;
mod inertia;
mod parts;
mod record;
mod regularity;
mod start;
mod variation;

use crate::guess::Guesses;
use crate::program::Program;
use crate::staged::EvaluationError;
use crate::start::StartState;
use rattleback_mechanics::{Equations, Form, Problem, Stage, StateSpace, System};
use rattleback_symbolic::{Expr, MissingInput, Symbol, jumps};

pub use course::Course;
pub use record::{Record, RecordKind, kind_of};
pub use regularity::{Regular, RegularKind};
pub use variation::{Variation, VariationError};

/// Equations of motion as programs over (t, state, varied constants).
#[derive(Clone)]
pub struct Motion {
    /// The formulation.
    pub form: Form,
    /// What is integrated: the state of the equations, then positions that they leave out.
    pub state: StateSpace,
    /// What each state component is.
    pub kinds: Vec<RecordKind>,
    /// Which entries of the state are group elements.
    pub groups: Vec<GroupEntry>,
    /// Quantities recorded beside the state.
    pub records: Vec<Record>,
    /// Observables that the state does not determine.
    pub unobserved: Vec<String>,
    /// What vanishes along motions and may drift: to be projected out.
    drifting: Vec<Expr>,
    /// dE/dt along the motion by forces, time and moving constraints: zero where the energy is conserved, none
    /// where that is not known.
    pub power: Option<Expr>,
    /// What must not vanish where the equations hold.
    pub conditions: Vec<Expr>,
    regular: Vec<Regular>,
    moving_frame: bool,
    stages: Vec<Stage>,
    /// What unknowns are near at the start.
    guesses: Guesses,
    ambient: ambient::Ambient,
    inertia: Option<inertia::Inertia>,
    constants: Vec<(Symbol, f64)>,
    variation: Variation,
    /// What expressions may use beside the state: multipliers, momenta and the energy.
    generated: Vec<(Symbol, Expr)>,
}

/// A group element within the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupEntry {
    /// Which group.
    pub group: rattleback_geometry::Group,
    /// Where its first entry stands in the state.
    pub offset: usize,
}

impl Motion {
    /// A condition of the equations that involves parameters alone and that their values break.
    pub fn broken_condition(&self) -> Option<&Expr> {
        let is_broken = |c: &&Expr| c.evaluate(&self.constants).is_ok_and(|value| value == 0.0);
        self.conditions.iter().find(is_broken)
    }

    /// The values of the constants that are not varied.
    pub fn constants(&self) -> &[(Symbol, f64)] {
        &self.constants
    }

    /// The motion of a system in a formulation. What is varied stays an input of the programs, after
    /// time and state; all other constants are replaced by their values.
    pub fn new(
        problem: &Problem,
        system: &System,
        equations: &Equations,
        start: &StartState,
        variation: Variation,
    ) -> Self {
        let ambient = ambient::Ambient::of(system, equations);
        let constants = start
            .constants
            .iter()
            .cloned()
            .zip(start.constant_values.iter().copied())
            .filter(|(s, _)| !variation.moves(s));
        let constants: Vec<(Symbol, f64)> = constants.collect();
        let regular = regularity::without_assured(
            regularity::regular(system, equations),
            system,
            equations,
            &ambient.state,
            &constants,
        );
        let (records, unobserved) = record::records(problem, system, equations, &ambient);
        Self {
            form: equations.form,
            kinds: ambient
                .state
                .slots()
                .iter()
                .map(|s| record::kind_of(system, s))
                .collect(),
            groups: ambient.groups(system),
            drifting: ambient.drifting(system, equations),
            power: power(system, equations, &ambient, start),
            records,
            unobserved,
            conditions: equations.conditions.clone(),
            regular,
            moving_frame: regularity::has_moving_frame(system, equations),
            guesses: Guesses::of(equations, start, |s| variation.start(s)),
            stages: equations.stages.clone(),
            constants,
            variation,
            generated: record::generated(system, equations, &ambient),
            inertia: inertia::Inertia::of(system),
            state: ambient.state.clone(),
            ambient,
        }
    }

    /// The motion with what is varied at these values: its programs have inputs (t, state).
    pub fn at(&self, given: &[f64]) -> Self {
        let mut fixed = self.clone();
        let symbols = self.variation.symbols().cloned();
        fixed.constants.extend(symbols.zip(given.iter().copied()));
        fixed.variation = Variation::default();
        fixed
    }

    /// The state at the start; positions by reconstruction come last.
    pub fn start(
        &self,
        start: &StartState,
        equations: &Equations,
    ) -> Result<Vec<f64>, EvaluationError> {
        let mut state = start.state_of(equations)?;
        let rest = &self.state[state.len()..];
        state.extend(rest.iter().map(|s| start.get(s).unwrap_or(0.0)));
        Ok(state)
    }

    /// The program of the rates: inputs (t, state, varied constants), outputs state'.
    pub fn rates(&self) -> Result<Program, MissingInput> {
        self.program(&self.ambient.rates)
    }

    /// The program of the recorded quantities, on the same inputs.
    pub fn recorder(&self) -> Result<Program, MissingInput> {
        let values: Vec<Expr> = self.records.iter().map(|r| r.value.clone()).collect();
        self.program(&values)
    }

    /// The program of what vanishes along motions but may drift; none where nothing can.
    pub fn drift(&self) -> Result<Option<Program>, MissingInput> {
        if self.drifting.is_empty() {
            return Ok(None);
        }
        self.program(&self.drifting).map(Some)
    }

    /// Expressions of the model, in its positions and velocities, as functions of the state.
    pub fn express(&self, all: &[Expr]) -> Vec<Expr> {
        self.ambient.express(all)
    }

    /// An expression of the model and of what is recorded, as a function of the state.
    pub fn express_recorded(&self, e: &Expr) -> Expr {
        let value = |s: &Symbol| {
            let name = s.to_string();
            let record = self.records.iter().find(|r| r.name == name);
            let record = record.map(|r| (s.clone(), r.value.clone()));
            record.or_else(|| self.generated.iter().find(|(g, _)| g == s).cloned())
        };
        let expressed = self.express(std::slice::from_ref(e)).swap_remove(0);
        let free = expressed.free_symbols();
        let beside_state = free.iter().filter(|s| !self.state.contains(s));
        let recorded: Vec<(Symbol, Expr)> = beside_state.filter_map(value).collect();
        expressed.substitute(&recorded)
    }

    /// Are there constraints?
    pub fn is_constrained(&self) -> bool {
        let residual = |r: &Record| r.kind == RecordKind::Residual;
        self.records.iter().any(residual)
    }

    /// The name of each input of the programs.
    pub fn inputs(&self) -> Vec<Symbol> {
        std::iter::once(Symbol::time())
            .chain(self.state.iter().cloned())
            .chain(self.variation.symbols().cloned())
            .collect()
    }

    /// What is varied: the inputs behind the state.
    pub fn varied(&self) -> Vec<Symbol> {
        self.variation.symbols().cloned().collect()
    }

    /// Expressions in what is varied, in the place of the parameters that follow from it.
    pub fn in_varied(&self, all: &[Expr]) -> Vec<Expr> {
        self.variation.apply(all)
    }

    /// The program of any further expressions in the state.
    pub fn program(&self, outputs: &[Expr]) -> Result<Program, MissingInput> {
        let outputs = self.variation.apply(&self.guesses.apply(outputs));
        let stages = self
            .variation
            .apply_to_stages(&self.guesses.stages(&self.stages));
        Program::new(&self.inputs(), &self.constants, &stages, &outputs)
    }
}

/// The power on the motion as a function of the state, where the formulation determines it. A Lagrangian that jumps with
/// time does work in no time, of which no rate tells.
fn power(
    system: &System,
    equations: &Equations,
    ambient: &ambient::Ambient,
    start: &StartState,
) -> Option<Expr> {
    let lagrangian = std::slice::from_ref(system.lagrangian());
    if jumps(lagrangian)
        .iter()
        .any(|cut| cut.at.contains(&Symbol::time()))
    {
        return None;
    }
    let power = ambient.express(&[system.power(equations)?]).swap_remove(0);
    let is_known =
        |s: &Symbol| ambient.determines(system, equations, s) || start.constants.contains(s);
    power.free_symbols().iter().all(is_known).then_some(power)
}
