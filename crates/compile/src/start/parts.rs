//! What a start state is made of, whether it is worked out in numbers or as a program of what is varied.

use rattleback_geometry::LieGroup;
use rattleback_mechanics::problem::StatedConstraint;
use rattleback_mechanics::{ConstraintKind, Factor, System};
use rattleback_symbolic::{Expr, Symbol};

/// Auxiliary states, then positions, each with its value where none is stated: 0, or that of an identity.
pub(crate) fn neutral_positions(system: &System) -> Vec<(Symbol, Expr)> {
    let auxiliary = system.auxiliary().iter();
    let mut all: Vec<(Symbol, Expr)> = auxiliary.map(|(z, _)| (z.clone(), Expr::zero())).collect();
    for factor in system.factors() {
        let positions = &system.frame().base()[factor.base.clone()];
        let neutral = factor
            .group
            .map_or_else(|| vec![Expr::zero()], |g| g.identity());
        all.extend(positions.iter().cloned().zip(neutral));
    }
    all
}

/// What vanishes on the group of a factor.
pub(crate) fn relations(system: &System, factor: &Factor) -> Vec<Expr> {
    let entries = &system.frame().base()[factor.base.clone()];
    let of = |group: rattleback_geometry::Group| group.relations(&group.element(entries));
    factor.group.map_or_else(Vec::new, of)
}

/// A constraint as the velocities have to satisfy it.
pub(crate) fn on_velocities(system: &System, c: &StatedConstraint) -> Expr {
    match c.kind {
        ConstraintKind::Holonomic => {
            let rate = system.frame().rate(&c.expr);
            rate.substitute(&system.auxiliary_jets())
        }
        _ => c.expr.clone(),
    }
}

/// The derivatives y^(i).
pub(crate) fn jets(system: &System, i: u32) -> Vec<Symbol> {
    let fibre = system.frame().fibre().iter();
    fibre.map(|y| y.jet(y.order() + i)).collect()
}

/// Which derivatives of velocities belong to the state.
pub(crate) fn levels(system: &System) -> std::ops::Range<u32> {
    1..2 * system.order() - 1
}

/// The multipliers of the variational problem, with their derivatives.
pub(crate) fn multipliers(system: &System) -> Vec<Symbol> {
    let constraints = system.variational_constraints();
    let jets = constraints.iter().map(|c| c.multiplier_jets().collect());
    jets.collect::<Vec<Vec<Symbol>>>().concat()
}
