//! The symmetries that may carry a state along.

use rattleback_mechanics::{NamedSection, System};
use rattleback_symbolic::{Expr, Role, Symbol};
use rattleback_theory::{Effort, SymmetryReport, is_symmetry};

/// Has a system symmetries that may carry a steady motion?
fn may_be_carried(system: &System) -> bool {
    !system.is_kinematic() && !system.is_map() && system.order() == 1
}

/// The declared symmetries that hold, and cyclic coordinates.
pub(crate) fn stated_symmetries(system: &System) -> Vec<NamedSection> {
    if !may_be_carried(system) {
        return Vec::new();
    }
    let declared = system.symmetries().iter();
    let declared = declared.filter(|s| is_symmetry(system, s).is_proven());
    let mut all: Vec<NamedSection> = declared.cloned().collect();
    for cyclic in system.cyclic() {
        if !all.iter().any(|s| s.components == cyclic.components) {
            all.push(cyclic);
        }
    }
    all
}

/// What a search finds.
pub(crate) fn found_symmetries(system: &System) -> Vec<NamedSection> {
    if !may_be_carried(system) {
        return Vec::new();
    }
    let found = SymmetryReport::of(system, Effort::of(1.0)).all.into_iter();
    let found = found.map(|s| NamedSection {
        name: s.name,
        components: s.components,
    });
    found
        .filter(|s| is_symmetry(system, s).is_proven())
        .collect()
}

/// Does a field shift coordinates, all states alike?
pub(crate) fn is_shift(system: &System, field: &NamedSection) -> bool {
    let is_plain = |k: usize| {
        let mut factors = system.factors().iter();
        factors.any(|f| f.group.is_none() && f.fibre.contains(&k))
    };
    let is_constant = |e: &Expr| e.free_symbols().iter().all(|s| s.role() == Role::Constant);
    let moved = field.components.iter().enumerate();
    let mut moved = moved.filter(|(_, e)| !e.is_zero());
    moved.all(|(k, e)| is_plain(k) && is_constant(e))
}

/// The coordinate that a field moves with unit speed, where it moves nothing else.
pub(crate) fn only_coordinate(system: &System, field: &NamedSection) -> Option<Symbol> {
    let mut moved = field
        .components
        .iter()
        .enumerate()
        .filter(|(_, c)| !c.is_zero());
    let (along, one) = moved.next().filter(|(_, c)| c.is_one())?;
    debug_assert!(one.is_one());
    if moved.next().is_some() {
        return None;
    }
    let factors = system.factors().iter();
    let mut plain = factors.filter(|f| f.group.is_none() && f.fibre.start == along);
    plain
        .next()
        .map(|f| system.frame().base()[f.base.start].clone())
}
