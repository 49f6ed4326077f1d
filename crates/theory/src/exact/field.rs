//! Values of expressions modulo a prime, at points that share the values of their parameters.
//!
//! A value here is the image under a ring homomorphism: sine and cosine go to points of the circle,
//! square roots to roots. Functions without algebraic relations go to unrelated elements, so that a
//! relation may be missed, but what is found is proven afterwards anyway.

use rattleback_symbolic::{Expr, Function, Kind, Map, Rational, Role, Symbol, postorder};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The Mersenne prime 2^61 − 1; −1 is no square modulo it.
const P: u64 = (1 << 61) - 1;

pub(super) fn add(a: u64, b: u64) -> u64 {
    let s = a + b;
    if s >= P { s - P } else { s }
}

pub(super) fn negate(a: u64) -> u64 {
    if a == 0 { 0 } else { P - a }
}

pub(super) fn mul(a: u64, b: u64) -> u64 {
    let t = u128::from(a) * u128::from(b);
    let s = (t as u64 & P) + (t >> 61) as u64;
    if s >= P { s - P } else { s }
}

fn power(mut base: u64, mut e: u64) -> u64 {
    let mut result = 1;
    while e > 0 {
        if e & 1 == 1 {
            result = mul(result, base);
        }
        base = mul(base, base);
        e >>= 1;
    }
    result
}

pub(super) fn inverse(a: u64) -> Option<u64> {
    (a != 0).then(|| power(a, P - 2))
}

fn square_root(a: u64) -> Option<u64> {
    let root = power(a, P.div_ceil(4));
    (mul(root, root) == a).then_some(root)
}

fn rational(r: &Rational) -> Option<u64> {
    let (n, d) = r.as_small()?;
    let sign = |x: i64| {
        let size = x.unsigned_abs() % P;
        if x < 0 { negate(size) } else { size }
    };
    Some(mul(sign(n), inverse(sign(d))?))
}

/// The fraction n/d with small n and d that an element is the image of.
pub(super) fn small_fraction(x: u64) -> Option<Rational> {
    const SMALL: i128 = 1 << 20;
    let (mut r0, mut r1) = (i128::from(P), i128::from(x));
    let (mut t0, mut t1) = (0i128, 1i128);
    while r1.abs() >= SMALL {
        let q = r0 / r1;
        (r0, r1) = (r1, r0 - q * r1);
        (t0, t1) = (t1, t0 - q * t1);
    }
    let small = t1 != 0 && t1.abs() < SMALL;
    small.then(|| Rational::new(r1 as i64 * t1.signum() as i64, t1.abs() as i64))
}

/// A point: variables differ from point to point, parameters do not.
pub(super) struct Point {
    number: u64,
}

/// Angles are taken from this fraction of them, so that their halves and thirds exist.
const ANGLE_UNIT: i64 = 12;

impl Point {
    pub(super) fn new(number: u64) -> Self {
        Self { number }
    }

    fn element(&self, what: &str, key: &impl Hash, moves: bool) -> u64 {
        let mut h = DefaultHasher::new();
        (what, key, if moves { self.number + 1 } else { 0 }).hash(&mut h);
        h.finish() % P
    }

    fn symbol(&self, s: &Symbol) -> u64 {
        self.element("symbol", &s.to_string(), s.role() != Role::Constant)
    }

    fn atom(&self, what: &str, e: &Expr) -> u64 {
        let moves = e.free_symbols().iter().any(|s| s.role() != Role::Constant);
        self.element(what, e, moves)
    }

    /// (cos, sin) of one unit of an angle.
    fn unit_angle(&self, atom: &Expr) -> Option<(u64, u64)> {
        let u = self.atom("angle", atom);
        let square = mul(u, u);
        let d = inverse(add(1, square))?;
        Some((mul(add(1, negate(square)), d), mul(mul(2, u), d)))
    }

    /// (cos, sin) of Σ coefficient·atom.
    fn angle(&self, e: &Expr) -> Option<(u64, u64)> {
        let turn = |(c, s): (u64, u64), (d, t): (u64, u64)| {
            (add(mul(c, d), negate(mul(s, t))), add(mul(c, t), mul(s, d)))
        };
        let mut total = (1, 0);
        for (atom, weight) in linear_form(e) {
            let k = (&weight * &Rational::from(ANGLE_UNIT)).as_integer()?;
            if k.abs() > 1000 {
                return None;
            }
            let (c, s) = self.unit_angle(&atom)?;
            let unit = if k < 0 { (c, negate(s)) } else { (c, s) };
            for _ in 0..k.abs() {
                total = turn(total, unit);
            }
        }
        Some(total)
    }

