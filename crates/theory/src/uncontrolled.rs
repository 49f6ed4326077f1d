//! Systems with their controls at rest: what is said of a system leaves its inputs aside.

use rattleback_mechanics::System;
use rattleback_symbolic::{Expr, Role, Symbol, free_symbols, substitute_all};

/// The same system with every control at zero.
pub(crate) fn uncontrolled(system: &System) -> System {
    let frame = system.frame();
    let moves = |s: &Symbol| frame.base().contains(s) || frame.fibre().contains(s);
    let controls: Vec<(Symbol, Expr)> = free_symbols(system.force())
        .into_iter()
        .filter(|s| s.role() == Role::Variable && !moves(s))
        .map(|s| (s, Expr::zero()))
        .collect();
    let force = substitute_all(system.force(), &controls);
    system.clone().with_force(force)
}
