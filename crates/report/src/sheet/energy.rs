//! The energy as a book writes it: T + V.

use crate::document::length::characters;
use crate::mechanics::energy_at_rest;
use crate::symbolic::{Budget, Expr, Kind, Rational, Symbol, expand_within, postorder, simplify};

/// The ways to write an energy: what moves as it is, with its squares, or multiplied out and collected; then the rest.
pub fn written(energy: &Expr, moving: &[Symbol]) -> Vec<Expr> {
    let rest = energy_at_rest(energy, moving).unwrap_or_else(Expr::zero);
    let kinetic = energy - &rest;
    let squares = has_square(energy);
    let kept = match rest.is_zero() {
        true => Some(energy.clone()),
        false => squares.then(|| simplify(&kinetic)),
    };
    let collected = || expand_within(&kinetic, Budget::SMALL).map(|e| simplify(&e));
    let collected = (squares || !rest.is_zero()).then(collected).flatten();
    let short = simplify(&rest);
    let length = |e: &Expr| characters(std::slice::from_ref(e));
    let rest = if length(&short) < length(&rest) {
        short
    } else {
        rest
    };
    let all = [kept, collected].into_iter().flatten();
    let mut all: Vec<Expr> = all.map(|kinetic| kinetic + &rest).collect();
    if all.is_empty() {
        all.push(energy.clone());
    }
    all
}

/// Is there a power of a sum in it?
fn has_square(e: &Expr) -> bool {
    let is_power =
        |(base, r): &(Expr, Rational)| !r.is_one() && matches!(base.kind(), Kind::Sum(..));
    let nodes = postorder(std::slice::from_ref(e), |_| true);
    let products = nodes.iter().filter_map(|node| match node.kind() {
        Kind::Product(factors) => Some(factors),
        _ => None,
    });
    products.flatten().any(is_power)
}
