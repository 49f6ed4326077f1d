//! Sines and cosines of sums written in the sines and cosines of the summands.

use crate::function::Function;
use crate::hash::{Map, Set};
use crate::node::Kind;
use crate::walk::{postorder, replace_all};
use crate::{Expr, Rational};

/// Multiples beyond this stay as they are.
const MAX_MULTIPLE: i64 = 6;
/// Sums of more angles than this stay as they are.
const MAX_PARTS: i64 = 8;

/// `e` with every angle taken apart; `None` if there is nothing to take apart.
pub(super) fn expanded_angles(e: &Expr) -> Option<Expr> {
    let circular: Vec<Expr> = postorder(std::slice::from_ref(e), |_| true)
        .into_iter()
        .filter(|f| argument(f).is_some())
        .collect();
    let arguments: Set<&Expr> = circular.iter().filter_map(argument).collect();
    let units = units(arguments);
    let mut table: Map<Expr, Expr> = Map::default();
    for f in &circular {
        if let Kind::Function(function, x) = f.kind()
            && let Some((sine, cosine)) = taken_apart(*function, &x[0], &units)
        {
            let value = match function {
                Function::Sin | Function::Sinh => sine,
                _ => cosine,
            };
            if value != *f {
                table.insert(f.clone(), value);
            }
        }
    }
    if table.is_empty() {
        return None;
    }
    replace_all(std::slice::from_ref(e), &table).pop()
}

fn argument(f: &Expr) -> Option<&Expr> {
    match f.kind() {
        Kind::Function(Function::Sin | Function::Cos | Function::Sinh | Function::Cosh, x) => {
            x.first()
        }
        _ => None,
    }
}

/// The summands of an argument with their coefficients; a constant counts as a multiple of 1.
fn summands(x: &Expr) -> Vec<(Expr, Rational)> {
    match x.kind() {
        Kind::Sum(c, terms) => {
            let constant = (!c.is_zero()).then(|| (Expr::one(), c.clone()));
            terms.iter().cloned().chain(constant).collect()
        }
        _ => {
            let (c, core) = x.split_coefficient();
            vec![(core, c)]
        }
    }
}

/// For each summand the largest angle of which all its occurrences are multiples.
fn units<'a>(arguments: impl IntoIterator<Item = &'a Expr>) -> Map<Expr, Rational> {
    let mut units: Map<Expr, Rational> = Map::default();
    for x in arguments {
        for (t, c) in summands(x) {
            let unit = units.entry(t).or_insert(Rational::ZERO);
            *unit = unit.gcd(&c);
        }
    }
    units
}

/// Sine and cosine of `x` by the addition theorems, one unit after the other.
fn taken_apart(f: Function, x: &Expr, units: &Map<Expr, Rational>) -> Option<(Expr, Expr)> {
    let hyperbolic = matches!(f, Function::Sinh | Function::Cosh);
    let of = |x: &Expr| {
        if hyperbolic {
            (x.sinh(), x.cosh())
        } else {
            (x.sin(), x.cos())
        }
    };
    let mut parts = Vec::new();
    let mut total = 0;
    for (t, c) in summands(x) {
        let unit = units.get(&t)?;
        let multiple = (&c / unit)
            .as_integer()
            .filter(|k| k.abs() <= MAX_MULTIPLE)?;
        total += multiple.abs();
        let one = Expr::from(unit) * &t;
        let one = if multiple < 0 { -one } else { one };
        parts.extend((0..multiple.abs()).map(|_| one.clone()));
    }
    if total > MAX_PARTS {
        return None;
    }
    let mut parts = parts.iter().map(of);
    let (mut sine, mut cosine) = parts.next()?;
    for (s, c) in parts {
        let product = &sine * &s;
        let product = if hyperbolic { product } else { -product };
        (sine, cosine) = (&sine * &c + &cosine * &s, &cosine * &c + product);
    }
    Some((sine, cosine))
}
