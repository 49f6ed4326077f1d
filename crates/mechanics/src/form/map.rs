//! Maps from node to node: as states have them, or that of a discrete Lagrangian on positions and momenta.

use crate::discrete::{DiscreteLagrangian, Step};
use crate::system::Regularity;
use crate::{Equations, Form, MechanicsError, SlotRole, Stage, System};
use rattleback_symbolic::{Expr, Symbol, prove_zero, substitute_all};

impl System {
    /// L_d(x, next(x)) as the model states it, whose map is one of positions and momenta.
    fn two_points(&self) -> Result<DiscreteLagrangian, MechanicsError> {
        DiscreteLagrangian::given(self).map_err(|e| self.no_map(e.to_string()))
    }

    /// The equations of the map of a given discrete Lagrangian, on positions and momenta.
    pub fn node_step(&self) -> Result<Step, MechanicsError> {
        // Nodes are counted: nothing is measured by the length of a step.
        let h = Symbol::constant("h");
        let momenta = self.momentum_symbols();
        Ok(self.two_points()?.momentum_step(&h, &momenta))
    }

    fn no_map(&self, why: String) -> MechanicsError {
        MechanicsError::NoDiscreteMap {
            why,
            origin: self.lagrangian_origin,
        }
    }

    /// An error where D₁D₂L_d is proven to be singular, or L_d is not a function of positions alone.
    pub(crate) fn check_two_points(&self) -> Result<(), MechanicsError> {
        match self.two_points()?.regularity(&self.constant_values()) {
            Regularity::Degenerate { .. } => {
                let why = "D1 D2 L_d is singular, so that a node does not determine the next: couple x and next(x)";
                Err(self.no_map(why.into()))
            }
            Regularity::Regular | Regularity::Undecided { .. } => Ok(()),
        }
    }

    /// Is X·p proven to be the same at all nodes? The field may depend on the time, which a node counts.
    pub(crate) fn keeps_over_steps(&self, field: &[Expr]) -> bool {
        let Ok(l) = self.two_points() else {
            return false;
        };
        let ends = l.start.iter().cloned().zip(l.end.iter().map(Expr::from));
        let later = (Symbol::time(), Expr::from(Symbol::time()) + 1);
        let there = substitute_all(field, &ends.chain([later]).collect::<Vec<_>>());
        prove_zero(&l.change(field, &there)).is_proven()
    }
}

/// The map of a model of states alone is among its auxiliary states; that of a discrete Lagrangian solves
/// p₀ = −D₁L_d(q₀, q₁) for q₁, and p₁ = D₂L_d(q₀, q₁) (DP-A5).
pub(super) fn map(system: &System) -> Result<Equations, MechanicsError> {
    if !system.is_discrete_lagrangian() {
        return Ok(Equations::new(
            Form::Map,
            system.positions(),
            Vec::new(),
            Expr::undefined(),
        ));
    }
    let step = system.node_step()?;
    let positions = system.positions();
    let names = positions.iter().map(|q| system.names().step_of(q.name()));
    let names: Vec<Symbol> = names.collect();
    let unknowns = step.stages.iter().flat_map(Stage::unknowns).cloned();
    let instead: Vec<(Symbol, Expr)> = unknowns.zip(names.iter().map(Expr::from)).collect();
    let state = positions.with(SlotRole::Momentum, system.momentum_symbols());
    let next = substitute_all(&step.next, &instead);
    let mut equations = Equations::new(Form::Map, state, next, Expr::undefined());
    equations.stages = step.stages.iter().map(|s| s.renamed(&names)).collect();
    Ok(equations)
}
