//! What statements leave aside: controls at rest.

use rattleback_mechanics::System;
use rattleback_symbolic::{Expr, Role, Symbol, free_symbols, substitute_all};

/// The controls, each at zero.
fn controls_at_rest(system: &System) -> Vec<(Symbol, Expr)> {
    let frame = system.frame();
    let motion = |s: &Symbol| frame.base().contains(s) || frame.fibre().contains(s);
    free_symbols(system.force())
        .into_iter()
        .filter(|s| s.role() == Role::Variable && !motion(s))
        .map(|s| (s, Expr::zero()))
        .collect()
}

/// The same system with every control at zero.
pub(crate) fn uncontrolled(system: &System) -> System {
    system.clone().with_force(uncontrolled_force(system))
}

/// The external force with all controls at zero.
pub(crate) fn uncontrolled_force(system: &System) -> Vec<Expr> {
    substitute_all(system.force(), &controls_at_rest(system))
}

/// Is there a control?
pub fn has_controls(system: &System) -> bool {
    !controls_at_rest(system).is_empty()
}

/// Does a force act that is no control?
pub fn is_forced(system: &System) -> bool {
    uncontrolled_force(system).iter().any(|f| !f.is_zero())
}
