//! M y' + C y + g = B u + Q + Aᵀλ: the manipulator form as one equation, and its matrices.

use crate::document::Vector;
use crate::language::Model;
use crate::mechanics::{Equations, Quantity};
use crate::symbolic::{Expr, Symbol};

/// The entries that a reader wants: no zeros, and a symmetric matrix above its diagonal.
pub fn written(extras: &[Quantity]) -> Vec<Quantity> {
    let is_below = |q: &Quantity| q.entry.is_some_and(|e| e.of == "M" && e.row > e.column);
    let kept = extras.iter().filter(|q| !q.value.is_zero() && !is_below(q));
    kept.cloned().collect()
}

/// The equation, with the parts that there are.
pub fn equation(eq: &Equations, model: &Model) -> Option<(Vector, Vector)> {
    let has = |name: &str| {
        let mut extras = eq.extras.iter().filter(|q| !q.value.is_zero());
        extras.any(|q| q.entry.is_some_and(|e| e.of == name))
    };
    let name = |name: &str| Vector::Name(Symbol::variable(name));
    let column = |all: Vec<Expr>| Vector::Column(all);
    let velocities = model.velocities();
    let rates = velocities.iter().map(|v| v.derivative().into()).collect();
    let mut left = vec![(false, name("M").times(column(rates)))];
    if has("C") {
        let moving = velocities.iter().map(Expr::from).collect();
        left.push((false, name("C").times(column(moving))));
    }
    if has("g") {
        left.push((false, name("g")));
    }
    let mut right = Vec::new();
    if has("B") {
        let controls = model
            .controls
            .iter()
            .map(|c| Expr::from(&c.symbol))
            .collect();
        right.push((false, name("B").times(column(controls))));
    }
    if has("Q") {
        right.push((false, name("Q")));
    }
    if has("A") {
        let push: Vec<Expr> = eq.multipliers.iter().map(|q| q.value.clone()).collect();
        right.push((false, name("A").transposed().times(column(push))));
    }
    let right = match right.is_empty() {
        true => Vector::Scalar(Expr::zero()),
        false => Vector::Sum(right),
    };
    (!eq.extras.is_empty()).then_some((Vector::Sum(left), right))
}
