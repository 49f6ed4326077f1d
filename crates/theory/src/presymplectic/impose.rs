//! Solving one constraint f = 0 for a coordinate.

use crate::exact::tidy;
use crate::roots::square_root;
use rattleback_symbolic::{Expr, Kind, Rational, Role, Symbol, prove_zero};

/// A constraint, solved.
pub(super) struct Imposed {
    pub(super) symbol: Symbol,
    pub(super) value: Expr,
    /// Did a power of the function stand there?
    pub(super) power: bool,
    /// What was divided by, if it may vanish.
    pub(super) slope: Option<Expr>,
    /// Other factors that might vanish instead.
    pub(super) others: Vec<Expr>,
}

/// Why a constraint could not be solved.
pub(super) enum Impossible {
    /// It has no zeros.
    Contradiction,
    /// No coordinate could be expressed.
    Unsolved(Expr),
}

/// f = 0 as symbol = value, the last coordinate that can be expressed first: velocities and momenta
/// stand behind positions. `jumps` are functions at whose zeros the rank of the equations changes.
pub(super) fn impose(
    f: &Expr,
    coordinates: &[Symbol],
    solved: &[(Symbol, Expr)],
    jumps: &[Expr],
) -> Result<Imposed, Impossible> {
    let free: Vec<&Symbol> = coordinates
        .iter()
        .filter(|q| solved.iter().all(|(w, _)| w != *q))
        .collect();
    let mut factors: Vec<(Expr, bool)> = numerator(f)
        .into_iter()
        .filter(|(g, _)| free.iter().any(|q| g.contains(q)) && !g.is_nonvanishing())
        .collect();
    if factors.is_empty() {
        return Err(Impossible::Contradiction);
    }
    // Where a rank jumps the function vanishes for no reason of its own; and what involves the last
    // coordinates is the equation that was looked for.
    let last = |g: &Expr| coordinates.iter().rposition(|q| g.contains(q));
    let jump = |g: &Expr| jumps.iter().any(|c| c == g || *c == -g);
    factors.sort_by_key(|(g, _)| (jump(g), std::cmp::Reverse(last(g)), g.node_count()));
    for (k, (g, power)) in factors.iter().enumerate() {
        if let Some((symbol, value, slope)) = linear(g, &free).or_else(|| quadratic(g, &free)) {
            let others = factors.iter().enumerate().filter(|(j, _)| *j != k);
            return Ok(Imposed {
                symbol,
                value: tidy(&value),
                power: *power,
                slope,
                others: others.map(|(_, (g, _))| g.clone()).collect(),
            });
        }
    }
    Err(Impossible::Unsolved(factors.swap_remove(0).0))
}

/// The factors above the line, each with "is it a higher power".
fn numerator(f: &Expr) -> Vec<(Expr, bool)> {
    let (_, core) = f.split_coefficient();
    match core.kind() {
        Kind::Product(items) => items
            .iter()
            .filter(|(_, r)| !r.is_negative())
            .map(|(b, r)| (b.clone(), *r > Rational::ONE))
            .collect(),
        _ => vec![(core, false)],
    }
}

fn is_generic(e: &Expr) -> bool {
    let constant = e.free_symbols().iter().all(|s| s.role() == Role::Constant);
    e.is_nonvanishing() || (constant && prove_zero(e).is_refuted())
}

fn linear(g: &Expr, free: &[&Symbol]) -> Option<(Symbol, Expr, Option<Expr>)> {
    let mut best: Option<(usize, Symbol, Expr, Expr)> = None;
    for (place, q) in free.iter().enumerate() {
        let Ok(parts) = g.coefficients(q) else {
            continue;
        };
        let [rest, slope] = parts.as_slice() else {
            continue;
        };
        let slope = tidy(slope);
        let cost = match (slope.as_number().is_some(), is_generic(&slope)) {
            (true, _) => 0,
            (_, true) => 1_000,
            _ => 1_000_000 + slope.node_count() * 1_000,
        };
        let key = cost + free.len() - place;
        if best.as_ref().is_none_or(|b| key < b.0) {
            best = Some((key, (*q).clone(), slope, rest.clone()));
        }
    }
    let (_, q, slope, rest) = best?;
    let open = (!is_generic(&slope)).then(|| slope.clone());
    Some((q, -(rest / slope), open))
}

/// One root of a quadratic equation; the other one is a chart of its own.
fn quadratic(g: &Expr, free: &[&Symbol]) -> Option<(Symbol, Expr, Option<Expr>)> {
    free.iter().rev().find_map(|q| {
        let parts = g.coefficients(q).ok()?;
        let [c, b, a] = parts.as_slice() else {
            return None;
        };
        if !is_generic(a) {
            return None;
        }
        let root = square_root(&tidy(&(b.powi(2) - 4 * a * c)));
        Some(((*q).clone(), (root - b) / (2 * a), None))
    })
}
