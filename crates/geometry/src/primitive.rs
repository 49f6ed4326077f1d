//! Common factors of the components of a vector.

use crate::proof::{Parametrization, constant_value, vanish_on};
use crate::tidy::tidy;
use rattleback_symbolic::{Budget, Expr, Function, Kind, Rational, normalize_within, postorder};
use std::collections::BTreeMap;

type Monomial = BTreeMap<Expr, Rational>;

/// Longer vectors keep factors that are not in plain sight: looking for them would cost too much.
const WORTH_DIVIDING: usize = 200;

/// Divides a vector by the common factor of its components: v = factor · result.
///
/// First the common factors of the simplified components, then the greatest common divisor that the
/// simplified ratios show, then sines and cosines at whose zeros all components vanish (sin²φ and
/// 1 + cos φ share a factor only through Pythagoras).
pub(crate) fn primitive(v: &[Expr], on: &Parametrization) -> (Vec<Expr>, Expr) {
    let short: Vec<Expr> = v.iter().map(tidy).collect();
    let (v, monomial) = divide_by_monomial(&short);
    if v.iter().map(Expr::node_count).sum::<usize>() > WORTH_DIVIDING {
        return (v, tidy(&monomial));
    }
    let (v, divisor) = divide_by_gcd(&v);
    let (v, circular) = divide_by_circular(&v, on);
    (v, tidy(&(monomial * divisor * circular)))
}

/// The factors of a term with their exponents, numbers left out.
fn monomial(term: &Expr) -> Monomial {
    let (_, core) = term.split_coefficient();
    match core.kind() {
        Kind::Number(_) => Monomial::new(),
        Kind::Product(factors) => factors.iter().cloned().collect(),
        _ => Monomial::from([(core, Rational::ONE)]),
    }
}

fn common(a: &Monomial, b: &Monomial) -> Monomial {
    a.iter()
        .filter_map(|(base, r)| Some((base.clone(), r.clone().min(b.get(base)?.clone()))))
        .collect()
}

/// The greatest monomial that divides every term of every component; what is in no denominator.
fn divide_by_monomial(v: &[Expr]) -> (Vec<Expr>, Expr) {
    let shared = v
        .iter()
        .filter(|e| !e.is_zero())
        .flat_map(Expr::terms)
        .map(|t| monomial(&t))
        .reduce(|a, b| common(&a, &b))
        .unwrap_or_default();
    let content = v
        .iter()
        .flat_map(Expr::terms)
        .map(|t| t.split_coefficient().0.abs())
        .reduce(|a, b| a.gcd(&b))
        .filter(|c| !c.is_zero())
        .unwrap_or(Rational::ONE);
    let factor = Expr::power_product(shared) * Expr::from(&content);
    let inverse = factor.recip();
    let divided = v
        .iter()
        .map(|e| Expr::sum(e.terms().iter().map(|t| t * &inverse)))
        .collect();
    (divided, factor)
}

/// Numerator and denominator as written.
pub(crate) fn split_fraction(e: &Expr) -> (Expr, Expr) {
    let (c, core) = e.split_coefficient();
    let Kind::Product(factors) = core.kind() else {
        return (e.clone(), Expr::one());
    };
    let (below, above): (Vec<_>, Vec<_>) =
        factors.iter().cloned().partition(|(_, r)| r.is_negative());
    let denominator = Expr::power_product(below.into_iter().map(|(b, r)| (b, -r)));
    let numerator = Expr::power_product(above) * Expr::from(&Rational::from(c.numerator()));
    let integer = Rational::from_parts(1.into(), c.denominator());
    let scale = integer.recip().map_or_else(Expr::one, Expr::from);
    (numerator, denominator * scale)
}

/// With L the common denominator of the v_i / v_j in lowest terms, v_i L / v_j has no common factor.
fn divide_by_gcd(v: &[Expr]) -> (Vec<Expr>, Expr) {
    quotient_by_gcd(v).unwrap_or_else(|| (v.to_vec(), Expr::one()))
}

/// `None` if there is nothing to divide by, or if finding out takes too long.
fn quotient_by_gcd(v: &[Expr]) -> Option<(Vec<Expr>, Expr)> {
    // The shortest component has the fewest divisors.
    let nonzero = v.iter().filter(|e| !e.is_zero());
    let pivot = nonzero.min_by_key(|e| e.node_count())?;
    if pivot.as_number().is_some() || v.iter().any(|e| e == &Expr::one()) {
        return None;
    }
    let mut multiple = Expr::one();
    for e in v {
        let ratio = normalize_within(&(e * &multiple / pivot), Budget::SMALL)?;
        multiple *= split_fraction(&ratio).1;
    }
    let factor = normalize_within(&(pivot / &multiple), Budget::SMALL)?;
    if factor.as_number().is_some() {
        return None;
    }
    let divided: Option<Vec<Expr>> = v
        .iter()
        .map(|e| normalize_within(&(e / &factor), Budget::SMALL))
        .collect();
    let divided: Vec<Expr> = divided?.iter().map(tidy).collect();
    let polynomial = divided
        .iter()
        .all(|e| split_fraction(e).1.as_number().is_some());
    polynomial.then_some((divided, tidy(&factor)))
}

