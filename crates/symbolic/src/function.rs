//! The elementary functions: canonical forms and derivatives.
//!
//! tan, cot, sec and csc are quotients of sine and cosine; printers put the short names back. A square
//! root is the power 1/2.

use crate::node::{Kind, intern};
use crate::power::{logarithmic_term, power};
use crate::{Expr, Rational, Sign};

/// A function that stays a node of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Function {
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Inverse sine.
    Asin,
    /// Inverse cosine.
    Acos,
    /// Inverse tangent.
    Atan,
    /// Angle of the point (x, y), arguments in the order y, x.
    Atan2,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Exponential.
    Exp,
    /// Natural logarithm.
    Log,
    /// A power, arguments in the order base, exponent; a number as exponent makes it a product.
    Power,
}

impl Function {
    /// The name in the model language.
    pub fn name(self) -> &'static str {
        match self {
            Function::Sin => "sin",
            Function::Cos => "cos",
            Function::Asin => "asin",
            Function::Acos => "acos",
            Function::Atan => "atan",
            Function::Atan2 => "atan2",
            Function::Sinh => "sinh",
            Function::Cosh => "cosh",
            Function::Tanh => "tanh",
            Function::Exp => "exp",
            Function::Log => "log",
            Function::Power => "pow",
        }
    }

    /// The value for floating-point arguments.
    pub fn evaluate(self, x: &[f64]) -> f64 {
        match self {
            Function::Sin => x[0].sin(),
            Function::Cos => x[0].cos(),
            Function::Asin => x[0].asin(),
            Function::Acos => x[0].acos(),
            Function::Atan => x[0].atan(),
            Function::Atan2 => x[0].atan2(x[1]),
            Function::Sinh => x[0].sinh(),
            Function::Cosh => x[0].cosh(),
            Function::Tanh => x[0].tanh(),
            Function::Exp => x[0].exp(),
            Function::Log => x[0].ln(),
            Function::Power => x[0].powf(x[1]),
        }
    }

    /// The function applied to arguments, canonical.
    pub fn apply(self, arguments: &[Expr]) -> Expr {
        if arguments.iter().any(Expr::is_undefined) {
            return Expr::undefined();
        }
        let x = &arguments[0];
        match self {
            Function::Sin => sin(x),
            Function::Cos => cos(x),
            Function::Exp => exp(x),
            Function::Log => log(x),
            Function::Cosh if x.is_zero() => Expr::one(),
            Function::Cosh => node(self, &[absolute(x).1]),
            Function::Sinh | Function::Tanh | Function::Asin | Function::Atan => odd(self, x),
            Function::Acos => acos(x),
            Function::Atan2 => atan2(x, &arguments[1]),
            Function::Power => power(x, &arguments[1]),
        }
    }

    /// `∂/∂argument_k`, as a function of the arguments.
    pub fn derivative(self, k: usize, x: &[Expr]) -> Expr {
        let u = &x[0];
        match self {
            Function::Sin => u.cos(),
            Function::Cos => -u.sin(),
            Function::Asin => (1 - u * u).powr(&Rational::new(-1, 2)),
            Function::Acos => -(1 - u * u).powr(&Rational::new(-1, 2)),
            Function::Atan => (1 + u * u).recip(),
            Function::Atan2 => {
                let radius2 = u * u + &x[1] * &x[1];
                if k == 0 {
                    &x[1] / radius2
                } else {
                    -u / radius2
                }
            }
            Function::Sinh => u.cosh(),
            Function::Cosh => u.sinh(),
            Function::Tanh => 1 - u.tanh().powi(2),
            Function::Exp => u.exp(),
            Function::Log => u.recip(),
            Function::Power if k == 0 => &x[1] * u.pow(&(&x[1] - 1)),
            Function::Power => u.pow(&x[1]) * u.log(),
        }
    }
}

fn node(f: Function, arguments: &[Expr]) -> Expr {
    intern(Kind::Function(f, arguments.into()))
}

/// (was it negative?, the argument with its leading coefficient made positive).
fn absolute(x: &Expr) -> (bool, Expr) {
    let negative = match x.kind() {
        Kind::Number(r) => r.is_negative(),
        Kind::Scaled(c, _) => c.is_negative(),
        Kind::Sum(_, terms) => terms[0].1.is_negative(),
        _ => false,
    };
    (negative, if negative { -x } else { x.clone() })
}

