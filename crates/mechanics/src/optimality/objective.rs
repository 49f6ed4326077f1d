//! What a problem makes least, as part of the system that the conditions are derived of.

use crate::{Form, Problem, System};
use rattleback_symbolic::{Expr, Symbol};

/// What is made least or stationary along the path.
#[derive(Clone, Debug)]
pub enum Objective {
    /// The integral of a running cost of the motion; terms at the end are no part of it.
    Cost(Expr),
    /// The action of the model's own Lagrangian, constraints included (the vakonomic problem).
    Action,
}

impl Problem {
    /// What the problem makes least: none where controls push and no cost is stated.
    pub fn objective(&self) -> Option<Objective> {
        let has_cost = !self.costs.is_empty() || !self.terminals.is_empty();
        match (has_cost, self.controls.is_empty()) {
            (true, _) => {
                let rates: Vec<(Symbol, Expr)> = self.system.auxiliary_jets();
                let total = Expr::sum(self.costs.iter().cloned());
                Some(Objective::Cost(total.substitute(&rates)))
            }
            (false, true) => Some(Objective::Action),
            (false, false) => None,
        }
    }

    /// The system under its controls, which are chosen: it knows its objective, and `optimality` is a form of it.
    pub fn steered(&self) -> System {
        let mut system = self.open();
        system.objective = self.objective();
        system
    }
}

impl Problem {
    /// The system that a formulation is derived of: its controls open, or chosen.
    pub fn open_for(&self, form: Option<Form>) -> System {
        match form {
            Some(Form::Optimality) => self.steered(),
            _ => self.open(),
        }
    }
}

impl System {
    /// What is made least, in a system of [`Problem::steered`].
    pub fn objective(&self) -> Option<&Objective> {
        self.objective.as_ref()
    }

    /// The controls that are open: chosen by what is made least.
    pub fn open_controls(&self) -> Vec<Symbol> {
        let feed = self.feed.iter();
        let open = feed.filter(|(u, value)| value.as_symbol() == Some(u));
        open.map(|(u, _)| u.clone()).collect()
    }
}
