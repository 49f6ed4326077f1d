//! First integrals ½ K^ab P_a P_b + U of systems with two momenta, by ansatz: K polynomial in the
//! coordinates over the denominators of the metric, U made of the functions in the potential. In the plane
//! this is the equation of Bertrand and Darboux.

use super::Setting;
use super::integrals::Quadratic;
use crate::Effort;
use crate::exact::{circular_coordinates, constant_relations, monomials, tidy};
use rattleback_mechanics::System;
use rattleback_mechanics::phase::FrameMomenta;
use rattleback_symbolic::{Expr, Kind, Rational, Symbol, dot, expand, postorder, prove_all_zero};

/// Unknown coefficients of one ansatz.
const UNKNOWNS: usize = 240;
/// A longer metric is left alone.
const SHORT: usize = 300;
/// Denominators that are tried.
const WEIGHTS: usize = 4;

/// The integrals that are independent of the energy.
pub(crate) fn quadratic(
    system: &System,
    phase: &FrameMomenta,
    s: &Setting,
    effort: Effort,
) -> Vec<Quadratic> {
    let size: usize = s
        .inverse_metric
        .entries()
        .iter()
        .map(Expr::node_count)
        .sum();
    if system.has_groups() || effort.is_spent() || size > SHORT {
        return Vec::new();
    }
    let q = s.frame.base();
    let data = [
        s.inverse_metric.entries(),
        std::slice::from_ref(&s.potential),
    ]
    .concat();
    let used: Vec<Symbol> = q
        .iter()
        .filter(|x| data.iter().any(|e| e.contains(x)))
        .cloned()
        .collect();
    let circular = circular_coordinates(&s.frame, &data, system.circles());
    let is_circular = |x: &Symbol| circular.contains(x);
    let p: Vec<Expr> = phase.momenta().iter().map(Expr::from).collect();
    let products = [p[0].powi(2) / 2, &p[0] * &p[1], p[1].powi(2) / 2];
    let mut ansatz: Vec<Expr> = Vec::new();
    for weight in weights(s) {
        let degree = if circular.is_empty() { 4 } else { 2 };
        let small = monomials(&used, is_circular, degree, 15);
        ansatz.extend(small.iter().flat_map(|m| {
            products
                .iter()
                .map(|pp| m * pp * &weight)
                .collect::<Vec<_>>()
        }));
    }
    ansatz.truncate(UNKNOWNS * 3 / 4);
    for (atom, degree) in atoms(&s.potential, q) {
        let shapes = monomials(&used, is_circular, degree + 2, 30);
        ansatz.extend(
            shapes
                .iter()
                .map(|m| m * &atom)
                .filter(|e| e.contains_any(q)),
        );
    }
    ansatz.truncate(UNKNOWNS);
    let flow = phase.bracket().field(phase.hamiltonian());
    let rate = |f: &Expr| dot(&f.gradient(&phase.bracket().coordinates), &flow);
    let rates: Vec<Vec<Expr>> = ansatz.iter().map(|f| vec![rate(f)]).collect();
    let relations = constant_relations(&rates, &s.on, effort).unwrap_or_default();
    let mut found: Vec<Expr> = relations
        .iter()
        .map(|c| Expr::sum(c.iter().zip(&ansatz).map(|(c, f)| c * f)))
        .collect();
    found.sort_by_key(Expr::node_count);
    let velocities = ambient_momenta(system, phase);
    found
        .iter()
        .filter_map(|f| Quadratic::of(f, phase.momenta(), &tidy(&f.substitute(&velocities))))
        .filter(|f| independent(f, s))
        .take(3)
        .collect()
}

/// P_a = ⟨∂L/∂y, Z_a⟩.
fn ambient_momenta(system: &System, phase: &FrameMomenta) -> Vec<(Symbol, Expr)> {
    let p = system.momenta();
    let basis = &phase.sections().basis;
    let values = (0..basis.cols()).map(|a| dot(&p, &basis.column(a)));
    phase.momenta().iter().cloned().zip(values).collect()
}

/// K is no multiple of the metric.
fn independent(f: &Quadratic, s: &Setting) -> bool {
    let (k, g) = (&f.tensor, &s.inverse_metric);
    let minors = [((0, 0), (0, 1)), ((0, 0), (1, 1)), ((0, 1), (1, 1))]
        .map(|(a, b)| &k[a] * &g[b] - &k[b] * &g[a]);
    prove_all_zero(&minors).is_refuted()
}

/// 1, and the denominators of the metric that move, as they are and squared; short ones first.
fn weights(s: &Setting) -> Vec<Expr> {
    let mut all: Vec<Expr> = Vec::new();
    for node in postorder(s.inverse_metric.entries(), |_| true) {
        if let Kind::Product(items) = node.kind() {
            let moving = |b: &Expr| b.contains_any(s.frame.base());
            for (b, r) in items.iter().filter(|(b, r)| r.is_negative() && moving(b)) {
                let weight = b.powr(r);
                all.extend([weight.powi(2), weight]);
            }
        }
    }
    all.sort_by_cached_key(|w| (w.node_count(), w.to_string()));
    all.dedup();
    all.truncate(WEIGHTS);
    all.insert(0, Expr::one());
    all
}

/// The factors of the terms of V that are no powers of coordinates, with the highest degree of the powers
/// beside each.
fn atoms(potential: &Expr, q: &[Symbol]) -> Vec<(Expr, usize)> {
    let mut all: Vec<(Expr, usize)> = Vec::new();
    for term in expand(potential).terms() {
        let (_, core) = term.split_coefficient();
        let items = match core.kind() {
            Kind::Product(items) => items.to_vec(),
            _ => vec![(core.clone(), Rational::ONE)],
        };
        let (mut degree, mut other) = (0, Vec::new());
        for (base, r) in items {
            let power = r.as_integer().filter(|n| *n > 0);
            match (base.as_symbol(), power) {
                (Some(x), Some(n)) if q.contains(x) => degree += n as usize,
                _ if base.contains_any(q) => other.push((base, r)),
                _ => {}
            }
        }
        let atom = Expr::power_product(other);
        match all.iter_mut().find(|(a, _)| *a == atom) {
            Some((_, d)) => *d = (*d).max(degree),
            None => all.push((atom, degree)),
        }
    }
    all
}
