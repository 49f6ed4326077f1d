//! First integrals from all that is known of a system: by ansatz, and the constants of Hamilton-Jacobi solutions.

use crate::Effort;
use crate::hamilton_jacobi::HamiltonJacobi;
use crate::integrals::FirstIntegralReport;
use rattleback_mechanics::System;
use rattleback_symbolic::{Expr, Function, Kind, postorder};

impl FirstIntegralReport {
    /// Looks for integrals, among the constants of solutions of the Hamilton-Jacobi equation as well where the
    /// ansatz gives fewer than there are degrees of freedom.
    pub fn of(system: &System, effort: Effort) -> Self {
        Self::with_offers(system, effort, constants)
    }
}

/// The constants of solutions of the Hamilton-Jacobi equation, in positions and velocities, that are functions on
/// the whole space: an angle is none, nor is what grows with each turn.
fn constants(system: &System, effort: Effort) -> Vec<Expr> {
    let Ok(report) = HamiltonJacobi::of(system, &[], effort) else {
        return Vec::new();
    };
    let own = report.solutions.iter().filter(|s| s.coordinates.is_none());
    let all = own.flat_map(|s| s.integrals.iter().map(|q| q.value.clone()));
    all.filter(|f| is_single_valued(system, f)).collect()
}

/// Does a function come back to itself around every circle, without a jump on the way?
fn is_single_valued(system: &System, f: &Expr) -> bool {
    let jumps = |e: &Expr| matches!(e.kind(), Kind::Function(Function::Atan2, _));
    let turns = system.circles().iter().map(|s| {
        let turned = Expr::from(s) + 2 * Expr::pi();
        f.substitute(&[(s.clone(), turned)]) - f
    });
    let turns: Vec<Expr> = turns.collect();
    let nodes = postorder(std::slice::from_ref(f), |_| true);
    !nodes.iter().any(jumps) && system.prove_zero(&turns).is_proven()
}
