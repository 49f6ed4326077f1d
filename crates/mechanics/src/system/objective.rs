//! What the controls of a system are chosen for.

use super::System;
use rattleback_symbolic::{Expr, Symbol};

/// What is made least or stationary along the path.
#[derive(Clone, Debug)]
pub enum Objective {
    /// The integral of a running cost of the motion; terms at the end are no part of it.
    Cost(Expr),
    /// The action of the model's own Lagrangian, constraints included (the vakonomic problem).
    Action,
}

impl System {
    /// What is made least, in a system of [`Problem::steered`](crate::Problem::steered).
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
