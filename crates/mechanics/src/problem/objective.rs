//! What a problem makes least, as part of the system that the conditions are derived of.

use super::Problem;
use crate::formulation::Form;
use crate::system::{Objective, System};
use rattleback_symbolic::{Expr, Symbol};

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

    /// The system that a formulation is derived of: its controls open, or chosen.
    pub fn open_for(&self, form: Option<Form>) -> System {
        match form {
            Some(Form::Optimality) => self.steered(),
            _ => self.open(),
        }
    }

    /// The same problem before its free numbers are chosen: neither they nor parameters that follow from them have values.
    pub fn unchosen(&self) -> Self {
        let mut open = self.free.clone();
        for p in &self.parameters {
            if p.value.contains_any(&open) {
                open.push(p.symbol.clone());
            }
        }
        let mut problem = self.clone();
        problem.values = self.values.without(&open);
        problem.system.near.retain(|(s, _)| !open.contains(s));
        problem
    }
}
