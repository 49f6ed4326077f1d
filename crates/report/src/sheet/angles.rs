//! Solved equations in the angles that the unsolved ones have: sin²(θ₁ − θ₂) instead of sines of both.

use crate::document::length::characters;
use crate::mechanics::{Equations, Stage};
use crate::symbolic::{
    Budget, Expr, Kind, Map, Matrix, Simplifier, Symbol, free_symbols, postorder, prove_zero,
    replace_all, simplify_with, solve_within, substitute_all,
};

/// The solved equations, each rate and multiplier in the angles of the stated equations where that is shorter and
/// proven to be the same.
pub fn in_stated_angles(solved: &Equations, stated: &Equations) -> Option<Equations> {
    let [
        Stage::Linear {
            unknowns,
            matrix,
            rhs,
        },
    ] = &stated.stages[..]
    else {
        return None;
    };
    if !solved.stages.is_empty() {
        return None;
    }
    let entries = [matrix.entries(), rhs].concat();
    let angles = Angles::of(&entries)?;
    let hidden = replace_all(&entries, &angles.there);
    let n = matrix.cols();
    let hidden_matrix = Matrix::new(matrix.rows(), n, |i, j| hidden[i * n + j].clone());
    let hidden_rhs = Matrix::column_vector(&hidden[matrix.entries().len()..]);
    let solution = solve_within(&hidden_matrix, &hidden_rhs, Budget::SMALL).ok()?;
    let reader = Simplifier {
        collect: free_symbols(rhs)
            .into_iter()
            .filter(|s| s.order() > 0)
            .collect(),
        binomials: true,
        ..Simplifier::default()
    };
    let found: Vec<Expr> = solution
        .solution
        .column(0)
        .iter()
        .map(|e| substitute_all(&[simplify_with(e, &reader)], &angles.back).swap_remove(0))
        .collect();
    let mut result = solved.clone();
    let mut changed = false;
    let open = stated.rates.iter().zip(&mut result.rates);
    let others = stated.multipliers.iter().zip(&mut result.multipliers);
    let others = others.map(|(s, r)| (&s.value, &mut r.value));
    for (unknown, value) in open.chain(others) {
        let place = unknowns.iter().position(|u| unknown.as_symbol() == Some(u));
        let Some(short) = place.map(|i| &found[i]) else {
            continue;
        };
        let length = |e: &Expr| characters(std::slice::from_ref(e));
        if length(short) < length(value) && prove_zero(&(short - &*value)).is_proven() {
            *value = short.clone();
            changed = true;
        }
    }
    result.conditions = conditions(&solved.conditions, &found);
    changed.then_some(result)
}

/// What must not vanish, in the same angles; what cannot is left out.
fn conditions(given: &[Expr], formulas: &[Expr]) -> Vec<Expr> {
    let mut below: Vec<Expr> = Vec::new();
    for node in postorder(formulas, |_| true) {
        if let Kind::Product(factors) = node.kind() {
            let divisors = factors.iter().filter(|(_, r)| r.is_negative());
            below.extend(divisors.map(|(b, _)| b.clone()));
        }
    }
    let same = |c: &Expr, d: &&Expr| {
        prove_zero(&(c - *d)).is_proven() || prove_zero(&(c + *d)).is_proven()
    };
    let written = given
        .iter()
        .map(|c| below.iter().find(|d| same(c, d)).unwrap_or(c));
    let open = written.filter(|c| !c.is_nonvanishing());
    open.cloned().collect()
}

/// Sums of angles with symbols that stand for them, so that nothing takes them apart.
struct Angles {
    there: Map<Expr, Expr>,
    back: Vec<(Symbol, Expr)>,
}

impl Angles {
    /// The sums that functions are taken of; `None` without any.
    fn of(formulas: &[Expr]) -> Option<Self> {
        let mut angles = Angles {
            there: Map::default(),
            back: Vec::new(),
        };
        for node in postorder(formulas, |_| true) {
            let Kind::Function(_, arguments) = node.kind() else {
                continue;
            };
            for x in arguments.iter().filter(|x| is_sum_of_angles(x)) {
                if !angles.there.contains_key(x) {
                    // The letter is no letter of the language: nothing else is called so.
                    let name = format!("angle#{}", angles.back.len());
                    let symbol = Symbol::variable(&name);
                    angles.there.insert(-x, -Expr::from(&symbol));
                    angles.there.insert(x.clone(), (&symbol).into());
                    angles.back.push((symbol, x.clone()));
                }
            }
        }
        (!angles.back.is_empty()).then_some(angles)
    }
}

/// θ₁ − θ₂, θ₁ + θ₂ + θ₃: symbols with coefficients 1 and −1.
fn is_sum_of_angles(e: &Expr) -> bool {
    match e.kind() {
        Kind::Sum(c, terms) => {
            let plain = |(t, c): &(Expr, _)| {
                let c: &crate::symbolic::Rational = c;
                t.as_symbol().is_some() && c.abs().is_one()
            };
            c.is_zero() && terms.iter().all(plain)
        }
        _ => false,
    }
}
