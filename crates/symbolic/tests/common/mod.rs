//! Random expressions and a reader for printed text, shared by the printer and simplifier tests.
#![allow(dead_code)] // each test file uses a part

pub mod reader;

use proptest::prelude::*;
use rattleback_symbolic::*;

/// The symbols that random expressions are made of.
pub fn symbols() -> Vec<Symbol> {
    let q = Symbol::variable("theta");
    let x = Symbol::variable("x1");
    vec![
        Symbol::constant("a"),
        Symbol::constant("J_w"),
        Symbol::constant("m").with_sign(Sign::Positive),
        q.jet(1),
        x.jet(2),
        q,
        x,
    ]
}

fn leaf() -> impl Strategy<Value = Expr> {
    prop_oneof![
        1 => (-5i64..6).prop_map(Expr::from),
        1 => (1i64..7, 2i64..5).prop_map(|(n, d)| Expr::ratio(n, d)),
        1 => Just(Expr::pi()),
        5 => prop::sample::select(symbols()).prop_map(Expr::from),
    ]
}

/// Sums, products, quotients, powers, roots and functions, a few levels deep.
pub fn expression() -> impl Strategy<Value = Expr> {
    leaf().prop_recursive(5, 40, 4, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 2..4).prop_map(Expr::sum),
            3 => prop::collection::vec(inner.clone(), 2..4).prop_map(Expr::product),
            2 => pair.clone().prop_map(|(a, b)| a - b),
            2 => pair.clone().prop_map(|(a, b)| a / b),
            2 => (inner.clone(), 2i64..4).prop_map(|(a, n)| a.powi(n)),
            1 => inner.clone().prop_map(|a| a.sqrt()),
            1 => pair.clone().prop_map(|(a, b)| a.pow(&b)),
            1 => inner.clone().prop_map(|a| a.powr(&Rational::new(-2, 3))),
            1 => pair.prop_map(|(a, b)| Expr::atan2(&a, &b)),
            6 => (inner, 0usize..10).prop_map(|(a, f)| function(&a, f)),
        ]
    })
}

fn function(x: &Expr, which: usize) -> Expr {
    match which {
        0 | 1 => x.sin(),
        2 | 3 => x.cos(),
        4 => x.tan(),
        5 => x.exp(),
        6 => x.sinh(),
        7 => x.cosh(),
        8 => x.tanh(),
        _ => x.log(),
    }
}

/// Polynomials in parameters, velocities, sines and cosines: what equations of motion are made of.
pub fn mechanical() -> impl Strategy<Value = Expr> {
    let factor = (prop::sample::select(atoms()), 1i64..3).prop_map(|(e, n)| e.powi(n));
    let term = (-3i64..4, prop::collection::vec(factor, 1..5))
        .prop_map(|(c, factors)| c * Expr::product(factors));
    prop::collection::vec(term, 1..7).prop_map(Expr::sum)
}

fn atoms() -> Vec<Expr> {
    let mut atoms: Vec<Expr> = symbols().iter().map(Expr::from).collect();
    let (q, x) = (
        Expr::from(Symbol::variable("theta")),
        Expr::from(Symbol::variable("x1")),
    );
    for angle in [q.clone(), x.clone(), &q - &x, 2 * &q] {
        atoms.extend([angle.sin(), angle.cos()]);
    }
    atoms
}

/// The value at a point, floating-point.
pub fn value(e: &Expr, point: &[f64]) -> f64 {
    let symbols = symbols();
    let values: Vec<_> = symbols.into_iter().zip(point.iter().copied()).collect();
    e.evaluate(&values).unwrap()
}

/// Asserts that two expressions have the same value at a few points where `a` has one.
pub fn assert_same_value(a: &Expr, b: &Expr) {
    for k in 1..5 {
        let point: Vec<f64> = (0..symbols().len())
            .map(|i| 0.3 + 0.17 * ((7 * i + 3 * k) % 11) as f64)
            .collect();
        let (x, y) = (value(a, &point), value(b, &point));
        let scale = x.abs().max(1.0);
        let close = (x - y).abs() <= 1e-6 * scale;
        assert!(
            close || !x.is_finite() || x.abs() > 1e9,
            "{a}\n{b}\nat {point:?}: {x} and {y}"
        );
    }
}
