//! Coefficient functions that fields and integrals are looked for among.

use crate::exact::{Settle, circular_coordinates, monomials};
use rattleback_geometry::Group;
use rattleback_mechanics::{Factor, System};
use rattleback_symbolic::{Expr, Symbol};

/// Monomials in coordinates, sines and cosines of angles and entries of groups; a coordinate that nothing
/// contains enters linearly only.
pub(super) fn coefficient_functions(system: &System, degree: usize, most: usize) -> Vec<Expr> {
    let frame = system.frame();
    let constraints = system.constraints();
    let data: Vec<Expr> = std::iter::once(system.lagrangian())
        .chain(constraints.forms().entries())
        .cloned()
        .collect();
    let circular = circular_coordinates(frame, &data, system.circles());
    let used = |s: &Symbol| data.iter().any(|e| e.contains(s));
    let settle = Settle::new(system);
    let redundant = |s: &Symbol| settle.redundant().iter().any(|(x, _)| x == s);
    // Angles that nothing contains stay out: a periodic field along them is no help.
    let plain: Vec<Symbol> = frame
        .base()
        .iter()
        .filter(|s| (!circular.contains(s) || used(s)) && !redundant(s))
        .cloned()
        .collect();
    let curved = |f: &Factor| !matches!(f.group, None | Some(Group::R(_)));
    let degree = if system.factors().iter().any(curved) {
        1
    } else {
        degree
    };
    let most = most.max(2);
    let mut functions = monomials(&plain, |s| circular.contains(s), degree, most);
    let adjoint = system
        .factors()
        .iter()
        .flat_map(|f| adjoint_entries(system, f));
    let mut adjoint = settle.all(&adjoint.collect::<Vec<Expr>>());
    adjoint.sort_by_key(Expr::node_count);
    for e in adjoint {
        if functions.len() < most && !settle.repeats(&functions, &e) {
            functions.push(e);
        }
    }
    functions
}

/// The components of invariant fields of the other side: right-invariant fields by body velocities.
fn adjoint_entries(system: &System, factor: &Factor) -> Vec<Expr> {
    let Some(group) = factor.group else {
        return Vec::new();
    };
    let g = group.element(&system.frame().base()[factor.base.clone()]);
    let there = group.adjoint(&g);
    let back = group.adjoint(&group.inverse(&g));
    [there.entries(), back.entries()].concat()
}