/// The distinct sines and cosines of plain symbols in the expressions.
fn circular_functions(v: &[Expr]) -> Vec<(Function, Expr)> {
    postorder(v, |_| true)
        .iter()
        .filter_map(|e| match e.kind() {
            Kind::Function(f @ (Function::Sin | Function::Cos), x)
                if x[0].as_symbol().is_some() =>
            {
                Some((*f, x[0].clone()))
            }
            _ => None,
        })
        .collect()
}

/// Divides by sin u or cos u as long as every component vanishes where it does.
fn divide_by_circular(v: &[Expr], on: &Parametrization) -> (Vec<Expr>, Expr) {
    let mut v = v.to_vec();
    let mut factor = Expr::one();
    for (function, angle) in circular_functions(&v) {
        let Some(symbol) = angle.as_symbol() else {
            continue;
        };
        let zeros = match function {
            Function::Sin => [Expr::zero(), Expr::pi()],
            _ => [Expr::pi() / 2, -Expr::pi() / 2],
        };
        let f = function.apply(std::slice::from_ref(&angle));
        let divides = |v: &[Expr]| {
            v.iter().all(|e| {
                zeros.iter().all(|zero| {
                    vanish_on(&[e.substitute(&[(symbol.clone(), zero.clone())])], on).is_proven()
                })
            })
        };
        while divides(&v) {
            let quotient: Vec<Expr> = v.iter().map(|e| tidy(&(e / &f))).collect();
            if quotient.iter().any(|e| !split_fraction(e).1.is_one()) {
                break;
            }
            v = quotient;
            factor *= f.clone();
        }
    }
    (v, factor)
}

/// The distinct factors of a product, numbers and exponents left out.
pub(crate) fn factors(e: &Expr) -> Vec<Expr> {
    monomial(e).into_keys().collect()
}

/// Does the printed form start with a minus? Only short expressions are printed to find out: a
/// shared expression graph may be far longer on paper than in memory.
fn leading_sign_is_negative(e: &Expr) -> bool {
    match e.kind() {
        Kind::Number(r) => r.is_negative(),
        Kind::Scaled(c, _) => c.is_negative(),
        Kind::Sum(..) if e.node_count() <= 60 => e.to_string().starts_with(['-', '−']),
        _ => false,
    }
}

/// Scales a vector to what a person would write, and tells which component orders it.
///
/// The last constant component becomes 1, so that the quasi-velocity is that velocity; else a
/// component or a pair f cos u, f sin u with f ≠ 0 by assumption becomes 1 or (cos u, sin u), so
/// that the quasi-velocity is a speed; else the first component starts with a plus.
pub(crate) fn unit_scale(v: Vec<Expr>, on: &Parametrization) -> (usize, Vec<Expr>) {
    let last = v.iter().rposition(|e| !e.is_zero()).unwrap_or(0);
    let constant = (0..v.len())
        .rev()
        .find_map(|j| Some((j, constant_value(&v[j], on)?)));
    if let Some((j, c)) = constant {
        let mut scaled = divide(&v, &c);
        scaled[j] = Expr::one();
        return (j, scaled);
    }
    if let Some((j, f)) = circular_component(&v) {
        return (j, divide(&v, &f));
    }
    if let Some(j) = v.iter().rposition(Expr::is_nonvanishing) {
        return (j, divide(&v, &v[j]));
    }
    let negative = v
        .iter()
        .find(|e| !e.is_zero())
        .is_some_and(leading_sign_is_negative);
    let v = match negative {
        true => v.iter().map(|e| -e).collect(),
        false => v,
    };
    (last, v)
}

fn divide(v: &[Expr], f: &Expr) -> Vec<Expr> {
    let inverse = f.recip();
    v.iter()
        .map(|e| Expr::sum(e.terms().iter().map(|t| t * &inverse)))
        .collect()
}

/// The component f sin u and its factor f, if f cos u is a component too and f never vanishes.
fn circular_component(v: &[Expr]) -> Option<(usize, Expr)> {
    for (i, e) in v.iter().enumerate() {
        for base in monomial(e).into_keys() {
            let Kind::Function(Function::Cos, x) = base.kind() else {
                continue;
            };
            let f = e / &base;
            let partner = &f * x[0].sin();
            if let Some(j) = v.iter().position(|w| *w == partner || *w == -&partner)
                && f.is_nonvanishing()
            {
                return Some((i.max(j), f));
            }
        }
    }
    None
}

