//! Formulas as a person would write them.

use rattleback_symbolic::{Expr, Simplifier, merge_exponentials, simplify_all, simplify_with};

/// Longer formulas are left as they are: nobody reads them.
const READABLE: usize = 600;

fn how() -> Simplifier {
    Simplifier {
        max_nodes: READABLE,
        ..Simplifier::default()
    }
}

/// A shorter form of the same value.
pub fn tidy(e: &Expr) -> Expr {
    merge_exponentials(&simplify_with(e, &how()))
}

/// [`tidy`] of several formulas, which share the work.
pub fn tidy_all(all: &[Expr]) -> Vec<Expr> {
    simplify_all(all, &how())
        .iter()
        .map(merge_exponentials)
        .collect()
}
