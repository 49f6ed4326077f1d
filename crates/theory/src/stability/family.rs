//! The dimension of the set of steady states through one of them.

use super::linear::Point;
use rattleback_geometry::independent_rows;
use rattleback_mechanics::{NamedSection, System};
use rattleback_symbolic::{
    Expr, Matrix, Symbol, diff_all, nullspace, rank, simplify, substitute_all,
};

/// The largest system of equations of steady motion that is looked at.
const LARGEST: usize = 14;

/// How many dimensions the steady states along some fields have near a point, in the space of positions and velocities.
///
/// They are the zeros of G(z, ω, λ) = (dL_ξ + F + λ A, A ξ + a, g). Where the rank of G at the point is that of almost
/// every point it is the same in a neighbourhood, and the zeros are a manifold of dimension dim(z, ω, λ) − rank (theorem of
/// constant rank). Rates and reactions have to be functions of the state. None where any of this is not shown.
pub(super) fn dimension(system: &System, fields: &[NamedSection], point: &Point) -> Option<usize> {
    let frame = system.frame();
    let forms = system.constraints().forms();
    let (n, r, s) = (frame.rank(), fields.len(), system.constraints().len());
    if n + r + s > LARGEST {
        return None;
    }
    let unknown = |what: &str, count: usize| -> Vec<Symbol> {
        let names = (0..count).map(|k| format!("{what} {k}"));
        names.map(|name| Symbol::variable(&name)).collect()
    };
    let (rates, reactions) = (unknown("rate", r), unknown("reaction", s));
    let g = steady_equations(system, fields, &rates, &reactions);
    // The rates are those that carry the state, the reactions those that balance it.
    let mut there: Vec<(Symbol, Expr)> = point.values.clone();
    let carried = fields.iter().map(|f| carrying_rate(point, f));
    there.extend(rates.iter().cloned().zip(carried));
    let balance = substitute_all(&g[..n], &there);
    let balanced = balanced(&balance, &reactions)?;
    there.extend(reactions.iter().cloned().zip(balanced));
    let mut columns: Vec<Vec<Expr>> = (0..n).map(|a| frame.act_basis(a, &g)).collect();
    let unknowns = rates.iter().chain(&reactions);
    columns.extend(unknowns.map(|w| diff_all(&g, w)));
    let slopes = Matrix::new(g.len(), columns.len(), |i, j| columns[j][i].clone());
    let here = |m: &Matrix| m.map(|e| simplify(&e.substitute(&there)));
    let at_point = sure_rank(&here(&slopes), point)?;
    // Rates and reactions are functions of the state.
    let spans = |m: &Matrix, all: usize| all == 0 || sure_rank(&here(m), point) == Some(all);
    let moved = Matrix::new(n, r, |a, k| fields[k].components[a].clone());
    if !spans(&moved, r) || !spans(forms, s) {
        return None;
    }
    let everywhere = independent_rows(&slopes, system.parametrization())
        .ok()?
        .kept
        .len();
    (everywhere == at_point).then(|| n + r + s - at_point)
}

/// G(z, ω, λ) = (dL_ξ + F + λ A, A ξ + a, g) with ξ = Σ ω_k ξ_k.
fn steady_equations(
    system: &System,
    fields: &[NamedSection],
    rates: &[Symbol],
    reactions: &[Symbol],
) -> Vec<Expr> {
    let (frame, constraints) = (system.frame(), system.constraints());
    let (n, forms) = (frame.rank(), constraints.forms());
    let along = |a: usize| {
        let terms = rates.iter().zip(fields);
        Expr::sum(terms.map(|(w, f)| Expr::from(w) * &f.components[a]))
    };
    let velocity: Vec<Expr> = (0..n).map(along).collect();
    let fibre = frame.fibre().iter().cloned();
    let on: Vec<(Symbol, Expr)> = fibre.zip(velocity.clone()).collect();
    let slopes = frame.differential(&system.lagrangian().substitute(&on));
    let force = substitute_all(system.force(), &on);
    let pushed = |a: usize| {
        let terms = reactions.iter().enumerate();
        Expr::sum(terms.map(|(k, l)| Expr::from(l) * &forms[(k, a)]))
    };
    let mut g: Vec<Expr> = (0..n).map(|a| &slopes[a] + &force[a] + pushed(a)).collect();
    let kept = forms.apply(&velocity);
    g.extend(kept.iter().zip(constraints.offsets()).map(|(k, a)| k + a));
    g.extend(constraints.holonomic().iter().cloned());
    g
}

/// The rate at which a field carries the state; 0 where it does not.
fn carrying_rate(point: &Point, field: &NamedSection) -> Expr {
    let mut carried = point.carried.iter();
    let found = carried.find(|(c, _)| c.components == field.components);
    found.map_or_else(Expr::zero, |(_, w)| w.clone())
}

/// The rank, whatever the open rates.
pub(super) fn sure_rank(m: &Matrix, point: &Point) -> Option<usize> {
    let found = rank(m).ok()?;
    let sure = found.everywhere || point.signs.never_vanish(&found.conditions);
    sure.then_some(found.rank)
}

/// λ with b + λ A = 0, from the balance at a point, which is affine in the reactions.
fn balanced(balance: &[Expr], reactions: &[Symbol]) -> Option<Vec<Expr>> {
    if reactions.is_empty() {
        return Some(Vec::new());
    }
    let zero: Vec<(Symbol, Expr)> = reactions
        .iter()
        .map(|l| (l.clone(), Expr::zero()))
        .collect();
    let s = reactions.len();
    let matrix = Matrix::new(balance.len(), s + 1, |i, j| match reactions.get(j) {
        Some(l) => balance[i].diff(l),
        None => balance[i].substitute(&zero),
    });
    let all = nullspace(&matrix).ok()?.basis;
    let found = all.iter().find(|v| !v[s].is_zero())?;
    Some((0..s).map(|i| &found[i] / &found[s]).collect())
}
