//! Coefficient functions that fields and integrals are looked for among.

use crate::exact::{Settle, circular_coordinates, factors_of, is_negative, monomials, tidy};
use rattleback_geometry::LieGroup;
use rattleback_mechanics::{Factor, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, determinant};

/// Monomials in coordinates, sines and cosines of angles and entries of groups; a coordinate that nothing
/// contains enters linearly only.
pub(crate) fn coefficient_functions(system: &System, degree: usize, most: usize) -> Vec<Expr> {
    functions_up_to(system, degree, degree.min(1), most)
}

/// [`coefficient_functions`] with another degree where there are entries of groups: there are many.
pub(crate) fn functions_up_to(
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
    let settle = Settle::new(system);
    let redundant = |s: &Symbol| settle.redundant().iter().any(|(x, _)| x == s);
    // Angles that nothing contains stay out: a periodic field along them is no help.
    let plain: Vec<Symbol> = frame
        .base()
        .iter()
        .filter(|s| (!circular.contains(s) || used(s)) && !redundant(s))
        .cloned()
        .collect();
    let curved = |f: &Factor| f.group.is_some_and(|g| !g.is_vector_space());
    let degree = match system.factors().iter().any(curved) {
        true => on_groups,
        false => degree,
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
    let there = group.adjoint_matrix(&g);
    let back = group.adjoint_matrix(&group.inverse(&g));
    [there.entries(), back.entries()].concat()
}

/// A metric with more nodes has no factors that a person would think of.
const SHORT: usize = 300;

/// Two factors of the determinant of a metric, positive at the start, if it is short. A Hessian that depends
/// on velocities is no metric.
pub(crate) fn determinant_factors(system: &System, metric: &Matrix) -> Vec<Expr> {
    let metric = metric.map(tidy);
    let size: usize = metric.entries().iter().map(Expr::node_count).sum();
    let fibre = system.frame().fibre();
    let moving = metric.entries().iter().any(|e| e.contains_any(fibre));
    if metric.rows() > 4 || size >= SHORT || moving {
        return Vec::new();
    }
    let Ok(d) = determinant(&metric) else {
        return Vec::new();
    };
    let positive = |b: Expr| match is_negative(&b, system.start_point()) {
        true => -b,
        false => b,
    };
    // The metric of a general Lagrangian depends on velocities too: its factors are no functions of positions.
    let velocities = system.frame().fibre();
    factors_of(&[d])
        .into_iter()
        .filter(|b| !b.contains_any(velocities))
        .take(2)
        .map(positive)
        .collect()
}

/// Coefficients of fields in curved coordinates: sines and cosines of coordinates that nothing contains,
/// times linear functions of the others, divided by factors of the metric. Rotations and translations look
/// like that in polar and spherical coordinates.
pub(super) fn curved_functions(system: &System, most: usize) -> Vec<Expr> {
    let frame = system.frame();
    let constraints = system.constraints();
    let data: Vec<Expr> = std::iter::once(system.lagrangian())
        .chain(constraints.forms().entries())
        .chain(constraints.offsets())
        .cloned()
        .collect();
    let factors = determinant_factors(system, &system.mass_matrix());
    if system.has_groups() || factors.is_empty() {
        return Vec::new();
    }
    let (used, silent): (Vec<Symbol>, Vec<Symbol>) = frame
        .base()
        .iter()
        .cloned()
        .partition(|s| data.iter().any(|e| e.contains(s)));
    let circular = circular_coordinates(frame, &data, system.circles());
    let linear = monomials(&used, |s| circular.contains(s), 1, most);
    let mut waves = vec![Expr::one()];
    waves.extend(
        silent
            .iter()
            .map(Expr::from)
            .flat_map(|q| [q.cos(), q.sin()]),
    );
    let mut weights = vec![Expr::one()];
    for b in &factors {
        let divided: Vec<Expr> = weights.iter().map(|w| w / b).collect();
        weights.extend(divided);
    }
    let products = waves.iter().flat_map(|wave| {
        let scaled = linear.iter().map(move |u| wave * u);
        scaled.flat_map(|u| weights.iter().map(move |w| &u * w).collect::<Vec<_>>())
    });
    let mut all: Vec<Expr> = Vec::new();
    for e in products {
        if !all.contains(&e) && all.len() < most {
            all.push(e);
        }
    }
    all
}
