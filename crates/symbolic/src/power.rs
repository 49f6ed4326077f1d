//! Powers whose exponent is an expression, and exp(n log u), which they are for positive bases.
//!
//! u^n is a function of its own: it has a value for negative u where n is an integer, and at u = 0. Powers
//! of one base in a product are one power, so that x^n/x is x^(n - 1) and finite at 0. Proofs and normal
//! forms take powers as exponentials, whose exponents they can compare term by term.

use crate::function::Function;
use crate::node::{Kind, intern};
use crate::rational::SMALL_PRIMES;
use crate::walk::postorder;
use crate::{Expr, Map, Rational, Sign};
use dashu::integer::IBig;

/// u^e, canonical.
pub(crate) fn power(u: &Expr, e: &Expr) -> Expr {
    if let Some(r) = e.as_number() {
        return u.powr(r);
    }
    match u.kind() {
        Kind::Undefined => u.clone(),
        Kind::Number(r) if r.is_one() => u.clone(),
        Kind::Number(r) if r.is_zero() && e.sign() == Sign::Positive => u.clone(),
        Kind::Number(r) if r.is_positive() => Expr::product(
            prime_powers(r)
                .iter()
                .map(|(base, k)| number_power(base, &(e * Expr::from(k)))),
        ),
        Kind::Scaled(c, core) if !c.abs().is_one() => {
            let rest = if c.is_negative() { -core } else { core.clone() };
            power(&c.abs().into(), e) * power(&rest, e)
        }
        Kind::Function(Function::Exp, x) => (&x[0] * e).exp(),
        Kind::Function(Function::Power, x) if x[0].sign().is_nonnegative() => {
            power(&x[0], &(&x[1] * e))
        }
        Kind::Product(factors) => match &**factors {
            [(b, r)] if !r.is_integer() || b.sign().is_nonnegative() => {
                power(b, &(e * Expr::from(r)))
            }
            [_] => node(u, e),
            all => {
                // Under the power of a product, factors that are not negative come out.
                let (out, kept): (Vec<_>, Vec<_>) = all
                    .iter()
                    .cloned()
                    .partition(|(b, _)| b.sign().is_nonnegative());
                let out = out.iter().map(|(b, r)| power(b, &(e * Expr::from(r))));
                let rest = match kept.len() == all.len() {
                    true => node(u, e),
                    false => power(&Expr::power_product(kept), e),
                };
                Expr::product(out.chain([rest]))
            }
        },
        _ => node(u, e),
    }
}

/// A number without divisors among small primes, or one of these, to a power: 2^(n + 3) is 8·2^n.
fn number_power(base: &Expr, e: &Expr) -> Expr {
    let whole = constant_part(e).floor();
    let rest = e - Expr::from(&whole);
    let rest = match rest.as_number() {
        Some(r) => base.powr(r),
        None => node(base, &rest),
    };
    Expr::power_product([(base.clone(), whole), (rest, Rational::ONE)])
}

/// A positive number as a product of powers of small primes and of what they do not divide.
fn prime_powers(r: &Rational) -> Vec<(Expr, Rational)> {
    let mut found = Vec::new();
    let mut rest = r.clone();
    for p in SMALL_PRIMES {
        let prime = Rational::from(i64::from(*p));
        let mut count = 0;
        while let Some(k) = divides(&prime, &rest).filter(|_| count < MOST_DIVISIONS) {
            rest = if k > 0 {
                &rest / &prime
            } else {
                &rest * &prime
            };
            count += 1;
            match found.last_mut() {
                Some((base, sum)) if *base == Expr::from(&prime) => {
                    *sum = &*sum + &Rational::from(k)
                }
                _ => found.push((Expr::from(&prime), Rational::from(k))),
            }
        }
    }
    let parts = [(rest.numerator(), 1), (rest.denominator().into(), -1)];
    for (part, k) in parts.map(|(part, k)| (Rational::from(part), k)) {
        if !part.is_one() {
            found.push((Expr::from(part), Rational::from(k)));
        }
    }
    found
}

/// How often a prime is taken out of a number.
const MOST_DIVISIONS: u32 = 4096;

/// 1 or -1 where a prime divides the numerator or the denominator.
fn divides(prime: &Rational, r: &Rational) -> Option<i64> {
    let quotient = |n: &Rational| (n / prime).is_integer();
    let below = Rational::from(IBig::from(r.denominator()));
    match () {
        () if quotient(&Rational::from(r.numerator())) => Some(1),
        () if quotient(&below) => Some(-1),
        () => None,
    }
}

/// The power of a positive number that is not worked out.
pub(crate) fn unworked(n: &Rational, k: &Rational) -> Expr {
    node(&n.into(), &k.into())
}

fn node(u: &Expr, e: &Expr) -> Expr {
    intern(Kind::Function(
        Function::Power,
        [u.clone(), e.clone()].into(),
    ))
}

/// The number in a sum.
fn constant_part(e: &Expr) -> Rational {
    match e.kind() {
        Kind::Sum(c, _) => c.clone(),
        _ => Rational::ZERO,
    }
}

/// The base and exponent of a power that another one of the same base can join: under a root the base
/// must not be negative, for √(x²) is not x.
fn joinable(b: &Expr, r: &Rational) -> Option<(Expr, Expr)> {
    match b.kind() {
        Kind::Function(Function::Power, x) if r.is_integer() || x[0].sign().is_nonnegative() => {
            Some((x[0].clone(), &x[1] * Expr::from(r)))
        }
        _ => None,
    }
}

