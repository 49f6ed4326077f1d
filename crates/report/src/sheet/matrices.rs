//! M y' + C y + g = B u + Q + Aᵀλ: the manipulator form as one equation, and its matrices.
//!
//! The letters give way to names of the model: a mass `M` of the model beside the matrix `M_`.

use crate::document::Vector;
use crate::mechanics::{Equations, Names, Problem, Quantity};
use crate::symbolic::Expr;

/// The letters and what they stand for.
const LETTERS: [(&str, &str); 6] = [
    ("M", "the mass matrix"),
    ("C", "the matrix of Coriolis and centrifugal forces"),
    ("g", "the slope of the potential"),
    ("B", "the matrix of the controls"),
    ("Q", "the other forces"),
    ("A", "the matrix of the constraints"),
];

/// The entries that a reader wants: no zeros, and a symmetric matrix above its diagonal.
pub fn written(extras: &[Quantity], names: &Names) -> Vec<Quantity> {
    let is_below = |q: &Quantity| q.entry.is_some_and(|e| e.of == "M" && e.row > e.column);
    let kept = extras.iter().filter(|q| !q.value.is_zero() && !is_below(q));
    let renamed = kept.map(|q| Quantity {
        name: names.on_page(&q.name).name().to_owned(),
        ..q.clone()
    });
    renamed.collect()
}

/// What letters of the page give way to the model's own, for a note each.
pub fn moved(eq: &Equations, names: &Names) -> Vec<String> {
    let of = |letter: &str| eq.extras.iter().any(|q| is_entry(q, letter));
    let moved = LETTERS.iter().filter(|(l, _)| of(l) && names.declares(l));
    let note = |(letter, what): &(&str, &str)| moved_note(letter, what, names);
    moved.map(note).collect()
}

/// A note on a name of the page that gives way to one of the model.
pub fn moved_note(name: &str, what: &str, names: &Names) -> String {
    let instead = names.on_page(name);
    format!(
        "`{}` is {what}; `{name}` is the model's own",
        instead.name()
    )
}

fn is_entry(q: &Quantity, letter: &str) -> bool {
    q.entry.is_some_and(|e| e.of == letter) && !q.value.is_zero()
}

/// The equation, with the parts that there are.
pub fn equation(eq: &Equations, problem: &Problem) -> Option<(Vector, Vector)> {
    let names = problem.system.names();
    let has = |name: &str| eq.extras.iter().any(|q| is_entry(q, name));
    let name = |name: &str| Vector::Name(names.on_page(name));
    let column = |all: Vec<Expr>| Vector::Column(all);
    let velocities = problem.system.frame().fibre();
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
        let controls = problem
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
