//! Sums of logarithms, and sums of inverse functions of numbers: zero by a relation between their arguments.

use super::linear_form::linear_form;
use super::rewrite::direction;
use super::witness::enclose;
use super::{Verdict, prove_zero};
use crate::hash::Map;
use crate::node::Kind;
use crate::power::logarithmic_term;
use crate::{Expr, Rational};

/// More terms than this are not looked at.
const MAX_TERMS: usize = 40;
/// Larger expressions neither: arguments are asked about in turn, level by level.
const MAX_NODES: usize = 400;
/// Powers of arguments beyond this are not looked at.
const MAX_POWER: i64 = 60;

/// Is the expression shown to be zero by such a relation?
pub(super) fn vanishes(e: &Expr) -> bool {
    if e.node_count() > MAX_NODES {
        return false;
    }
    let terms = linear_form(e);
    terms.len() <= MAX_TERMS && (sum_of_logarithms(&terms) || sum_of_angles(e, &terms))
}

/// Σ mⱼ Σᵢ qᵢ log uᵢ + rest with Π uᵢ^qᵢ = 1 for every cofactor mⱼ, the rest being the logarithm of its exponential.
/// Where the logarithms exist all uᵢ are positive, so that no branch is at stake.
fn sum_of_logarithms(terms: &[(Expr, Rational)]) -> bool {
    let mut groups: Map<Expr, Vec<(Expr, Rational)>> = Map::default();
    let mut rest = Vec::new();
    for (m, q) in terms {
        match logarithmic_term(m) {
            Some((u, cofactor)) => {
                let (c, cofactor) = cofactor.split_coefficient();
                groups.entry(cofactor).or_default().push((u, &c * q));
            }
            None => rest.push((m.clone(), q.clone())),
        }
    }
    if groups.is_empty() {
        return false;
    }
    let rest = Expr::linear_combination(rest);
    if !rest.is_zero() {
        let without_cofactor = groups.entry(Expr::one()).or_default();
        without_cofactor.push((rest.exp(), Rational::ONE));
    }
    groups.into_values().all(|group| {
        let Some(whole) = integers(group.iter().map(|(_, q)| q)) else {
            return false;
        };
        let factors = group.into_iter().zip(whole);
        let product = Expr::power_product(factors.map(|((u, _), k)| (u, k.into())));
        matches!(prove_zero(&(product - 1)), Verdict::Proven { .. })
    })
}

/// A number Σ qᵢ θᵢ + q π with inverse functions θᵢ: N times it is a multiple of 2π if a product of unit
/// complex numbers is 1, and it is zero if its value is below 2π/N.
fn sum_of_angles(e: &Expr, terms: &[(Expr, Rational)]) -> bool {
    if !e.free_symbols().is_empty() || terms.iter().any(|(m, _)| !is_angle(m)) {
        return false;
    }
    let Some(whole) = integers(terms.iter().map(|(_, q)| q)) else {
        return false;
    };
    let n = match (whole.first(), terms.first()) {
        (Some(&k), Some((_, q))) => match (&Rational::from(k) / q).as_integer() {
            Some(n) => n,
            None => return false,
        },
        _ => return false,
    };
    let multiple = Expr::linear_combination(
        terms
            .iter()
            .zip(&whole)
            .map(|((m, _), &k)| (m.clone(), k.into())),
    );
    let Some((cosine, sine)) = direction(&multiple) else {
        return false;
    };
    let turns = [cosine - 1, sine].iter().all(|e| prove_zero(e).is_proven());
    // |e| < 6/N < 2π/N.
    let small = enclose(e).is_some_and(|x| x.low.abs().max(x.high.abs()) * (n.abs() as f64) < 6.0);
    turns && small
}

fn is_angle(m: &Expr) -> bool {
    use crate::Function::{Acos, Asin, Atan, Atan2};
    match m.kind() {
        Kind::Pi => true,
        Kind::Function(f, _) => matches!(f, Asin | Acos | Atan | Atan2),
        _ => false,
    }
}

/// The smallest integers in the proportion of some rationals, signs kept.
fn integers<'r>(all: impl Iterator<Item = &'r Rational> + Clone) -> Option<Vec<i64>> {
    let unit = all.clone().fold(Rational::ZERO, |g, q| g.gcd(q));
    let scale = unit.recip()?;
    all.map(|q| (q * &scale).as_integer().filter(|k| k.abs() <= MAX_POWER))
        .collect()
}