/// Takes powers of one base out of the factors of a product and gives back what they are together, to be
/// multiplied in; nothing where they are one power already.
pub(crate) fn joined_powers(factors: &mut Vec<(Expr, Rational)>) -> Vec<Expr> {
    let mut bases: Vec<Expr> = Vec::new();
    for (b, r) in factors.iter() {
        if let Some((u, _)) = joinable(b, r)
            && !bases.contains(&u)
        {
            bases.push(u);
        }
    }
    let mut joined = Vec::new();
    for u in bases {
        let exponent = |(b, r): &(Expr, Rational)| match joinable(b, r) {
            _ if *b == u => Some(r.into()),
            Some((v, e)) if v == u => Some(e),
            _ => None,
        };
        let exponents: Vec<Expr> = factors.iter().filter_map(exponent).collect();
        let is_one_power = |f: &(Expr, Rational)| f.1.is_one() && exponent(f).is_some();
        let settled = match exponents.len() {
            0 => true,
            1 => factors.iter().any(is_one_power),
            _ => false,
        };
        if !settled {
            factors.retain(|f| exponent(f).is_none());
            joined.push(power(&u, &Expr::sum(exponents)));
        }
    }
    joined
}

/// u and e if a term of an exponent is e·log(u) with one logarithm.
pub(crate) fn logarithmic_term(t: &Expr) -> Option<(Expr, Expr)> {
    let argument = |e: &Expr| match e.kind() {
        Kind::Function(Function::Log, u) => Some(u[0].clone()),
        _ => None,
    };
    if let Some(u) = argument(t) {
        return Some((u, Expr::one()));
    }
    let Kind::Product(factors) = t.kind() else {
        return None;
    };
    let mut logarithms = factors.iter().filter(|(b, _)| argument(b).is_some());
    match (logarithms.next(), logarithms.next()) {
        (Some((b, r)), None) if r.is_one() => Some((argument(b)?, t / b)),
        _ => None,
    }
}

/// The expressions with u^n as exp(n log u) and u^(n + 2) as u² exp(n log u), which are the same for
/// positive u, for algorithms that know exponentials and logarithms but no powers. The exponentials are in
/// no canonical form: anything built from them may hold powers again.
pub fn powers_as_exponentials(all: &[Expr]) -> Vec<Expr> {
    in_exponentials(all, true, Expr::log)
}

/// The expressions with every u^e as Π exp(eᵢ log u) for the terms eᵢ of the exponent, numbers among them
/// as plain powers. These exponentials are in no canonical form: see [`restored`]. Arguments of functions
/// stay as they are unless `everywhere`.
pub(crate) fn as_exponentials(roots: &[Expr], everywhere: bool) -> Vec<Expr> {
    in_exponentials(roots, everywhere, |u| match u.sign().is_nonnegative() {
        true => u.log(),
        false => logarithm_of_signed(u),
    })
}

/// log(u) of a base that may be negative, where exponents are integers: u^n = exp(n log u) with the complex logarithm, and
/// that of x² is not twice that of x. It is told from the real one by another argument.
fn logarithm_of_signed(u: &Expr) -> Expr {
    intern(Kind::Function(Function::Log, [u.clone(), u.clone()].into()))
}

fn in_exponentials(roots: &[Expr], everywhere: bool, log: impl Fn(&Expr) -> Expr) -> Vec<Expr> {
    let is_power = |e: &Expr| matches!(e.kind(), Kind::Function(Function::Power, _));
    let is_leaf = |e: &Expr| matches!(e.kind(), Kind::Function(..)) && !is_power(e) && !everywhere;
    let nodes = postorder(roots, |e| !is_leaf(e));
    if !nodes.iter().any(is_power) {
        return roots.to_vec();
    }
    let mut done: Map<Expr, Expr> = Map::default();
    for e in nodes {
        let now = |e: &Expr| done.get(e).unwrap_or(e).clone();
        let new = match e.kind() {
            Kind::Function(Function::Power, x) => exponential(&log(&x[0]), &now(&x[0]), &x[1]),
            kind => kind.rebuild(now),
        };
        if let Some(new) = new {
            done.insert(e, new);
        }
    }
    let now = |e: &Expr| done.get(e).unwrap_or(e).clone();
    roots.iter().map(now).collect()
}

/// Π exp(eᵢ log u), where `value` stands for u outside of the logarithm; `None` where that is not defined.
fn exponential(log: &Expr, value: &Expr, e: &Expr) -> Option<Expr> {
    if log.is_undefined() {
        return None;
    }
    let plain = |x: Expr| intern(Kind::Function(Function::Exp, [x].into()));
    let terms: Vec<Expr> = match e.kind() {
        Kind::Sum(_, terms) => terms.iter().map(|(t, c)| t * Expr::from(c)).collect(),
        _ => vec![e.clone()],
    };
    let constant = (value.clone(), constant_part(e));
    let factors = terms.iter().map(|t| (plain(t * log), Rational::ONE));
    Some(Expr::power_product(factors.chain([constant])))
}

/// The expression with exponentials of logarithms as powers again.
pub(crate) fn restored(e: &Expr) -> Expr {
    let mut done: Map<Expr, Expr> = Map::default();
    for node in postorder(std::slice::from_ref(e), |_| true) {
        if let Some(new) = node.kind().rebuild(|c| done.get(c).unwrap_or(c).clone())
            && new != node
        {
            done.insert(node, new);
        }
    }
    done.remove(e).unwrap_or_else(|| e.clone())
}
