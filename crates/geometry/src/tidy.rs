//! Shorter forms of expressions that will be printed and differentiated.

use rattleback_symbolic::{Expr, Simplifier, simplify_with};

/// Longer expressions are left alone: nobody reads them, and simplification is for readers.
const READABLE: usize = 100;
/// Components of tensors are many, so each may cost less.
const COMPONENT: usize = 40;

/// The expression as a person would write it.
pub(crate) fn tidy(e: &Expr) -> Expr {
    bounded(e, READABLE)
}

/// [`tidy`] for one of many components.
pub(crate) fn tidy_component(e: &Expr) -> Expr {
    bounded(e, COMPONENT)
}

fn bounded(e: &Expr, max_nodes: usize) -> Expr {
    let how = Simplifier {
        max_nodes,
        budget: 50 * max_nodes,
        ..Simplifier::default()
    };
    simplify_with(e, &how)
}
