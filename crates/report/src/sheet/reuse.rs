//! Names in formulas that have what they stand for in another form only.

use crate::document::length::characters;
use crate::symbolic::{Expr, Kind, Set, Symbol, postorder, prove_zero, simplify};

/// Formulas longer than this, in characters, stay as they are.
const LONG: u64 = 400;

/// The formulas with the names of parts, where they are shorter so: with k = a x + b also c a x + d is c (k - b) + d. The
/// velocities are what parts are solved for; what comes out is proven to be the same.
pub fn reused(formulas: &[Expr], parts: &[(Symbol, Expr)]) -> Vec<Expr> {
    let short = |e: &Expr| characters(std::slice::from_ref(e));
    let with = |e: &Expr, part: &(Symbol, Expr)| {
        let worth_it = e.as_symbol().is_none() && !e.contains(&part.0) && short(e) <= LONG;
        let found = worth_it.then(|| written(e, part)).into_iter().flatten();
        found.filter(|f| short(f) < short(e)).min_by_key(short)
    };
    let one = |e: &Expr| {
        parts.iter().fold(e.clone(), |e, part| {
            let shorter = with(&e, part);
            shorter.unwrap_or(e)
        })
    };
    formulas.iter().map(one).collect()
}

/// A formula in the name of a part, by each velocity that goes then.
fn written(e: &Expr, (name, part): &(Symbol, Expr)) -> Vec<Expr> {
    let symbols = part.free_symbols().into_iter();
    let velocities = symbols.filter(|x| x.order() > 0 && e.contains(x));
    let solved = velocities.filter_map(|x| {
        let slope = part.diff(&x);
        if slope.is_zero() || slope.contains(&x) {
            return None;
        }
        let rest = part.substitute(&[(x.clone(), Expr::zero())]);
        let value = (Expr::from(name) - rest) / slope;
        let found = simplify(&e.substitute(&[(x.clone(), value)]));
        let gone = !found.contains(&x) && divisors(&found).is_subset(&divisors(e));
        let back = || found.substitute(&[(name.clone(), part.clone())]);
        (gone && prove_zero(&(back() - e)).is_proven()).then_some(found)
    });
    solved.collect()
}

/// What a formula divides by.
fn divisors(e: &Expr) -> Set<Expr> {
    let mut all: Set<Expr> = Set::default();
    for node in postorder(std::slice::from_ref(e), |_| true) {
        if let Kind::Product(factors) = node.kind() {
            let below = factors.iter().filter(|(_, r)| r.is_negative());
            all.extend(below.map(|(b, _)| b.clone()));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_in_another_form_is_written_by_its_name() {
        let [a, q] = ["a", "q"].map(|n| Expr::from(Symbol::variable(n)));
        let [x, y, w] = ["x", "y", "q"].map(|n| Expr::from(Symbol::variable(n).derivative()));
        let part = q.cos() * &x + q.sin() * &y;
        let name = Symbol::variable("k1");
        let pushed = &w * (q.cos().powi(2) * &x + q.sin() * (q.cos() * &y + &a * &w));
        let other = &x + &y;
        let found = reused(&[pushed, other.clone()], &[(name, part)]);
        let hoped = Expr::from(Symbol::variable("k1")) * q.cos() + &a * q.sin() * &w;
        assert!(
            prove_zero(&(&found[0] - &w * hoped)).is_proven(),
            "{}",
            found[0]
        );
        assert_eq!(found[1], other);
    }
}
