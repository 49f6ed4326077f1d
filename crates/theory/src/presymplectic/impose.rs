//! The ways in which one constraint f = 0 can hold: each solves for a coordinate or splits it up.

use crate::exact::tidy;
use crate::roots::square_root;
use rattleback_symbolic::{Expr, Function, Kind, Rational, Sign, Symbol, cancel, prove_zero};

/// One way for f to vanish.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) how: How,
    /// Does a power of the function stand there, so that it is irregular?
    pub(super) irregular: bool,
    /// What was divided by, if it may vanish.
    pub(super) slope: Option<Expr>,
    /// Other factors that might vanish instead.
    pub(super) others: Vec<Expr>,
}

/// What to do.
#[derive(Clone, Debug)]
pub(super) enum How {
    /// The coordinate equals the expression.
    Solve(Symbol, Expr),
    /// All of these vanish.
    Split(Vec<Expr>),
    /// No coordinate could be expressed.
    Unsolved(Expr),
}

/// The ways of f, the preferred one first; none if f has no zeros.
pub(super) struct Ways {
    pub(super) all: Vec<Way>,
    /// Factors without coordinates: where they vanish f says nothing.
    pub(super) parameters: Vec<Expr>,
}

/// The ways of f = 0, those first that give the last coordinate that can be expressed: velocities and
/// momenta stand behind positions. Only `free` coordinates are solved for. `jumps` are functions at
/// whose zeros the rank of the equations changes.
pub(super) fn ways(f: &Expr, coordinates: &[Symbol], free: &[&Symbol], jumps: &[Expr]) -> Ways {
    let (mut factors, constant): (Vec<_>, Vec<_>) = numerator(f)
        .into_iter()
        .flat_map(|(g, power)| match solutions(&g, free) {
            Some(_) => vec![(g, power)],
            None => cleared(&g, power),
        })
        .filter(|(g, _)| !g.is_nonvanishing())
        .partition(|(g, _)| coordinates.iter().any(|q| g.contains(q)));
    let parameters = constant
        .into_iter()
        .map(|(g, _)| g)
        .filter(|g| g.as_number().is_none() && g.is_constant())
        .collect();
    // Where a rank jumps the function vanishes for no reason of its own; and what involves the last
    // coordinates is the equation that was looked for.
    let last = |g: &Expr| coordinates.iter().rposition(|q| g.contains(q));
    let jump = |g: &Expr| jumps.iter().any(|c| c == g || *c == -g);
    factors.sort_by_key(|(g, _)| (jump(g), std::cmp::Reverse(last(g)), g.node_count()));
    let mut all = Vec::new();
    for (k, (g, power)) in factors.iter().enumerate() {
        let others: Vec<Expr> = factors
            .iter()
            .enumerate()
            .filter(|(j, _)| *j != k)
            .map(|(_, (g, _))| g.clone())
            .collect();
        let found = solutions(g, free).unwrap_or_else(|| vec![(How::Unsolved(g.clone()), None)]);
        all.extend(found.into_iter().map(|(how, slope)| Way {
            how,
            irregular: *power,
            slope,
            others: others.clone(),
        }));
    }
    all.sort_by_key(|w| matches!(w.how, How::Unsolved(_)));
    Ways { all, parameters }
}

/// The factors above the line, each with "is it a higher power".
pub(super) fn numerator(f: &Expr) -> Vec<(Expr, bool)> {
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
    let constant = e.is_constant();
    e.is_nonvanishing() || (constant && prove_zero(e).is_refuted())
}

/// The factors of a sum of fractions above their common line.
fn cleared(g: &Expr, power: bool) -> Vec<(Expr, bool)> {
    numerator(&cancel(g))
        .iter()
        .flat_map(|(h, p)| {
            let parts = numerator(&tidy(h)).into_iter();
            parts.map(move |(e, q)| (e, power || *p || q))
        })
        .collect()
}

type Found = Vec<(How, Option<Expr>)>;

fn solutions(g: &Expr, free: &[&Symbol]) -> Option<Found> {
    definite(g)
        .or_else(|| wave(g))
        .or_else(|| linear(g, free))
        .or_else(|| quadratic(g, free))
}

/// A sum of terms of one sign vanishes where each of them does.
fn definite(g: &Expr) -> Option<Found> {
    let Kind::Sum(constant, terms) = g.kind() else {
        return None;
    };
    let same = matches!(g.sign(), Sign::NonNegative | Sign::NonPositive);
    // Positive symbols alone make a sum that is solved like any other.
    let squares = terms.iter().all(|(t, _)| {
        numerator(t)
            .iter()
            .all(|(b, power)| *power || b.is_nonvanishing())
    });
    (same && squares && constant.is_zero()).then(|| {
        vec![(
            How::Split(terms.iter().map(|(t, _)| t.clone()).collect()),
            None,
        )]
    })
}

/// sin x and cos x vanish at multiples of π, or half a turn from them: two of them, and all others.
fn wave(g: &Expr) -> Option<Found> {
    let Kind::Function(f, x) = g.kind() else {
        return None;
    };
    let first = match f {
        Function::Sin => Expr::zero(),
        Function::Cos => Expr::pi() / 2,
        _ => return None,
    };
    let at = |value: Expr| (How::Split(vec![&x[0] - value]), None);
    let others = (How::Unsolved(g.clone()), None);
    Some(vec![at(first.clone()), at(first + Expr::pi()), others])
}

/// slope·q + rest = 0: q = −rest/slope; where the slope vanishes the rest does so too.
fn linear(g: &Expr, free: &[&Symbol]) -> Option<Found> {
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
    let value = tidy(&-(&rest / &slope));
    if slope.is_nonvanishing() {
        return Some(vec![(How::Solve(q, value), None)]);
    }
    let mut found = vec![(How::Solve(q, value), Some(slope.clone()))];
    if !is_generic(&slope) {
        found.push((How::Split(vec![slope, rest]), None));
    }
    Some(found)
}

/// Both roots of a quadratic equation, none if they are not real.
fn quadratic(g: &Expr, free: &[&Symbol]) -> Option<Found> {
    let parts = |q: &&&Symbol| -> Option<(Symbol, [Expr; 3])> {
        let parts: [Expr; 3] = g.coefficients(q).ok()?.try_into().ok()?;
        Some(((**q).clone(), parts))
    };
    let (q, [c, b, a]) = free
        .iter()
        .rev()
        .filter_map(|q| parts(&q))
        .min_by_key(|(_, [.., a])| !is_generic(a))?;
    let square = tidy(&(b.powi(2) - 4 * &a * &c));
    if square.sign() == Sign::Negative {
        return Some(Vec::new());
    }
    let root = square_root(&square);
    let doubtful = [&a, &square].into_iter().find(|e| !e.is_nonvanishing());
    let slope = doubtful.cloned();
    let value = |sign: i64| tidy(&((sign * &root - &b) / (2 * &a)));
    let way = |sign| (How::Solve(q.clone(), value(sign)), slope.clone());
    let mut found = vec![way(1), way(-1)];
    if !is_generic(&a) {
        found.push((How::Split(vec![a, b * Expr::from(&q) + c]), None));
    }
    Some(found)
}
