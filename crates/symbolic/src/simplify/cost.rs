//! How long a formula is for a reader: about its printed length, names all of one length.

use crate::function::Function;
use crate::hash::{Map, Set};
use crate::node::Kind;
use crate::print::paying_content;
use crate::walk::postorder;
use crate::{Expr, Rational, Symbol};

/// Reading costs, remembered for every expression met.
pub(super) struct Costs {
    known: Map<Expr, u64>,
    collect: Set<Symbol>,
}

/// The weight of an ordinary symbol.
const SYMBOL: u64 = 2;
/// A velocity weighs more, so that each is written once: formulas come out collected in them.
const VELOCITY: u64 = 4;

/// A fraction inside a factor is hard to read.
const NESTED: u64 = 3;

impl Costs {
    /// `collect` lists symbols to collect in besides time derivatives.
    pub(super) fn new(collect: &[Symbol]) -> Self {
        Costs {
            known: Map::default(),
            collect: collect.iter().cloned().collect(),
        }
    }

    /// Is the formula to be collected in this symbol?
    pub(super) fn collects(&self, s: &Symbol) -> bool {
        s.order() > 0 || self.collect.contains(s)
    }

    /// The cost of reading `e`.
    pub(super) fn of(&mut self, e: &Expr) -> u64 {
        if let Some(cost) = self.known.get(e) {
            return *cost;
        }
        for node in postorder(std::slice::from_ref(e), |n| !self.known.contains_key(n)) {
            let cost = self.node(&node);
            self.known.insert(node, cost);
        }
        self.known.get(e).copied().unwrap_or(0)
    }

    fn child(&self, e: &Expr) -> u64 {
        self.known.get(e).copied().unwrap_or(SYMBOL)
    }

    fn node(&self, e: &Expr) -> u64 {
        match e.kind() {
            Kind::Number(r) => digits(&r.numerator().to_string()) + fraction(r),
            Kind::Pi | Kind::Undefined => SYMBOL,
            Kind::Symbol(s) if self.collects(s) => VELOCITY,
            Kind::Symbol(_) => SYMBOL,
            Kind::Scaled(c, x) => self.child(x).saturating_add(coefficient(c)),
            Kind::Function(Function::Power, x) => {
                x.iter().fold(2, |sum, a| sum.saturating_add(self.child(a)))
            }
            Kind::Function(_, x) => x.iter().fold(4, |sum, a| sum.saturating_add(self.child(a))),
            Kind::Product(factors) => self.product(factors),
            Kind::Sum(c, terms) => self.sum(c, terms),
        }
    }

    fn product(&self, factors: &[(Expr, Rational)]) -> u64 {
        let mut total = factors.len() as u64 - 1;
        for (base, r) in factors {
            let brackets = if matches!(base.kind(), Kind::Sum(..)) {
                2 + NESTED * fractions_in(base)
            } else {
                0
            };
            let power = match r.abs().as_small() {
                Some((1, 1)) => 0,
                Some((1, 2)) if brackets > 0 => 2,
                Some((1, 2)) => 4,
                Some((_, 1)) => 2,
                _ => 5,
            };
            let cost = self.child(base) + brackets + power;
            total = total.saturating_add(cost);
        }
        if factors.iter().filter(|f| f.1.is_negative()).count() > 1 {
            total += 2;
        }
        total.saturating_sub(self.tangents(factors))
    }

    /// What writing sin/cos as tan saves.
    fn tangents(&self, factors: &[(Expr, Rational)]) -> u64 {
        let mut saved = 0;
        for (base, r) in factors {
            let Kind::Function(Function::Sin, x) = base.kind() else {
                continue;
            };
            let partner = x[0].cos();
            let below = factors.iter().find(|(b, _)| *b == partner);
            if below.is_some_and(|(_, s)| s.is_negative() != r.is_negative()) {
                saved += self.child(base) + 1;
            }
        }
        saved
    }

    fn sum(&self, constant: &Rational, terms: &[(Expr, Rational)]) -> u64 {
        let content = paying_content(constant, terms.iter().map(|(_, c)| c));
        let scale = content.recip().unwrap_or(Rational::ONE);
        let mut total = 3 * (terms.len() as u64 - 1);
        if !content.is_one() {
            total += coefficient(&content) + 2;
        }
        if !constant.is_zero() {
            let c = constant * &scale;
            total += 3 + digits(&c.abs().numerator().to_string()) + fraction(&c);
        }
        for (t, c) in terms {
            let cost = self.child(t) + coefficient(&(c * &scale));
            total = total.saturating_add(cost);
        }
        total
    }
}

/// How many terms of a sum are fractions.
fn fractions_in(sum: &Expr) -> u64 {
    let is_fraction = |t: &Expr| match t.kind() {
        Kind::Product(factors) => factors.iter().any(|(_, r)| r.is_negative()),
        _ => false,
    };
    match sum.kind() {
        Kind::Sum(_, terms) => terms.iter().filter(|(t, _)| is_fraction(t)).count() as u64,
        _ => 0,
    }
}

fn digits(text: &str) -> u64 {
    text.trim_start_matches('-').len() as u64
}

/// The denominator of a number with its bar.
fn fraction(r: &Rational) -> u64 {
    if r.is_integer() {
        0
    } else {
        1 + digits(&r.denominator().to_string())
    }
}

/// A numeric factor with its operator; a sign is free.
fn coefficient(c: &Rational) -> u64 {
    let above = c.abs().numerator().to_string();
    let above = if above == "1" { 0 } else { digits(&above) + 1 };
    above + fraction(c)
}
