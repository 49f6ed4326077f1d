//! A problem made ready to be linearised at states.

use crate::error::LinearizeError;
use rattleback_compile::StartState;
use rattleback_mechanics::{Equations, Form, Problem, Stage, System, VariationalEquations};
use rattleback_symbolic::{Expr, MissingInput, Role, Symbol, substitute_all};

/// A problem made ready to be linearised at states.
pub struct Plant {
    /// The system, open or closed.
    pub system: System,
    /// Its equations.
    pub equations: Equations,
    /// How neighbouring motions move.
    pub variational: VariationalEquations,
    /// The controls that are open.
    pub controls: Vec<Symbol>,
    /// Parameters with their values.
    pub constants: Vec<(Symbol, f64)>,
    /// The start.
    pub start: StartState,
    /// All controls with their laws.
    laws: Vec<(Symbol, Expr)>,
    /// The observables that the state determines.
    observed: Vec<(String, Expr)>,
}

impl Plant {
    /// Derives the equations of a problem, with its laws put in if the loop is closed.
    pub fn of(problem: &Problem, closed: bool) -> Result<Self, LinearizeError> {
        let driven = problem.driven();
        if driven.is_map() {
            return Err(LinearizeError::Map);
        }
        driven.check_continuous()?;
        driven.check_regular()?;
        let form = Form::default_for(&driven);
        let start = StartState::of(problem, &driven)?;
        let system = match closed {
            true => driven,
            false => problem.open(),
        };
        let equations = system.equations(form)?;
        let symbols = problem.controls.iter().map(|c| c.symbol.clone());
        let laws: Vec<(Symbol, Expr)> = symbols.map(|u| (u.clone(), problem.law(&u))).collect();
        Ok(Self {
            variational: VariationalEquations::of(&system, &equations)?,
            controls: match closed {
                true => Vec::new(),
                false => laws.iter().map(|(u, _)| u.clone()).collect(),
            },
            constants: constants(problem, &start),
            observed: match closed {
                true => by_laws(observed(problem, &equations, &laws), &laws),
                false => observed(problem, &equations, &laws),
            },
            laws,
            start,
            system,
            equations,
        })
    }

    /// The observables as functions of state and controls, by name.
    pub fn outputs(&self) -> (Vec<String>, Vec<Expr>) {
        self.observed.iter().cloned().unzip()
    }

    /// Which entries of the state are velocities.
    pub fn velocities(&self) -> Vec<usize> {
        let fibre = self.system.frame().fibre();
        let state = self.equations.state.iter().enumerate();
        let velocities = state.filter(|(_, s)| fibre.contains(s));
        velocities.map(|(i, _)| i).collect()
    }

    /// The controls at a state by their laws.
    pub fn input_values(&self, time: f64, state: &[f64]) -> Result<Vec<f64>, MissingInput> {
        let mut values: Vec<(Symbol, f64)> = self.constants.clone();
        values.extend(
            self.equations
                .state
                .iter()
                .cloned()
                .zip(state.iter().copied()),
        );
        values.push((Symbol::time(), time));
        let law = |u: &Symbol| self.law(u).evaluate(&values);
        self.controls.iter().map(law).collect()
    }

    /// How many nodes its equations have.
    pub(crate) fn size(&self) -> usize {
        let stages = self.variational.stages().iter().flat_map(Stage::parts);
        let stages = stages.map(|stage| match &stage {
            Stage::Linear { matrix, rhs, .. } => {
                let all = matrix.entries().iter().chain(rhs);
                all.map(Expr::node_count).sum()
            }
            _ => 0,
        });
        let flow = self.variational.flow().iter().map(Expr::node_count);
        flow.chain(stages).sum()
    }

    /// Do the equations contain the time?
    pub(crate) fn has_time(&self) -> bool {
        let time = Symbol::time();
        let constraints = self.system.constraints();
        std::iter::once(self.system.lagrangian())
            .chain(constraints.forms().entries())
            .chain(constraints.offsets())
            .chain(constraints.holonomic())
            .chain(self.system.force())
            .chain(self.system.auxiliary().iter().map(|(_, rate)| rate))
            .any(|e| e.contains(&time))
    }

    /// Do they, or the laws of the inputs?
    pub(crate) fn depends_on_time(&self) -> bool {
        let mut laws = self.laws.iter().map(|(_, law)| law);
        self.has_time() || laws.any(|law| law.contains(&Symbol::time()))
    }

    pub(crate) fn law(&self, u: &Symbol) -> Expr {
        let found = self.laws.iter().find(|(c, _)| c == u);
        found.map_or_else(Expr::zero, |(_, law)| law.clone())
    }
}

/// Parameters with their values; controls are left open.
fn constants(problem: &Problem, start: &StartState) -> Vec<(Symbol, f64)> {
    let all = start.constants.iter().cloned();
    let all = all.zip(start.constant_values.iter().copied());
    all.filter(|(s, _)| !problem.is_control(s)).collect()
}

/// The same with the laws in the place of controls.
fn by_laws(observed: Vec<(String, Expr)>, laws: &[(Symbol, Expr)]) -> Vec<(String, Expr)> {
    let put = |(name, e): (String, Expr)| (name, e.substitute(laws));
    observed.into_iter().map(put).collect()
}

/// The observables, with what the equations generate put in; those that the state does not determine are left out.
fn observed(
    problem: &Problem,
    equations: &Equations,
    laws: &[(Symbol, Expr)],
) -> Vec<(String, Expr)> {
    let quantities = equations.multipliers.iter().chain(&equations.momenta);
    let generated = quantities.map(|q| (Symbol::variable(&q.name), q.value.clone()));
    let energy = (Symbol::variable("energy"), equations.energy.clone());
    let declares = |s: &Symbol| problem.system.names().declares(s.name());
    let generated: Vec<(Symbol, Expr)> = generated
        .chain([energy])
        .filter(|(s, _)| !declares(s))
        .collect();
    let unknowns: Vec<&Symbol> = equations.stages.iter().flat_map(|s| s.unknowns()).collect();
    let known = |s: &Symbol| {
        s.role() != Role::Variable
            || equations.state.contains(s)
            || unknowns.contains(&s)
            || laws.iter().any(|(u, _)| u == s)
            || problem.is_control(s)
    };
    let entries = problem.observables.iter().flat_map(|o| o.named_entries());
    entries
        .map(|(name, e)| {
            (
                name,
                substitute_all(std::slice::from_ref(e), &generated).swap_remove(0),
            )
        })
        .filter(|(_, e)| e.free_symbols().iter().all(known))
        .collect()
}
