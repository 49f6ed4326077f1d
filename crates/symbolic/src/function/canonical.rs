//! What canonical forms of functions have in common.

use super::Function;
use crate::Expr;
use crate::node::{Kind, intern};

/// The function as a node of its own.
pub(super) fn node(f: Function, arguments: &[Expr]) -> Expr {
    intern(Kind::Function(f, arguments.into()))
}

/// (was it negative?, the argument with its leading coefficient made positive).
pub(super) fn absolute(x: &Expr) -> (bool, Expr) {
    let negative = match x.kind() {
        Kind::Number(r) => r.is_negative(),
        Kind::Scaled(c, _) => c.is_negative(),
        Kind::Sum(_, terms) => terms[0].1.is_negative(),
        _ => false,
    };
    (negative, if negative { -x } else { x.clone() })
}

/// f(-x) = -f(x) and f(0) = 0, with the value at 1 where it has a short form.
pub(super) fn odd(f: Function, x: &Expr, at_one: Option<Expr>) -> Expr {
    if x.is_zero() {
        return Expr::zero();
    }
    let (negative, x) = absolute(x);
    let value = match at_one {
        Some(value) if x.is_one() => value,
        _ => node(f, &[x]),
    };
    if negative { -value } else { value }
}
