//! Cosines and sines of multiples of arcs, without the arcs: cos(2 acos k) = 2k² − 1.

use rattleback_symbolic::{Expr, Function, Kind, rewrite};

/// The highest multiple that is expanded.
const HIGHEST: i64 = 6;

/// The same value with cos(n acos k), sin(n asin k) and their like as polynomials of k and √(1 − k²).
pub(super) fn without_arcs(e: &Expr) -> Expr {
    rewrite(e, |node| match node.kind() {
        Kind::Function(f @ (Function::Cos | Function::Sin), x) => straightened(*f, &x[0]),
        _ => None,
    })
}

fn straightened(f: Function, x: &Expr) -> Option<Expr> {
    let (factor, arc) = x.split_coefficient();
    let n = factor.as_integer()?;
    let Kind::Function(of, k) = arc.kind() else {
        return None;
    };
    let k = &k[0];
    let other = (1 - k.powi(2)).sqrt();
    let (cosine, sine) = match of {
        Function::Acos => (k.clone(), other),
        Function::Asin => (other, k.clone()),
        _ => return None,
    };
    if n.abs() > HIGHEST {
        return None;
    }
    // (c + i s)ⁿ, one factor at a time.
    let (mut c, mut s) = (Expr::one(), Expr::zero());
    for _ in 0..n.abs() {
        (c, s) = (&c * &cosine - &s * &sine, &s * &cosine + &c * &sine);
    }
    Some(match f {
        Function::Cos => c,
        _ if n < 0 => -s,
        _ => s,
    })
}
