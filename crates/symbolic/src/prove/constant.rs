//! A function without a gradient is constant where it is analytic, if that set hangs together: one value tells it.
//!
//! So relations between inverse functions are found that no list has, as atan √(x² − 1) + asin 1/x = π/2 for x > 1:
//! derivatives of inverse functions are algebraic.

use super::certain::{sides, sign_over};
use super::point::Points;
use super::random::Random;
use super::witness::enclose;
use super::{prove_within, prove_zero};
use crate::function::Function;
use crate::node::Kind;
use crate::walk::postorder;
use crate::{Branches, Expr, Symbol, cuts};

/// Larger expressions are not differentiated.
const MAX_NODES: usize = 300;
/// Nor are those of more symbols.
const MAX_SYMBOLS: usize = 6;
/// Draws of a point at which the function has a value.
const DRAWS: usize = 12;

/// Is an expression shown to vanish by its derivatives and one value? Derivatives may be asked about in the same way, so
/// many times less than `depth`.
pub(super) fn vanishes(e: &Expr, depth: u32) -> bool {
    let symbols = e.free_symbols();
    let is_short = e.node_count() <= MAX_NODES && (1..=MAX_SYMBOLS).contains(&symbols.len());
    depth > 0
        && is_short
        && has_inverse_functions(e)
        && hangs_together(e)
        && vanishes_somewhere(e)
        && prove_within(&e.gradient(&symbols), depth - 1).is_proven()
}

fn has_inverse_functions(e: &Expr) -> bool {
    use Function::{Acos, Asin, Atan, Atan2, Log};
    let is_one = |e: &Expr| {
        matches!(
            e.kind(),
            Kind::Function(Asin | Acos | Atan | Atan2 | Log, _)
        )
    };
    postorder(std::slice::from_ref(e), |_| true)
        .iter()
        .any(is_one)
}

/// Is the set connected on which an expression is analytic, or is it analytic on all of a box in which its symbols lie?
fn hangs_together(e: &Expr) -> bool {
    let all = std::slice::from_ref(e);
    let (branches, cuts) = (Branches::of(all), cuts(all));
    if cuts.is_empty() && branches.hang_together() {
        return true;
    }
    let mut of_interest: Vec<Symbol> = branches.symbols();
    of_interest.extend(cuts.iter().flat_map(|cut| cut.at.free_symbols()));
    let known = e.free_symbols().into_iter();
    // Branches are told in plain symbols.
    let bounded = known.filter(|s| of_interest.contains(s) || of_interest.contains(&s.plain()));
    sides(&bounded.collect::<Vec<_>>()).is_some_and(|sides| {
        branches.hold_on(&sides) && cuts.iter().all(|cut| sign_over(&cut.at, &sides).is_some())
    })
}

/// Is it zero at the first point at which it has a value?
fn vanishes_somewhere(e: &Expr) -> bool {
    let points = Points::new(std::slice::from_ref(e));
    let mut random = Random::new(1);
    let mut values = (0..DRAWS).filter_map(|attempt| {
        let point = points.named(points.draw(attempt, &mut random)?);
        let point: Vec<(Symbol, Expr)> = point.into_iter().map(|(s, r)| (s, r.into())).collect();
        let value = e.substitute(&point);
        enclose(&value).map(|_| value)
    });
    values
        .next()
        .is_some_and(|value| prove_zero(&value).is_proven())
}