    /// exp(Σ coefficient·atom).
    fn exponential(&self, e: &Expr) -> Option<u64> {
        let mut total = 1;
        for (atom, weight) in linear_form(e) {
            let k = (&weight * &Rational::from(ANGLE_UNIT)).as_integer()?;
            let unit = self.atom("exponential", &atom);
            let unit = if k < 0 { inverse(unit)? } else { unit };
            total = mul(total, power(unit, k.unsigned_abs()));
        }
        Some(total)
    }

    fn function(&self, f: Function, x: &[Expr], whole: &Expr) -> Option<u64> {
        let half = inverse(2)?;
        match f {
            Function::Cos => match self.angle(&x[0]) {
                Some((cosine, _)) => Some(cosine),
                None => Some(self.atom("function", whole)),
            },
            Function::Sin => match self.angle(&x[0]) {
                Some((_, sine)) => Some(sine),
                None => Some(self.atom("function", whole)),
            },
            Function::Exp => match self.exponential(&x[0]) {
                Some(value) => Some(value),
                None => Some(self.atom("function", whole)),
            },
            Function::Cosh | Function::Sinh => {
                let up = self.exponential(&x[0])?;
                let down = inverse(up)?;
                let down = if f == Function::Sinh {
                    negate(down)
                } else {
                    down
                };
                Some(mul(half, add(up, down)))
            }
            _ => Some(self.atom("function", whole)),
        }
    }

    fn power(base: u64, r: &Rational) -> Option<u64> {
        let (n, d) = r.as_small()?;
        let root = match d {
            1 => base,
            2 => square_root(base)?,
            _ => return None,
        };
        let root = if n < 0 { inverse(root)? } else { root };
        Some(power(root, n.unsigned_abs()))
    }

    /// The values of all expressions here; `None` at a pole or where a root is missing.
    pub(super) fn values(&self, all: &[Expr]) -> Option<Vec<u64>> {
        let mut known: Map<Expr, u64> = Map::default();
        for e in postorder(all, |_| true) {
            let of = |x: &Expr| known.get(x).copied();
            let value = match e.kind() {
                Kind::Number(r) => rational(r)?,
                Kind::Pi => self.element("pi", &0, false),
                Kind::Undefined => return None,
                Kind::Symbol(s) => self.symbol(s),
                Kind::Scaled(c, x) => mul(rational(c)?, of(x)?),
                Kind::Sum(c, terms) => {
                    let mut total = rational(c)?;
                    for (t, c) in terms {
                        total = add(total, mul(of(t)?, rational(c)?));
                    }
                    total
                }
                Kind::Product(factors) => {
                    let mut total = 1;
                    for (b, r) in factors {
                        total = mul(total, Self::power(of(b)?, r)?);
                    }
                    total
                }
                Kind::Function(f, x) => self.function(*f, x, &e)?,
            };
            known.insert(e, value);
        }
        all.iter().map(|e| known.get(e).copied()).collect()
    }
}

/// An expression as Σ coefficient·atom; the number 1 is the atom of its constant part.
fn linear_form(e: &Expr) -> Vec<(Expr, Rational)> {
    let constant = |c: &Rational| (!c.is_zero()).then(|| (Expr::one(), c.clone()));
    match e.kind() {
        Kind::Number(r) => constant(r).into_iter().collect(),
        Kind::Sum(c, terms) => terms.iter().cloned().chain(constant(c)).collect(),
        Kind::Scaled(c, x) => vec![(x.clone(), c.clone())],
        _ => vec![(e.clone(), Rational::ONE)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_survive() {
        let [x, y] = ["x", "y"].map(|n| Expr::from(Symbol::variable(n)));
        let zeros = [
            x.sin().powi(2) + x.cos().powi(2) - 1,
            (&x + 2 * &y).sin() - x.sin() * (2 * &y).cos() - x.cos() * (2 * &y).sin(),
            (&x / 2).cos().powi(2) * 2 - 1 - x.cos(),
            (&x + &y).exp() - x.exp() * y.exp(),
            x.cosh().powi(2) - x.sinh().powi(2) - 1,
        ];
        assert_eq!(Point::new(3).values(&zeros), Some(vec![0; 5]));
    }

    #[test]
    fn fractions_come_back() {
        for (n, d) in [(1, 2), (-3, 7), (0, 1), (12, 1), (-1, 1)] {
            let r = Rational::new(n, d);
            assert_eq!(rational(&r).and_then(small_fraction), Some(r));
        }
    }

    #[test]
    fn parameters_stay_and_variables_move() {
        let (a, x) = (Symbol::constant("a").into(), Symbol::variable("x").into());
        let at = |k| Point::new(k).values(&[Expr::clone(&a), Expr::clone(&x)]);
        let (first, second) = (at(0).unwrap_or_default(), at(1).unwrap_or_default());
        assert_eq!(first[0], second[0]);
        assert_ne!(first[1], second[1]);
    }
}
