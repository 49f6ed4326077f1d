//! What the assumptions on symbols say about the sign of an expression.

use crate::facts::sign_by_facts;
use crate::{Expr, Function, Kind, Map, Rational, Sign, postorder};

impl Expr {
    /// The sign that structure and assumptions guarantee.
    pub fn sign(&self) -> Sign {
        sign(self)
    }

    /// Is it different from zero wherever its symbols keep their assumptions?
    pub fn is_nonvanishing(&self) -> bool {
        sign(self).is_nonzero()
    }
}

fn sign(e: &Expr) -> Sign {
    let mut known: Map<Expr, Sign> = Map::default();
    let mut related = false;
    for node in postorder(std::slice::from_ref(e), |_| true) {
        let of = |x: &Expr| known.get(x).copied().unwrap_or(Sign::Unknown);
        let value = match node.kind() {
            Kind::Number(r) => Sign::of(r),
            Kind::Pi => Sign::Positive,
            Kind::Symbol(s) => s.sign(),
            Kind::Scaled(c, x) => times(Sign::of(c), of(x)),
            Kind::Product(factors) => factors
                .iter()
                .map(|(b, r)| power(of(b), r))
                .fold(Sign::Positive, times),
            Kind::Sum(c, terms) => {
                let constant = (!c.is_zero()).then(|| Sign::of(c));
                let all = terms
                    .iter()
                    .map(|(t, c)| times(Sign::of(c), of(t)))
                    .chain(constant)
                    .reduce(plus)
                    .unwrap_or(Sign::Unknown);
                match all {
                    Sign::NonNegative if never_all_zero(terms, of) => Sign::Positive,
                    Sign::NonPositive if never_all_zero(terms, of) => Sign::Negative,
                    Sign::Unknown => bounded_sum(c, terms),
                    _ => all,
                }
            }
            Kind::Function(f, x) => f.sign(&x.iter().map(of).collect::<Vec<_>>()),
            _ => Sign::Unknown,
        };
        if let Kind::Symbol(s) = node.kind() {
            related |= !s.facts().is_empty();
        }
        let irreducible = matches!(node.kind(), Kind::Symbol(_) | Kind::Sum(..));
        let value = match related && (irreducible || node == *e) && !is_strict(value) {
            true => value.and(sign_by_facts(&node)),
            false => value,
        };
        known.insert(node, value);
    }
    known.get(e).copied().unwrap_or(Sign::Unknown)
}

/// The sign of a constant plus products of sines and cosines, each between -1 and 1, squares between 0 and 1.
fn bounded_sum(constant: &Rational, terms: &[(Expr, Rational)]) -> Sign {
    let (mut low, mut high) = (constant.clone(), constant.clone());
    for (term, c) in terms {
        let Some(least) = oscillation(term) else {
            return Sign::Unknown;
        };
        let (a, b) = (c * &least, c.clone());
        low = &low + &a.clone().min(b.clone());
        high = &high + &a.max(b);
    }
    match (low.is_negative(), (-&high).is_negative()) {
        (false, _) if low.is_zero() => Sign::NonNegative,
        (false, _) => Sign::Positive,
        (_, false) if high.is_zero() => Sign::NonPositive,
        (_, false) => Sign::Negative,
        _ => Sign::Unknown,
    }
}

/// The least value of a product of powers of sines and cosines; the greatest is 1.
fn oscillation(term: &Expr) -> Option<Rational> {
    let oscillates =
        |b: &Expr| matches!(b.kind(), Kind::Function(Function::Sin | Function::Cos, _));
    let even = match term.kind() {
        Kind::Product(factors) => {
            let whole = |r: &Rational| r.as_integer().filter(|k| *k > 0);
            let mut even = true;
            for (b, r) in factors {
                even &= whole(r).filter(|_| oscillates(b))? % 2 == 0;
            }
            even
        }
        _ if oscillates(term) => false,
        _ => return None,
    };
    Some(Rational::from(if even { 0 } else { -1 }))
}

fn is_strict(s: Sign) -> bool {
    matches!(s, Sign::Positive | Sign::Negative)
}

