//! What statements leave aside: controls are at rest.

use rattleback_mechanics::System;
use rattleback_symbolic::{Expr, Role, Symbol, free_symbols, substitute_all};

/// The external force with all controls at zero.
pub(crate) fn uncontrolled_force(system: &System) -> Vec<Expr> {
    let frame = system.frame();
    let motion = |s: &Symbol| frame.base().contains(s) || frame.fibre().contains(s);
    let controls: Vec<(Symbol, Expr)> = free_symbols(system.force())
        .into_iter()
        .filter(|s| s.role() == Role::Variable && !motion(s))
        .map(|s| (s, Expr::zero()))
        .collect();
    substitute_all(system.force(), &controls)
}

/// Does a force act that is no control?
pub(crate) fn is_forced(system: &System) -> bool {
    uncontrolled_force(system).iter().any(|f| !f.is_zero())
}