/// A function whose zeros are the common zeros of the components; none if they have none.
///
/// f cos u and f sin u vanish together exactly where f does, so such pairs are replaced by f first.
pub(crate) fn vanishing_locus(v: &[Expr]) -> Vec<Expr> {
    let mut generators: Vec<Monomial> = Vec::new();
    for e in v.iter().filter(|e| !e.is_zero()) {
        let factors = monomial(e).into_keys().filter(|f| !f.is_nonvanishing());
        let generator: Monomial = factors.map(|f| (f, Rational::ONE)).collect();
        if !generators.contains(&generator) {
            generators.push(generator);
        }
    }
    while let Some((i, j, joint)) = circular_pair(&generators) {
        generators.remove(j);
        generators[i] = joint;
    }
    if generators.iter().any(Monomial::is_empty) {
        return Vec::new();
    }
    let square = |g: &Monomial| Expr::power_product(g.clone()).powi(2);
    match generators.as_slice() {
        [] => Vec::new(),
        [single] => single.keys().cloned().collect(),
        several => vec![Expr::sum(several.iter().map(square))],
    }
}

/// Two generators f cos u and f sin u, with f.
fn circular_pair(generators: &[Monomial]) -> Option<(usize, usize, Monomial)> {
    let partner = |e: &Expr| match e.kind() {
        Kind::Function(Function::Cos, x) => Some(x[0].sin()),
        _ => None,
    };
    for (i, g) in generators.iter().enumerate() {
        for base in g.keys() {
            let Some(sine) = partner(base) else { continue };
            let mut rest = g.clone();
            rest.remove(base);
            let mut other = rest.clone();
            other.insert(sine, Rational::ONE);
            if let Some(j) = generators.iter().position(|h| *h == other) {
                let (first, second) = (i.min(j), i.max(j));
                return Some((first, second, rest));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_symbolic::{Sign, Symbol, expand, prove_all_zero};

    /// The factor is found, and the vector is divided by it.
    fn check(v: &[Expr], common: &Expr) {
        let hidden: Vec<Expr> = v.iter().map(|e| expand(&(e * common))).collect();
        let (divided, factor) = primitive(&hidden, &[]);
        let back: Vec<Expr> = divided
            .iter()
            .zip(&hidden)
            .map(|(e, whole)| e * &factor - whole)
            .collect();
        assert!(prove_all_zero(&back).is_proven());
        let ratio = tidy(&(&factor / common));
        assert!(ratio.as_number().is_some(), "{factor} instead of {common}");
    }

    #[test]
    fn common_factors_are_found() {
        let [x, y] = ["x", "y"].map(|n| Expr::from(Symbol::variable(n)));
        check(&[x.clone(), y.clone()], &(&x + &y * y.sin()));
        check(
            &[x.powi(2) + 1, y.sin(), Expr::zero()],
            &(&x * &y - 1).powi(2),
        );
        check(&[x.cos(), x.sin() * &y], &x.cos());
        check(&[y.cos(), &x + 1], &(x.sin() + y.cos()));
    }

    #[test]
    fn pythagoras_hides_no_factor() {
        let x = Expr::from(Symbol::variable("x"));
        let (v, factor) = primitive(&[1 - x.cos().powi(2), (2 * &x).sin()], &[]);
        assert!(prove_all_zero(&[&v[0] * &factor - x.sin().powi(2)]).is_proven());
        assert_eq!(factors(&factor), [x.sin()]);
    }

    #[test]
    fn scaling_prefers_speeds_and_velocities() {
        let x = Expr::from(Symbol::variable("x"));
        let r = Expr::from(Symbol::constant("r").with_sign(Sign::Positive));
        let (key, v) = unit_scale(vec![-2 * x.sin(), 2.into(), x.clone()], &[]);
        assert_eq!(
            (key, v[0].clone(), v[1].clone()),
            (1, -x.sin(), Expr::one())
        );
        let (key, v) = unit_scale(vec![&r * x.cos(), &r * x.sin(), x.clone()], &[]);
        assert_eq!((key, v[..2].to_vec()), (1, vec![x.cos(), x.sin()]));
        let (_, v) = unit_scale(vec![-&x, x.cos()], &[]);
        assert_eq!(v, [x.clone(), -x.cos()]);
    }

    #[test]
    fn common_zeros_of_circular_components() {
        let [x, y, z] = ["x", "y", "z"].map(|n| Expr::from(Symbol::variable(n)));
        let sphere = [x.cos() * y.cos(), x.cos() * y.sin(), x.sin()];
        assert!(vanishing_locus(&sphere).is_empty());
        assert_eq!(
            vanishing_locus(&[&z * y.cos(), &z * y.sin()]),
            std::slice::from_ref(&z)
        );
        assert_eq!(
            vanishing_locus(&[x.clone(), z.clone()]),
            [x.powi(2) + z.powi(2)]
        );
    }
}
