//! Relations between elementary functions that a prime field does not know.
//!
//! Sines of inverse functions, nested square roots, angles of points in a known half plane, roots of squares of
//! known sign. Each rewriting is true wherever the expression is defined and its assumptions hold.

use super::CHEAP;
use super::certain::certain_sign;
use super::linear_form::linear_form;
use crate::function::Function;
use crate::hash::Map;
use crate::node::Kind;
use crate::walk::postorder;
use crate::{Expr, Rational, Sign, normalize_within, simplify};

/// Larger graphs are left as they are.
const MAX_NODES: usize = 4_000;
/// Multiples of an inverse function beyond this are not expanded.
const MAX_MULTIPLE: i64 = 12;

/// Rewritings may make room for others so often.
const PASSES: usize = 3;

/// The expressions rewritten; `None` if nothing changed.
pub(super) fn rewritten(all: &[Expr]) -> Option<Vec<Expr>> {
    let mut new = rewritten_once(all)?;
    for _ in 1..PASSES {
        match rewritten_once(&new) {
            Some(again) => new = again,
            None => break,
        }
    }
    Some(new)
}

fn rewritten_once(all: &[Expr]) -> Option<Vec<Expr>> {
    let nodes = postorder(all, |_| true);
    if nodes.len() > MAX_NODES {
        return None;
    }
    let mut done: Map<Expr, Expr> = Map::default();
    for node in nodes {
        let now = |e: &Expr| done.get(e).unwrap_or(e).clone();
        let rebuilt = node.kind().rebuild(now).unwrap_or_else(|| node.clone());
        let new = rewrite(&rebuilt);
        if new != node {
            done.insert(node, new);
        }
    }
    let new: Vec<Expr> = all
        .iter()
        .map(|e| done.get(e).unwrap_or(e).clone())
        .collect();
    (new != all).then_some(new)
}

fn rewrite(e: &Expr) -> Expr {
    let changed = match e.kind() {
        Kind::Function(Function::Sin, x) => direction(&x[0]).map(|(_, sine)| sine),
        Kind::Function(Function::Cos, x) => direction(&x[0]).map(|(cosine, _)| cosine),
        Kind::Function(Function::Sinh | Function::Cosh | Function::Tanh, x) => hyperbolic(e, &x[0]),
        Kind::Function(Function::Atan2, x) => half_plane(&x[0], &x[1]),
        Kind::Function(Function::Asin | Function::Acos, x) => {
            undone(e, &x[0]).or_else(|| turned_over(e, &x[0]))
        }
        Kind::Function(Function::Log, x) => exponential(&x[0]),
        Kind::Function(Function::Atan, x) => undone(e, &x[0]).or_else(|| complement(&x[0])),
        Kind::Product(factors) => roots(factors),
        _ => None,
    };
    changed.unwrap_or_else(|| e.clone())
}

/// (cos θ, sin θ) of an angle with multiples of inverse functions in it; `None` for another angle.
pub(super) fn direction(angle: &Expr) -> Option<(Expr, Expr)> {
    let mut found = None;
    let mut rest = Vec::new();
    for (m, q) in linear_form(angle) {
        let k = q.as_integer().filter(|k| k.abs() <= MAX_MULTIPLE);
        match (point_of(&m), k) {
            (Some(p), Some(k)) => {
                let start = found.unwrap_or((Expr::one(), Expr::zero()));
                found = Some(turned(start, &p, k));
            }
            _ => rest.push((m, q)),
        }
    }
    let rest = Expr::linear_combination(rest);
    found.map(|start| turned(start, &(rest.cos(), rest.sin()), 1))
}

/// (a, b)·(c, d)^k as complex numbers, for a unit (c, d).
fn turned(start: (Expr, Expr), by: &(Expr, Expr), k: i64) -> (Expr, Expr) {
    let (c, d) = match k < 0 {
        true => (by.0.clone(), -&by.1),
        false => by.clone(),
    };
    (0..k.abs()).fold(start, |(a, b), _| (&a * &c - &b * &d, a * &d + b * &c))
}

/// (cos θ, sin θ) for an inverse function θ.
fn point_of(theta: &Expr) -> Option<(Expr, Expr)> {
    let Kind::Function(f, x) = theta.kind() else {
        return None;
    };
    let u = &x[0];
    let leg = || (1 - u * u).sqrt();
    Some(match f {
        Function::Asin => (leg(), u.clone()),
        Function::Acos => (u.clone(), leg()),
        Function::Atan => {
            let radius = (1 + u * u).sqrt();
            (radius.recip(), u / &radius)
        }
        Function::Atan2 => {
            let radius = (u * u + &x[1] * &x[1]).sqrt();
            (&x[1] / &radius, u / &radius)
        }
        _ => return None,
    })
}

