//! Signs that are certain: by assumptions, by the enclosure of a number, or over the box in which symbols lie.

use super::witness::enclosed_sign;
use crate::node::Kind;
use crate::{Expr, Fact, Ranges, Rational, Sign, Symbol};

/// The sign of an expression wherever its assumptions hold.
pub(super) fn certain_sign(e: &Expr) -> Sign {
    let known = e.sign();
    if matches!(known, Sign::Positive | Sign::Negative) {
        return known;
    }
    let symbols = e.free_symbols();
    let found = match symbols.is_empty() {
        true => enclosed_sign(e),
        false => sides(&symbols).and_then(|sides| sign_over(e, &sides)),
    };
    found.unwrap_or(known)
}

/// Two numbers between which a symbol lies.
pub(super) type Side = (Symbol, (Rational, Rational));

/// The box in which assumptions keep some symbols; none where one of them is not bounded on both sides.
pub(super) fn sides(symbols: &[Symbol]) -> Option<Vec<Side>> {
    let side = |s: &Symbol| {
        let plain = s.plain();
        let bounds = s.facts().iter().filter_map(|fact| bound(fact, &plain));
        let (mut low, mut high): (Option<Rational>, Option<Rational>) = (None, None);
        for (is_below, r) in bounds {
            let end = if is_below { &mut low } else { &mut high };
            let is_sharper = |known: &Rational| if is_below { r > *known } else { r < *known };
            if end.as_ref().is_none_or(is_sharper) {
                *end = Some(r);
            }
        }
        Some((s.clone(), (low?, high?)))
    };
    symbols.iter().map(side).collect()
}

/// A number that a fact says a symbol lies above (true) or below.
fn bound(fact: &Fact, s: &Symbol) -> Option<(bool, Rational)> {
    if fact.sign() == Sign::NonZero {
        return None;
    }
    let (scale, core) = fact.expression().split_coefficient();
    let (c, k) = match core.kind() {
        Kind::Symbol(found) if found == s => (Rational::ZERO, Rational::ONE),
        Kind::Sum(c, terms) => match &terms[..] {
            [(t, k)] if t.as_symbol() == Some(s) => (c.clone(), k.clone()),
            _ => return None,
        },
        _ => return None,
    };
    let is_below = !(&scale * &k).is_negative();
    Some((is_below, -&(&c / &k)))
}

/// The sign that the values of an expression have over all of a box.
pub(super) fn sign_over(e: &Expr, sides: &[Side]) -> Option<Sign> {
    let symbols: Vec<Symbol> = sides.iter().map(|(s, _)| s.clone()).collect();
    let ends = sides
        .iter()
        .map(|(_, (low, high))| (low.to_f64().next_down(), high.to_f64().next_up()));
    let ranges = Ranges::new(&symbols, std::slice::from_ref(e)).ok()?;
    match ranges.over(&ends.collect::<Vec<_>>())[..] {
        [Some((low, _))] if low > 0.0 => Some(Sign::Positive),
        [Some((_, high))] if high < 0.0 => Some(Sign::Negative),
        _ => None,
    }
}
