//! Values of the parameters: exact, in the order in which they can be worked out.

use std::cmp::Ordering;
use std::collections::HashMap;

use rattleback_symbolic::{Expr, Kind, Map, Rational, Symbol, postorder, precise};

use crate::model::Model;

/// How many bits an exact number may grow to.
pub(crate) const MAX_BITS: u64 = 1 << 16;

/// The values of all parameters, as exact constants.
#[derive(Clone, Debug, Default)]
pub struct Values {
    pairs: Vec<(Symbol, Expr)>,
    index: HashMap<Symbol, usize>,
}

impl Values {
    /// The values that a model gives to its parameters. One that is too large to be kept is undefined.
    pub fn of(model: &Model) -> Self {
        let mut values = Values::default();
        for parameter in &model.parameters {
            values.add(parameter.symbol.clone(), &parameter.value);
        }
        values
    }

    /// Gives a symbol the value of an expression in the symbols before it.
    pub(crate) fn add(&mut self, symbol: Symbol, value: &Expr) {
        let value = self.at(value);
        self.index.insert(symbol.clone(), self.pairs.len());
        self.pairs.push((symbol, value));
    }

    /// The values of all parameters but some.
    pub fn without(&self, open: &[Symbol]) -> Self {
        let mut values = Values::default();
        for (symbol, value) in self.pairs.iter().filter(|(s, _)| !open.contains(s)) {
            values.add(symbol.clone(), value);
        }
        values
    }

    /// The value of a parameter.
    pub fn get(&self, symbol: &Symbol) -> Option<&Expr> {
        self.index.get(symbol).map(|&i| &self.pairs[i].1)
    }

    /// Parameters with their values.
    pub fn pairs(&self) -> &[(Symbol, Expr)] {
        &self.pairs
    }

    /// An expression at these values; undefined where its numbers would grow beyond reason.
    pub fn at(&self, e: &Expr) -> Expr {
        let value = |s: Symbol| self.get(&s).cloned().map(|value| (s, value));
        let pairs: Vec<(Symbol, Expr)> = e.free_symbols().into_iter().filter_map(value).collect();
        if pairs.is_empty() {
            return e.clone();
        }
        if self.bits(e) > MAX_BITS {
            return Expr::undefined();
        }
        e.substitute(&pairs)
    }

    /// The floating-point value of a constant expression in the parameters.
    pub fn number(&self, e: &Expr) -> Option<f64> {
        let exact = self.at(e);
        let sharp = match exact.as_number() {
            Some(_) => None,
            None => precise(&[], std::slice::from_ref(&exact)).pop().flatten(),
        };
        sharp.or_else(|| exact.evaluate(&[]).ok())
    }

    /// Whether the exact value of a parameter is not 0 but too small for a floating-point number.
    pub(crate) fn underflows(&self, symbol: &Symbol) -> bool {
        let exact = self.get(symbol).filter(|e| e.as_number().is_some());
        exact.is_some_and(|e| !e.is_zero() && e.evaluate(&[]).is_ok_and(|x| x == 0.0))
    }

    /// A bound for the bits of the numbers that the exact value would have.
    fn bits(&self, e: &Expr) -> u64 {
        let mut bits: Map<Expr, u64> = Map::default();
        for node in postorder(std::slice::from_ref(e), |_| true) {
            let of = |e: &Expr| bits.get(e).copied().unwrap_or(0);
            let size = match node.kind() {
                Kind::Number(n) => rational_bits(n),
                Kind::Symbol(s) => self.get(s).map_or(0, coefficient_bits),
                Kind::Scaled(c, x) => rational_bits(c).saturating_add(of(x)),
                Kind::Sum(c, terms) => terms.iter().fold(rational_bits(c), |sum, (t, c)| {
                    sum.saturating_add(rational_bits(c)).saturating_add(of(t))
                }),
                Kind::Product(factors) => factors.iter().fold(0, |sum: u64, (base, r)| {
                    sum.saturating_add(power_bits(of(base), r))
                }),
                Kind::Function(..) | Kind::Pi | Kind::Undefined => 0,
            };
            bits.insert(node, size);
        }
        bits.get(e).copied().unwrap_or(0)
    }

    /// A short text of the value of an expression.
    pub(crate) fn shown(&self, e: &Expr) -> String {
        match self.number(e) {
            Some(number) => number.to_string(),
            None => "the value".to_owned(),
        }
    }

    /// How two expressions compare at these values; none if they are not constant.
    pub(crate) fn compare(&self, a: &Expr, b: &Expr) -> Option<Ordering> {
        let difference = self.at(&(a - b));
        match difference.as_number() {
            Some(number) => Some(number.cmp(&Rational::ZERO)),
            None => difference.evaluate(&[]).ok()?.partial_cmp(&0.0),
        }
    }
}

/// Bits of a number beyond the first: what products add and powers multiply.
pub(crate) fn rational_bits(number: &Rational) -> u64 {
    match number.as_small() {
        Some((n, d)) => {
            let largest = n.unsigned_abs().max(d.unsigned_abs()).max(1);
            u64::from(largest.ilog2())
        }
        None => {
            let (n, d) = (number.numerator(), number.denominator());
            8 * n.to_le_bytes().len().max(d.to_le_bytes().len()) as u64
        }
    }
}

/// Bits of the numeric coefficient of an expression.
pub(crate) fn coefficient_bits(e: &Expr) -> u64 {
    match e.as_number() {
        Some(number) => rational_bits(number),
        None => rational_bits(&e.split_coefficient().0),
    }
}

/// Bits of a power. An exact root of a number works with its q-th powers.
pub(crate) fn power_bits(bits: u64, exponent: &Rational) -> u64 {
    let (n, d) = exponent.as_small().unwrap_or((i64::MAX, i64::MAX));
    bits.saturating_mul(n.unsigned_abs())
        .saturating_mul(d.unsigned_abs())
}
