//! Families where an external force acts: d(H∘γ) = F on the motions of γ (DP-B3).

use super::Setting;
use super::primitive::{logarithmic, primitive};
use super::solution::{Candidate, Method};
use crate::Effort;
use crate::exact::{
    circular_coordinates, constant_relations, factors_of, monomials, tidy, tidy_all,
};
use rattleback_geometry::independent_rows;
use rattleback_mechanics::phase::FrameMomenta;
use rattleback_mechanics::{Quantity, System};
use rattleback_symbolic::{
    Budget, Expr, Matrix, Symbol, determinant_within, dot, inverse, prove_all_zero, substitute_all,
};

/// Unknown coefficients of one ansatz.
const UNKNOWNS: usize = 120;

/// The system with the part of the force that depends on positions only as a potential U, and U; `None` if
/// there is no such part or no potential in closed form.
pub(crate) fn folded(system: &System) -> Option<(System, Expr)> {
    if system.has_groups() || system.order() > 1 {
        return None;
    }
    let q = system.frame().base();
    let rest: Vec<(Symbol, Expr)> = q.iter().map(|s| (s.derivative(), Expr::zero())).collect();
    let fixed = tidy_all(&substitute_all(system.force(), &rest));
    let timed = fixed.iter().any(|f| f.contains(&Symbol::time()));
    if timed || fixed.iter().all(Expr::is_zero) {
        return None;
    }
    let mut potential = Expr::zero();
    for (x, f) in q.iter().zip(&fixed) {
        let open = tidy(&(f + potential.diff(x)));
        potential -= primitive(&open, x)?;
    }
    let gaps: Vec<Expr> = q
        .iter()
        .zip(&fixed)
        .map(|(x, f)| f + potential.diff(x))
        .collect();
    if !prove_all_zero(&gaps).is_proven() {
        return None;
    }
    let left = system
        .force()
        .iter()
        .zip(&fixed)
        .map(|(f, g)| tidy(&(f - g)));
    let lagrangian = system.lagrangian() - &potential;
    let folded = System::on_coordinates(system.name(), q, lagrangian)
        .with_constraints(system.constraints().clone())
        .with_force(left.collect())
        .with_circles(system.circles().to_vec())
        .with_fibre(system.fibre().to_vec());
    Some((folded, tidy(&potential)))
}

/// Families for a force that depends on velocities.
pub(crate) fn families(
    system: &System,
    s: &Setting,
    names: &[Symbol],
    effort: Effort,
) -> Vec<Candidate> {
    if system.force().iter().any(|f| f.contains(&Symbol::time())) {
        return Vec::new();
    }
    let mut found: Vec<Candidate> = affine(system, s, names, effort).into_iter().collect();
    if let ([q], true) = (s.frame.base(), s.rank() == 1) {
        found.extend(one_degree(s, q, names));
    }
    found
}

/// First integrals f^a(q) P_a + g(q) of the motion with the force, as many as momenta, solved for them:
/// p + c q of a drag −c q', for instance.
fn affine(system: &System, s: &Setting, names: &[Symbol], effort: Effort) -> Option<Candidate> {
    let phase = FrameMomenta::of(system).ok()?;
    let momenta = phase.momenta();
    let integrals = affine_integrals(system, s, &phase, effort)?;
    let rows: Vec<Vec<Expr>> = integrals.iter().map(|f| f.gradient(momenta)).collect();
    let kept = independent_rows(&Matrix::from_rows(&rows), &s.on)
        .ok()?
        .kept;
    if rows.is_empty() || kept.len() < s.rank() {
        return None;
    }
    let constants = names.get(1..=kept.len())?.to_vec();
    let rest: Vec<(Symbol, Expr)> = momenta.iter().map(|p| (p.clone(), Expr::zero())).collect();
    let right: Vec<Expr> = kept
        .iter()
        .zip(&constants)
        .map(|(&i, c)| Expr::from(c) - integrals[i].substitute(&rest))
        .collect();
    let matrix = Matrix::from_rows(&kept.iter().map(|&i| rows[i].clone()).collect::<Vec<_>>());
    let gamma = inverse(&matrix).ok()?.solution.apply(&right);
    let basis = &phase.sections().basis;
    let ambient = system.momenta();
    let velocities: Vec<(Symbol, Expr)> = momenta
        .iter()
        .cloned()
        .zip((0..basis.cols()).map(|a| dot(&ambient, &basis.column(a))))
        .collect();
    let quantity = |(&i, c): (&usize, &Symbol)| {
        Quantity::new(c.name(), tidy(&integrals[i].substitute(&velocities)))
    };
    Some(Candidate {
        method: Method::Integrals,
        form: s.covector.apply(&tidy_all(&gamma)),
        integrals: kept.iter().zip(&constants).map(quantity).collect(),
        constants,
        levels: None,
        notes: vec!["the force keeps functions affine in the momenta".into()],
    })
}

/// Functions affine in the momenta that the motion with the force keeps, the shortest first.
fn affine_integrals(
    system: &System,
    s: &Setting,
    phase: &FrameMomenta,
    effort: Effort,
) -> Option<Vec<Expr>> {
    let flow = forced_flow(s, phase);
    let ansatz = affine_ansatz(system, s, phase.momenta());
    let coordinates = &phase.bracket().coordinates;
    let rates: Vec<Vec<Expr>> = ansatz
        .iter()
        .map(|f| vec![dot(&f.gradient(coordinates), &flow)])
        .collect();
    let relations = constant_relations(&rates, &s.on, effort)?;
    let mut integrals: Vec<Expr> = relations
        .iter()
        .map(|c| tidy(&Expr::sum(c.iter().zip(&ansatz).map(|(c, f)| c * f))))
        .collect();
    integrals.sort_by_key(Expr::node_count);
    Some(integrals)
}

