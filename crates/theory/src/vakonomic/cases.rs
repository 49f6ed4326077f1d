//! Special parameters for which every motion agrees.

use super::comparison::Comparison;
use super::prolongation::{Outcome, generic};
use crate::exact::tidy;
use crate::{Case, Effort};
use rattleback_symbolic::{Expr, Kind, Role, Symbol};

/// Special values that are tried.
const MOST: usize = 6;

/// The factors of a contradiction that depend on parameters only: where one of them vanishes the
/// contradiction does, and the decision is made anew.
pub(super) fn special(c: &Comparison, residual: &Expr, effort: Effort) -> Vec<Case> {
    let mut found = Vec::new();
    for factor in constant_factors(&tidy(residual)).into_iter().take(MOST) {
        let Some(value) = solved(&factor) else {
            continue;
        };
        if effort.is_spent() {
            break;
        }
        let there = c.within(&[value], &c.on);
        if matches!(generic(&there, effort), Outcome::Consistent(_)) {
            found.push(Case {
                condition: factor,
                then: "every motion agrees: the class is conditional".into(),
            });
        }
    }
    found
}

fn constant_factors(e: &Expr) -> Vec<Expr> {
    let (_, core) = e.split_coefficient();
    let factors: Vec<Expr> = match core.kind() {
        Kind::Product(items) => items
            .iter()
            .filter(|(_, r)| r.is_positive())
            .map(|(b, _)| b.clone())
            .collect(),
        _ => vec![core],
    };
    let constant = |e: &Expr| e.free_symbols().iter().all(|s| s.role() == Role::Constant);
    factors
        .into_iter()
        .filter(|f| constant(f) && f.as_number().is_none() && !f.is_nonvanishing())
        .collect()
}

/// A parameter for which the factor is linear with a nonvanishing slope.
fn solved(factor: &Expr) -> Option<(Symbol, Expr)> {
    factor.free_symbols().into_iter().find_map(|s| {
        let parts = factor.coefficients(&s).ok()?;
        let [rest, slope] = parts.as_slice() else {
            return None;
        };
        slope
            .is_nonvanishing()
            .then(|| (s.clone(), tidy(&-(rest / slope))))
    })
}
