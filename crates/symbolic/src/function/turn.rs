//! Canonical forms of sine and cosine: multiples of π are taken out of the angle.

use super::Function;
use super::canonical::{absolute, node, odd};
use crate::node::Kind;
use crate::{Expr, Rational};

/// Splits `x = rest + r·π`.
fn split_pi(x: &Expr) -> (Expr, Rational) {
    let pi = Expr::pi();
    match x.kind() {
        Kind::Pi => (Expr::zero(), Rational::ONE),
        Kind::Scaled(c, e) if *e == pi => (Expr::zero(), c.clone()),
        Kind::Sum(_, terms) => match terms.iter().find(|(t, _)| *t == pi) {
            Some((_, c)) => (x - Expr::from(c) * &pi, c.clone()),
            None => (x.clone(), Rational::ZERO),
        },
        _ => (x.clone(), Rational::ZERO),
    }
}

/// sin(x) = sin(rest + k·π/2 + f·π) with the quarter turns k taken out.
pub(super) fn sin(x: &Expr) -> Expr {
    let (rest, turns) = split_pi(x);
    if turns.is_zero() {
        return plain_sin(&rest);
    }
    let quarters = (&turns * &Rational::from(2)).floor();
    let fraction = &turns - &(&quarters * &Rational::new(1, 2));
    let k = (&quarters - &(&(&quarters * &Rational::new(1, 4)).floor() * &Rational::from(4)))
        .as_integer()
        .unwrap_or(0);
    let angle = |f: fn(&Expr, &Rational) -> Expr| f(&rest, &fraction);
    match k {
        0 => angle(shifted_sin),
        1 => angle(shifted_cos),
        2 => -angle(shifted_sin),
        _ => -angle(shifted_cos),
    }
}

/// sin(rest + f·π) for 0 ≤ f < 1/2.
fn shifted_sin(rest: &Expr, f: &Rational) -> Expr {
    if rest.is_zero()
        && let Some(value) = special_sine(f)
    {
        return value;
    }
    if f.is_zero() {
        return plain_sin(rest);
    }
    let (negative, x) = absolute(&(rest + Expr::from(f) * Expr::pi()));
    let s = node(Function::Sin, &[x]);
    if negative { -s } else { s }
}

/// cos(rest + f·π) for 0 ≤ f < 1/2.
fn shifted_cos(rest: &Expr, f: &Rational) -> Expr {
    if rest.is_zero()
        && let Some(value) = special_sine(&(&Rational::new(1, 2) - f))
    {
        return value;
    }
    if f.is_zero() {
        return plain_cos(rest);
    }
    node(
        Function::Cos,
        &[absolute(&(rest + Expr::from(f) * Expr::pi())).1],
    )
}

fn plain_sin(x: &Expr) -> Expr {
    odd(Function::Sin, x, None)
}

fn plain_cos(x: &Expr) -> Expr {
    if x.is_zero() {
        return Expr::one();
    }
    node(Function::Cos, &[absolute(x).1])
}

/// sin(f·π) where it is a short radical, 0 ≤ f ≤ 1/2.
fn special_sine(f: &Rational) -> Option<Expr> {
    Some(match f.as_small()? {
        (0, 1) => Expr::zero(),
        (1, 6) => Expr::ratio(1, 2),
        (1, 4) => Expr::from(2).sqrt() / 2,
        (1, 3) => Expr::from(3).sqrt() / 2,
        (1, 2) => Expr::one(),
        _ => return None,
    })
}

/// cos(x) by the sine a quarter turn ahead.
pub(super) fn cos(x: &Expr) -> Expr {
    let (rest, turns) = split_pi(x);
    if turns.is_zero() {
        return plain_cos(&rest);
    }
    sin(&(x + Expr::pi() / 2))
}