/// The rates of positions and momenta, pushed by the force.
fn forced_flow(s: &Setting, phase: &FrameMomenta) -> Vec<Expr> {
    let momenta = phase.momenta();
    let p: Vec<Expr> = momenta.iter().map(Expr::from).collect();
    let fibre = s.frame.fibre().iter().cloned();
    let known: Vec<(Symbol, Expr)> = fibre.zip(s.velocity(&p)).collect();
    let push = substitute_all(&s.force, &known);
    let mut flow = phase.bracket().field(phase.hamiltonian());
    for (x, rate) in phase.bracket().coordinates.iter().zip(&mut flow) {
        if let Some(a) = momenta.iter().position(|p| p == x) {
            *rate += push[a].clone();
        }
    }
    flow
}

/// Monomials of the positions, alone and times each momentum.
fn affine_ansatz(system: &System, s: &Setting, momenta: &[Symbol]) -> Vec<Expr> {
    let p: Vec<Expr> = momenta.iter().map(Expr::from).collect();
    let data = [
        &[system.lagrangian().clone()],
        system.constraints().forms().entries(),
        system.force(),
    ]
    .concat();
    let circular = circular_coordinates(&s.frame, &data, system.circles());
    let most = UNKNOWNS / (p.len() + 1);
    // An angle on the line too: a drag makes momenta linear in it.
    let mut shapes = monomials(s.frame.base(), |x| circular.contains(x), 2, most);
    shapes.extend(circular.iter().map(Expr::from));
    let alone: Vec<Expr> = shapes
        .iter()
        .filter(|m| m.as_number().is_none())
        .cloned()
        .collect();
    shapes.extend(roots(s));
    let of_momenta = shapes.iter().flat_map(|m| p.iter().map(move |p| m * p));
    of_momenta.chain(alone).collect()
}

/// Roots of the factors of the metric on D: gauge momenta have such coefficients.
fn roots(s: &Setting) -> Vec<Expr> {
    let Ok(det) = determinant_within(&s.metric, Budget::SMALL) else {
        return Vec::new();
    };
    factors_of(&[tidy(&det)])
        .iter()
        .take(2)
        .flat_map(|f| [f.sqrt(), f.sqrt().recip()])
        .collect()
}

/// One coordinate with mass g(q) and force a + b q' + c q'²:
///
/// ```text
/// c ≠ 0 or V only:  (p²)' = (g' + 2c) p²/g + 2g(a − V')        linear in p²
/// drag only:        p' = p g'/2g + b                           linear in p
/// drag and V' = kq + e, all else constant:  p = αq + β with α² − bα + kg = 0, β(α − b) + eg = 0
/// ```
fn one_degree(s: &Setting, q: &Symbol, names: &[Symbol]) -> Vec<Candidate> {
    let try_all = || -> Option<Vec<Candidate>> {
        let y = s.frame.fibre().first()?;
        let parts = s.force.first()?.coefficients(y).ok()?;
        if parts.len() > 3 {
            return None;
        }
        let part = |n: usize| parts.get(n).cloned().unwrap_or_else(Expr::zero);
        let (a, b, c) = (part(0), part(1), part(2));
        let g = &s.metric[(0, 0)];
        let slope = tidy(&(s.potential.diff(q) - a));
        if b.is_zero() {
            let rate = tidy(&((g.diff(q) + 2 * c) / g));
            let f = logarithmic(&rate, q, std::slice::from_ref(g))?;
            let grown = primitive(&tidy(&(-2 * g * slope / &f)), q)?;
            let square = tidy(&(&f * (Expr::from(&names[1]) + &grown)));
            let kept = (g * y).powi(2) / &f - grown;
            return Some(vec![family(square.sqrt(), Some((&names[1], kept)))]);
        }
        if !c.is_zero() {
            return None;
        }
        if slope.is_zero() {
            let f = tidy(&g.sqrt());
            let grown = primitive(&tidy(&(b / &f)), q)?;
            let p = tidy(&(&f * (Expr::from(&names[1]) + &grown)));
            let kept = g * y / f - grown;
            return Some(vec![family(p, Some((&names[1], kept)))]);
        }
        let k = tidy(&slope.diff(q));
        let e = tidy(&(&slope - &k * q));
        if ![&b, &k, &e, g].into_iter().all(Expr::is_constant) {
            return None;
        }
        let root = tidy(&(b.powi(2) - 4 * &k * g)).sqrt();
        let lines = [1, -1].map(|sign| {
            let alpha = tidy(&((&b + sign * &root) / 2));
            let beta = tidy(&(-(&e * g) / (&alpha - &b)));
            family(alpha * q + beta, None)
        });
        Some(lines.to_vec())
    };
    try_all().unwrap_or_default()
}

/// p with at most one constant, which is a first integral.
fn family(p: Expr, kept: Option<(&Symbol, Expr)>) -> Candidate {
    Candidate {
        method: Method::Forced,
        form: vec![p],
        constants: kept.iter().map(|(c, _)| (*c).clone()).collect(),
        integrals: kept
            .into_iter()
            .map(|(c, f)| Quantity::new(c.name(), tidy(&f)))
            .collect(),
        levels: None,
        notes: Vec::new(),
    }
}
