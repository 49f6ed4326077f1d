//! Special parameters for which every motion agrees.

use super::comparison::Comparison;
use super::prolongation::{Outcome, generic};
use crate::exact::{constant_factors, tidy};
use crate::{Case, Effort};
use rattleback_symbolic::{Expr, Symbol};

/// Special values that are tried.
const MOST: usize = 6;

/// The factors of a contradiction that depend on parameters only: where one of them vanishes the
/// contradiction does, and the decision is made anew.
pub(super) fn special(c: &Comparison, residual: &Expr, effort: Effort) -> Vec<Case> {
    let mut found = Vec::new();
    let mut factors = constant_factors(&tidy(residual));
    factors.retain(|f| !f.is_nonvanishing());
    for factor in factors.into_iter().take(MOST) {
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
