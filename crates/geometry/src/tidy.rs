//! Shorter forms of expressions that will be printed and differentiated.

use rattleback_symbolic::Expr;

pub(crate) fn normalize(e: &Expr) -> Expr {
    e.clone()
}

pub(crate) fn expand(e: &Expr) -> Expr {
    e.clone()
}

/// The normal form where it is shorter, else the expression as it is.
pub(crate) fn tidy(e: &Expr) -> Expr {
    let normal = normalize(e);
    if normal.node_count() <= e.node_count() {
        normal
    } else {
        e.clone()
    }
}
