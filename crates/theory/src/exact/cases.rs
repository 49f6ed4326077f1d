//! Parameters at whose special values an answer changes.

use rattleback_symbolic::{Budget, Expr, normalize_within};

/// The factors free of variables, numbers aside.
pub(crate) fn constant_factors(e: &Expr) -> Vec<Expr> {
    let mut factors = e.numerator_factors();
    factors.retain(Expr::is_constant);
    factors
}

/// Parameter conditions under which all the expressions vanish together, although at generic values
/// of the parameters they do not: their common factors that the assumptions do not keep from zero.
pub(crate) fn common_parameter_zeros(all: &[Expr]) -> Vec<Expr> {
    let mut shared: Option<Vec<Expr>> = None;
    for e in all.iter().filter(|e| !e.is_zero()) {
        let lowest = normalize_within(e, Budget::SMALL).unwrap_or_else(|| e.clone());
        if lowest.is_zero() {
            continue;
        }
        let factors = constant_factors(&super::tidy(&lowest));
        shared = Some(match shared {
            None => factors,
            Some(before) => before
                .into_iter()
                .filter(|f| factors.contains(f) || factors.contains(&-f))
                .collect(),
        });
    }
    shared
        .unwrap_or_default()
        .into_iter()
        .filter(|f| !f.is_nonvanishing())
        .collect()
}