/// sinh, cosh and tanh of what contains a logarithm, by exponentials.
fn hyperbolic(e: &Expr, x: &Expr) -> Option<Expr> {
    let terms = linear_form(x);
    let logarithm = |m: &Expr| matches!(m.kind(), Kind::Function(Function::Log, _));
    if !terms.iter().any(|(m, _)| logarithm(m)) {
        return None;
    }
    let (up, down) = (x.exp(), (-x).exp());
    Some(match e.kind() {
        Kind::Function(Function::Sinh, _) => (up - down) / 2,
        Kind::Function(Function::Cosh, _) => (up + down) / 2,
        _ => (&up - &down) / (up + down),
    })
}

/// The angle of a point whose half plane is known, as an inverse tangent.
fn half_plane(y: &Expr, x: &Expr) -> Option<Expr> {
    let slope = || (y / x).atan();
    match (certain_sign(x), certain_sign(y)) {
        (Sign::Positive, _) => Some(slope()),
        (Sign::Negative, Sign::Positive | Sign::NonNegative) => Some(slope() + Expr::pi()),
        (Sign::Negative, Sign::Negative) => Some(slope() - Expr::pi()),
        (_, Sign::Positive) => Some(Expr::pi() / 2 - (x / y).atan()),
        (_, Sign::Negative) => Some(-Expr::pi() / 2 - (x / y).atan()),
        _ => None,
    }
}

/// asin sin u, acos cos u and atan tan u where assumptions tell on which piece u is.
fn undone(inverse: &Expr, x: &Expr) -> Option<Expr> {
    let Kind::Function(f, _) = inverse.kind() else {
        return None;
    };
    let u = match (f, x.kind()) {
        (Function::Asin, Kind::Function(Function::Sin, u)) => u[0].clone(),
        (Function::Acos, Kind::Function(Function::Cos, u)) => u[0].clone(),
        (Function::Atan, Kind::Product(factors)) => {
            let sine = factors.iter().find_map(|(b, _)| match b.kind() {
                Kind::Function(Function::Sin, u) => Some(u[0].clone()),
                _ => None,
            })?;
            (sine.tan() == *x).then_some(sine)?
        }
        _ => return None,
    };
    let symbols = u.free_symbols();
    if !symbols.is_empty() && symbols.iter().all(|s| s.facts().is_empty()) {
        return None;
    }
    // Halves of a turn: [nπ - π/2, nπ + π/2], for the cosine [nπ, nπ + π].
    let offset = match f {
        Function::Acos => Rational::ZERO,
        _ => Rational::new(-1, 2),
    };
    let from = |n: i64| Expr::from(&(&Rational::from(n) + &offset)) * Expr::pi();
    let inside = |n: &i64| {
        let is_left = |e: Expr| certain_sign(&e).is_nonnegative();
        is_left(&u - from(*n)) && is_left(from(n + 1) - &u)
    };
    let n = (-MOST_TURNS..=MOST_TURNS).find(inside)?;
    let flipped = n % 2 != 0 && *f != Function::Atan;
    Some(match (f, flipped) {
        (Function::Acos, true) => from(n + 1) - u,
        (_, true) => Expr::from(n) * Expr::pi() - u,
        (_, false) => u - Expr::from(n) * Expr::pi(),
    })
}

/// acos sin u = π/2 − asin sin u, asin cos u = π/2 − acos cos u and acos(−cos u) = π − acos cos u.
fn turned_over(inverse: &Expr, x: &Expr) -> Option<Expr> {
    let Kind::Function(f, _) = inverse.kind() else {
        return None;
    };
    let (c, core) = x.split_coefficient();
    let Kind::Function(circular, _) = core.kind() else {
        return None;
    };
    match (f, circular) {
        (Function::Acos, Function::Sin) => Some(Expr::pi() / 2 - x.asin()),
        (Function::Asin, Function::Cos) => Some(Expr::pi() / 2 - x.acos()),
        (Function::Acos, Function::Cos) if c.is_negative() => Some(Expr::pi() - (-x).acos()),
        _ => None,
    }
}

/// log(cosh u ± sinh u) = ± u.
fn exponential(x: &Expr) -> Option<Expr> {
    let Kind::Sum(c, terms) = x.kind() else {
        return None;
    };
    let argument = |wanted: Function| {
        let is_it = |(t, c): &(Expr, Rational)| match t.kind() {
            Kind::Function(f, u) if *f == wanted => Some((u[0].clone(), c.clone())),
            _ => None,
        };
        terms.iter().find_map(is_it)
    };
    let (u, one) = argument(Function::Cosh)?;
    let (v, sign) = argument(Function::Sinh)?;
    let is_exponential =
        c.is_zero() && terms.len() == 2 && u == v && one.is_one() && sign.abs().is_one();
    is_exponential.then(|| if sign.is_negative() { -u } else { u })
}

