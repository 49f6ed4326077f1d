//! Coefficient functions that fields and integrals are looked for among.

use crate::exact::{circular_coordinates, monomials};
use rattleback_mechanics::System;
use rattleback_symbolic::{Expr, Symbol};

/// Monomials in coordinates, sines and cosines of angles and entries of groups; a coordinate that nothing
/// contains enters linearly only.
pub(super) fn coefficient_functions(system: &System, degree: usize, most: usize) -> Vec<Expr> {
    functions_up_to(system, degree, degree.min(1), most)
}

/// [`coefficient_functions`] with another degree where there are entries of groups: there are many.
pub(super) fn functions_up_to(
    system: &System,
    degree: usize,
    on_groups: usize,
    most: usize,
) -> Vec<Expr> {
    let frame = system.frame();
    let constraints = system.constraints();
    let data: Vec<Expr> = std::iter::once(system.lagrangian())
        .chain(constraints.forms().entries())
        .cloned()
        .collect();
    let circular = circular_coordinates(frame, &data, system.circles());
    let used = |s: &Symbol| data.iter().any(|e| e.contains(s));
    let group = |s: &Symbol| {
        system
            .factors()
            .iter()
            .any(|f| f.group.is_some() && frame.base()[f.base.clone()].contains(s))
    };
    // Angles that nothing contains stay out: a periodic field along them is no help.
    let plain: Vec<Symbol> = frame
        .base()
        .iter()
        .filter(|s| !circular.contains(s) || used(s))
        .cloned()
        .collect();
    let degree = match plain.iter().any(group) {
        true => on_groups,
        false => degree,
    };
    monomials(&plain, |s| circular.contains(s), degree, most.max(2))
}
