//! The motion of a solution by quadratures: q' = v(q) in triangular order (HJ-C23).

use super::primitive::primitive;
use super::{Setting, Verification};
use crate::exact::tidy;
use rattleback_symbolic::{Expr, Kind, Rational, Symbol};

/// One coordinate of the motion.
#[derive(Clone, Debug)]
pub struct Quadrature {
    /// The coordinate.
    pub coordinate: Symbol,
    /// Its derivative, in the clock and in coordinates found before it.
    pub slope: Expr,
    /// An antiderivative in the clock, where one is known and nothing else occurs.
    pub primitive: Option<Expr>,
    /// a(q) and b(u) with slope = a·b, where the coordinate occurs itself: ∫dq/a = ∫b du.
    pub separated: Option<(Expr, Expr)>,
}

/// The motion with one coordinate (or time itself) as clock.
#[derive(Clone, Debug)]
pub struct Motion {
    /// The clock: a coordinate u, or t where nothing determines a rate.
    pub clock: Symbol,
    /// dt/du; `None` where the clock is time.
    pub time: Option<Quadrature>,
    /// dq/du for the other coordinates, each in the ones before it.
    pub others: Vec<Quadrature>,
    /// Coordinates at rest.
    pub resting: Vec<Symbol>,
}

impl Motion {
    /// `None` if no triangular order exists.
    pub fn of(s: &Setting, v: &Verification) -> Option<Self> {
        let velocity: Vec<Expr> = v.velocity.iter().map(|q| q.value.clone()).collect();
        let q = s.frame.base().to_vec();
        let rates: Vec<Expr> = s.frame.anchored(&velocity).iter().map(tidy).collect();
        Self::of_rates(&q, &rates)
    }

    /// The triangular order of q' = rates(q).
    pub fn of_rates(q: &[Symbol], rates: &[Expr]) -> Option<Self> {
        let needs = |i: usize| -> Vec<usize> {
            (0..q.len()).filter(|&j| rates[i].contains(&q[j])).collect()
        };
        let resting: Vec<usize> = (0..q.len()).filter(|&i| rates[i].is_zero()).collect();
        let moving: Vec<usize> = (0..q.len()).filter(|i| !resting.contains(i)).collect();
        // The clock is a coordinate with a rate of its own: one that drives others, first.
        let own: Vec<usize> = moving
            .iter()
            .copied()
            .filter(|&i| needs(i).iter().all(|j| *j == i || resting.contains(j)))
            .collect();
        let drives = |i: usize| {
            moving
                .iter()
                .filter(|&&j| j != i && rates[j].contains(&q[i]))
                .count()
        };
        let clock = own
            .iter()
            .copied()
            .max_by_key(|&i| (drives(i), usize::MAX - i))?;
        let mut known = resting.clone();
        known.push(clock);
        let mut others = Vec::new();
        while known.len() < q.len() {
            let next = moving.iter().copied().find(|i| {
                !known.contains(i) && needs(*i).iter().all(|j| known.contains(j) || j == i)
            })?;
            let slope = tidy(&(&rates[next] / &rates[clock]));
            let alone = q
                .iter()
                .enumerate()
                .all(|(j, s)| j == clock || resting.contains(&j) || !slope.contains(s));
            others.push(Quadrature {
                coordinate: q[next].clone(),
                primitive: alone.then(|| primitive(&slope, &q[clock])).flatten(),
                separated: split(&slope, &q[next], &q[clock]),
                slope,
            });
            known.push(next);
        }
        let slope = tidy(&rates[clock].recip());
        Some(Self {
            time: Some(Quadrature {
                coordinate: Symbol::time(),
                primitive: primitive(&slope, &q[clock]),
                separated: None,
                slope,
            }),
            clock: q[clock].clone(),
            others,
            resting: resting.iter().map(|&i| q[i].clone()).collect(),
        })
    }
}

/// A product into the factors with q and those without, if no factor has both q and u.
fn split(e: &Expr, q: &Symbol, u: &Symbol) -> Option<(Expr, Expr)> {
    if !e.contains(q) {
        return None;
    }
    let (number, core) = e.split_coefficient();
    let items = match core.kind() {
        Kind::Product(items) => items.to_vec(),
        _ => vec![(core, Rational::ONE)],
    };
    let (with, without): (Vec<_>, Vec<_>) = items.into_iter().partition(|(b, _)| b.contains(q));
    if with.iter().any(|(b, _)| b.contains(u)) {
        return None;
    }
    let rest = Expr::power_product(without) * Expr::from(number);
    Some((Expr::power_product(with), rest))
}