/// Half turns away from zero beyond which no piece is looked for.
const MOST_TURNS: i64 = 8;

/// atan u = π/2 - atan 1/u for u > 0: of the two the one that comes first.
fn complement(u: &Expr) -> Option<Expr> {
    if certain_sign(u) != Sign::Positive {
        return None;
    }
    let other = u.recip();
    let key = |e: &Expr| (e.node_count(), e.clone());
    (key(&other) < key(u)).then(|| Expr::pi() / 2 - other.atan())
}

/// Square roots in a product: nested ones that come apart, and those of even powers of what has a sign.
fn roots(factors: &[(Expr, Rational)]) -> Option<Expr> {
    let mut changed = false;
    let mut all = Vec::with_capacity(factors.len());
    for (b, r) in factors {
        let twice = r * &Rational::from(2);
        if !r.is_integer() && twice.is_integer() {
            if let Some(root) = denested(b) {
                changed = true;
                all.push((root, twice));
                continue;
            }
            if let Some(outside) = without_squares(b) {
                changed = true;
                all.extend(outside.into_iter().map(|(b, s)| (b, &s * r)));
                continue;
            }
        }
        all.push((b.clone(), r.clone()));
    }
    changed.then(|| Expr::power_product(all))
}

/// √(a + b√c) = √((a+d)/2) ± √((a-d)/2) where a² - b²c = d² is the square of a rational.
fn denested(radicand: &Expr) -> Option<Expr> {
    let Kind::Sum(a, terms) = radicand.kind() else {
        return None;
    };
    let [(root, b)] = &terms[..] else {
        return None;
    };
    let c = (root * root).as_number()?.clone();
    let d = &(a * a) - &(&(b * b) * &c);
    let d = Expr::from(&d).sqrt();
    let d = d.as_number()?;
    let half = Rational::new(1, 2);
    let part = |x: Rational| Expr::from(&(&x * &half)).sqrt();
    let (more, less) = (part(a + d), part(a - d));
    if !a.is_positive() || more.is_undefined() || less.is_undefined() {
        return None;
    }
    Some(match b.is_negative() {
        true => more - less,
        false => more + less,
    })
}

/// x^2k as |x|^2k where the sign of x is certain, so that a root can take it out.
fn without_squares(radicand: &Expr) -> Option<Vec<(Expr, Rational)>> {
    let factors = match radicand.kind() {
        Kind::Product(factors) => factors.to_vec(),
        Kind::Sum(..) => half_angle(radicand).or_else(|| squares_in(radicand))?,
        _ => return None,
    };
    let even = |r: &Rational| r.as_integer().is_some_and(|k| k % 2 == 0);
    let (mut all, mut kept) = (Vec::new(), Vec::new());
    for (b, r) in factors {
        match even(&r).then(|| certain_sign(&b)) {
            Some(Sign::Negative) => all.push((-b, r)),
            Some(Sign::Positive) => all.push((b, r)),
            _ => kept.push((b, r)),
        }
    }
    if all.is_empty() {
        return None;
    }
    all.push((Expr::power_product(kept), Rational::ONE));
    Some(all)
}

/// c(1 + cos u) = 2c cos² u/2 and c(1 − cos u) = 2c sin² u/2.
fn half_angle(sum: &Expr) -> Option<Vec<(Expr, Rational)>> {
    let (factor, core) = sum.split_coefficient();
    let Kind::Sum(c, terms) = core.kind() else {
        return None;
    };
    let [(cosine, q)] = &terms[..] else {
        return None;
    };
    let Kind::Function(Function::Cos, u) = cosine.kind() else {
        return None;
    };
    let half = &u[0] / 2;
    let wave = match q == c {
        true => half.cos(),
        false if *q == -c => half.sin(),
        false => return None,
    };
    let two = Rational::from(2);
    let number = Expr::from(&(&(c * &factor) * &two));
    Some(vec![(number, Rational::ONE), (wave, two)])
}

/// The factors of a sum that is c·Π uᵢ^kᵢ.
fn squares_in(sum: &Expr) -> Option<Vec<(Expr, Rational)>> {
    if sum.node_count() > MAX_FACTORED {
        return None;
    }
    let factors = |product: &Expr| {
        let (c, core) = product.split_coefficient();
        let Kind::Product(factors) = core.kind() else {
            return None;
        };
        let constant = (Expr::from(&c), Rational::ONE);
        Some(factors.iter().cloned().chain([constant]).collect())
    };
    factors(&simplify(sum)).or_else(|| factors(&normalize_within(sum, CHEAP)?))
}

/// Longer sums are not factored.
const MAX_FACTORED: usize = 60;