/// Do the terms contain a·sin²u and b·cos²u with a and b nonzero? Sine and cosine never vanish together.
fn never_all_zero(terms: &[(Expr, Rational)], of: impl Fn(&Expr) -> Sign) -> bool {
    let vanishing = |t: &Expr| -> Option<(Function, Expr)> {
        let Kind::Product(factors) = t.kind() else {
            return None;
        };
        let mut open = factors.iter().filter(|(b, _)| !of(b).is_nonzero());
        match (open.next()?.0.kind(), open.next()) {
            (Kind::Function(f, u), None) => Some((*f, u[0].clone())),
            _ => None,
        }
    };
    let all: Vec<_> = terms.iter().filter_map(|(t, _)| vanishing(t)).collect();
    all.iter()
        .any(|(f, u)| *f == Function::Sin && all.iter().any(|(g, v)| *g == Function::Cos && u == v))
}

fn power(base: Sign, exponent: &Rational) -> Sign {
    match exponent.as_integer() {
        Some(k) if k % 2 != 0 => base,
        _ if base.is_nonzero() => Sign::Positive,
        _ => Sign::NonNegative,
    }
}

pub(crate) fn times(a: Sign, b: Sign) -> Sign {
    match (a, b) {
        (Sign::Positive, x) | (x, Sign::Positive) => x,
        (Sign::Negative, x) | (x, Sign::Negative) => x.opposite(),
        (Sign::NonZero, Sign::NonZero) => Sign::NonZero,
        (Sign::NonNegative, Sign::NonNegative) | (Sign::NonPositive, Sign::NonPositive) => {
            Sign::NonNegative
        }
        (Sign::NonNegative, Sign::NonPositive) | (Sign::NonPositive, Sign::NonNegative) => {
            Sign::NonPositive
        }
        _ => Sign::Unknown,
    }
}

fn plus(a: Sign, b: Sign) -> Sign {
    let nonpositive = |s: Sign| s.opposite().is_nonnegative();
    if a.is_nonnegative() && b.is_nonnegative() {
        return if a.is_nonzero() || b.is_nonzero() {
            Sign::Positive
        } else {
            Sign::NonNegative
        };
    }
    if nonpositive(a) && nonpositive(b) {
        return if a.is_nonzero() || b.is_nonzero() {
            Sign::Negative
        } else {
            Sign::NonPositive
        };
    }
    Sign::Unknown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Symbol;

    #[test]
    fn assumptions_decide() {
        let m = Expr::from(Symbol::constant("m").with_sign(Sign::Positive));
        let a = Expr::from(Symbol::constant("a"));
        let x = Expr::from(Symbol::variable("x"));
        assert!((&m + &a * &a).is_nonvanishing());
        assert!((-(&m * 3) - x.powi(2) - 1).is_nonvanishing());
        assert!((x.exp() * &m).is_nonvanishing());
        assert!(!(&m - &a * &a).is_nonvanishing());
        assert!(!x.powi(2).is_nonvanishing());
        assert!(!Expr::zero().is_nonvanishing());
    }

    #[test]
    fn sines_and_cosines_are_bounded() {
        let [x, y] = ["x", "y"].map(|n| Expr::from(Symbol::variable(n)));
        let sum = 3 - 2 * x.cos().powi(2) - x.sin() * y.cos() / 2;
        assert_eq!(sum.sign(), Sign::Positive);
        assert_eq!((&sum - Expr::ratio(1, 2)).sign(), Sign::NonNegative);
        assert_eq!((&sum - 1).sign(), Sign::Unknown);
        assert_eq!((x.cos() - 2).sign(), Sign::Negative);
        assert_eq!((x.cos().powi(2) - 1).sign(), Sign::NonPositive);
        assert_eq!((2 - x.sin() * &y).sign(), Sign::Unknown);
    }

    #[test]
    fn sine_and_cosine_never_vanish_together() {
        let m = Expr::from(Symbol::constant("m").with_sign(Sign::Positive));
        let (x, y) = (
            Expr::from(Symbol::variable("x")),
            Expr::from(Symbol::variable("y")),
        );
        let (s, c) = (x.sin().powi(2), x.cos().powi(2));
        assert!((&m * &s + 2 * &c).is_nonvanishing());
        assert!((-(&m * &s) - &m * c.powi(2) - y.powi(2)).is_nonvanishing());
        assert!(!(&m * &s - &c).is_nonvanishing());
        assert!(!(&s * y.powi(2) + &c).is_nonvanishing());
        assert!(!(&s + y.cos().powi(2)).is_nonvanishing());
    }
}