fn odd(f: Function, x: &Expr) -> Expr {
    if x.is_zero() {
        return Expr::zero();
    }
    let (negative, x) = absolute(x);
    let value = match (f, x.is_one()) {
        (Function::Asin, true) => Expr::pi() / 2,
        (Function::Atan, true) => Expr::pi() / 4,
        _ => node(f, &[x]),
    };
    if negative { -value } else { value }
}

fn acos(x: &Expr) -> Expr {
    match x.as_number().and_then(Rational::as_integer) {
        Some(0) => Expr::pi() / 2,
        Some(1) => Expr::zero(),
        Some(-1) => Expr::pi(),
        _ => node(Function::Acos, std::slice::from_ref(x)),
    }
}

fn atan2(y: &Expr, x: &Expr) -> Expr {
    if y.is_zero() && x.is_zero() {
        return Expr::undefined();
    }
    if y.is_zero() && x.sign() == Sign::Positive {
        return Expr::zero();
    }
    node(Function::Atan2, &[y.clone(), x.clone()])
}

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
fn sin(x: &Expr) -> Expr {
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
    odd(Function::Sin, x)
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

fn cos(x: &Expr) -> Expr {
    let (rest, turns) = split_pi(x);
    if turns.is_zero() {
        return plain_cos(&rest);
    }
    sin(&(x + Expr::pi() / 2))
}

/// exp(Σ eᵢ log uᵢ + rest) = Π uᵢ^eᵢ · exp(rest).
fn exp(x: &Expr) -> Expr {
    if x.is_zero() {
        return Expr::one();
    }
    let (mut powers, mut rest) = (Vec::new(), Vec::new());
    let (constant, terms) = match x.kind() {
        Kind::Sum(c, terms) => (c.clone(), terms.to_vec()),
        _ => {
            let (c, core) = x.split_coefficient();
            (Rational::ZERO, vec![(core, c)])
        }
    };
    for (t, c) in terms {
        match logarithmic_term(&t) {
            Some((u, e)) => powers.push(u.pow(&(e * Expr::from(c)))),
            None => rest.push((t, c)),
        }
    }
    if powers.is_empty() {
        return node(Function::Exp, std::slice::from_ref(x));
    }
    rest.push((constant.into(), Rational::ONE));
    powers.push(exp(&Expr::linear_combination(rest)));
    Expr::product(powers)
}

fn log(x: &Expr) -> Expr {
    match x.kind() {
        Kind::Number(r) if r.is_one() => Expr::zero(),
        Kind::Number(r) if !r.is_positive() => Expr::undefined(),
        Kind::Function(Function::Exp, u) => u[0].clone(),
        Kind::Function(Function::Power, u) if u[0].sign() == Sign::Positive => &u[1] * u[0].log(),
        _ => node(Function::Log, std::slice::from_ref(x)),
    }
}

macro_rules! methods {
    ($($(#[$doc:meta])* $f:ident $F:ident),*) => {
        impl Expr {
            $($(#[$doc])* pub fn $f(&self) -> Expr { Function::$F.apply(std::slice::from_ref(self)) })*
        }
    };
}
methods!(
    /// Sine.
    sin Sin,
    /// Cosine.
    cos Cos,
    /// Inverse sine.
    asin Asin,
    /// Inverse cosine.
    acos Acos,
    /// Inverse tangent.
    atan Atan,
    /// Hyperbolic sine.
    sinh Sinh,
    /// Hyperbolic cosine.
    cosh Cosh,
    /// Hyperbolic tangent.
    tanh Tanh,
    /// Exponential.
    exp Exp,
    /// Natural logarithm.
    log Log
);

impl Expr {
    /// Tangent, as sin/cos.
    pub fn tan(&self) -> Expr {
        self.sin() / self.cos()
    }
    /// Cotangent, as cos/sin.
    pub fn cot(&self) -> Expr {
        self.cos() / self.sin()
    }
    /// Secant, as 1/cos.
    pub fn sec(&self) -> Expr {
        self.cos().recip()
    }
    /// Cosecant, as 1/sin.
    pub fn csc(&self) -> Expr {
        self.sin().recip()
    }
    /// The angle of the point (x, y).
    pub fn atan2(y: &Expr, x: &Expr) -> Expr {
        Function::Atan2.apply(&[y.clone(), x.clone()])
    }
}
