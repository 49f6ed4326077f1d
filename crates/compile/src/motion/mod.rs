//! A motion to be computed: equations with numbers, and what is recorded along them.

mod ambient;
mod record;

use crate::program::Program;
use crate::staged::EvaluationError;
use crate::start::StartState;
use rattleback_language::Model;
use rattleback_mechanics::{Equations, Form, Stage, System};
use rattleback_symbolic::{Expr, MissingInput, Symbol};

pub use record::{Record, RecordKind};

/// Equations of motion as programs over (t, state, varied constants).
pub struct Motion {
    /// The formulation.
    pub form: Form,
    /// What is integrated: the state of the equations, then positions that they leave out.
    pub state: Vec<Symbol>,
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
    stages: Vec<Stage>,
    rates: Vec<Expr>,
    constants: Vec<(Symbol, f64)>,
    varied: Vec<Symbol>,
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
    /// The motion of a system in a formulation. The constants in `varied` stay inputs of the
    /// programs, after time and state; all others are replaced by their values.
    pub fn new(
        model: &Model,
        system: &System,
        equations: &Equations,
        start: &StartState,
        varied: &[Symbol],
    ) -> Self {
        let ambient = ambient::Ambient::of(system, equations);
        let constants = start
            .constants
            .iter()
            .cloned()
            .zip(start.constant_values.iter().copied())
            .filter(|(s, _)| !varied.contains(s));
        let (records, unobserved) = record::records(model, system, equations, &ambient);
        Self {
            form: equations.form,
            kinds: ambient
                .state
                .iter()
                .map(|s| record::kind_of(model, s))
                .collect(),
            groups: ambient.groups(system),
            drifting: ambient.drifting(system),
            records,
            unobserved,
            stages: equations.stages.clone(),
            rates: ambient.rates.clone(),
            constants: constants.collect(),
            varied: varied.to_vec(),
            state: ambient.state,
        }
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
        self.program(&self.rates)
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

    /// What the rate of a state component is, as an expression, for messages.
    pub fn rate(&self, component: usize) -> &Expr {
        &self.rates[component]
    }

    /// The name of each input of the programs.
    pub fn inputs(&self) -> Vec<Symbol> {
        std::iter::once(Symbol::time())
            .chain(self.state.iter().cloned())
            .chain(self.varied.iter().cloned())
            .collect()
    }

    fn program(&self, outputs: &[Expr]) -> Result<Program, MissingInput> {
        Program::new(&self.inputs(), &self.constants, &self.stages, outputs)
    }
}
