//! Arguments of sine and exponential as rational combinations of monomials.
//!
//! sin(Σ qᵢ mᵢ) is a polynomial in the sines and cosines of mᵢ/dᵢ, where dᵢ is the least common
//! denominator with which the monomial mᵢ occurs anywhere. Distinct monomials get independent angles.

use super::field::gcd;
use crate::hash::Map;
use crate::node::Kind;
use crate::{Expr, Rational};

/// Steps of distribution before an argument is taken as it stands. It stays correct, just less apt to cancel.
const BUDGET: usize = 2000;

/// `e = Σ coefficient·monomial`, products of sums multiplied out; the constant is a multiple of 1.
pub(crate) fn linear_form(e: &Expr) -> Vec<(Expr, Rational)> {
    if let Some(simple) = undistributed(e) {
        return simple;
    }
    let expanded = distribute(e).unwrap_or_else(|| e.clone());
    undistributed(&expanded).unwrap_or_else(|| split(&expanded))
}

fn split(e: &Expr) -> Vec<(Expr, Rational)> {
    match e.kind() {
        Kind::Number(r) if r.is_zero() => Vec::new(),
        Kind::Number(r) => vec![(Expr::one(), r.clone())],
        Kind::Scaled(c, x) => vec![(x.clone(), c.clone())],
        Kind::Sum(c, terms) => {
            let mut all = terms.to_vec();
            if !c.is_zero() {
                all.push((Expr::one(), c.clone()));
            }
            all
        }
        _ => vec![(e.clone(), Rational::ONE)],
    }
}

/// The split of `e`, if nothing is left to multiply out.
fn undistributed(e: &Expr) -> Option<Vec<(Expr, Rational)>> {
    let all = split(e);
    let flat = all.iter().all(|(m, _)| sum_factor(m).is_none());
    flat.then_some(all)
}

/// The index of a factor that is a positive integer power of a sum.
fn sum_factor(m: &Expr) -> Option<usize> {
    match m.kind() {
        Kind::Product(factors) => factors.iter().position(|(b, r)| {
            matches!(b.kind(), Kind::Sum(..)) && r.is_positive() && r.is_integer()
        }),
        _ => None,
    }
}

/// Multiplies products of sums out; `None` when that takes too long.
pub(crate) fn distribute(e: &Expr) -> Option<Expr> {
    let mut open = split(e);
    let mut closed = Vec::new();
    let mut steps = 0;
    while let Some((m, c)) = open.pop() {
        steps += 1;
        if steps > BUDGET {
            return None;
        }
        let (Kind::Product(factors), Some(i)) = (m.kind(), sum_factor(&m)) else {
            closed.push((m, c));
            continue;
        };
        let mut rest = factors.to_vec();
        rest[i].1 = &rest[i].1 - &Rational::ONE;
        let rest = Expr::power_product(rest);
        for (t, k) in split(&factors[i].0) {
            let k = &k * &c;
            open.extend(split(&(t * &rest)).into_iter().map(|(m, q)| (m, &q * &k)));
        }
    }
    Some(Expr::linear_combination(closed))
}

/// Monomials with the least common denominators of their coefficients, and the combinations seen.
#[derive(Default)]
pub(crate) struct Lattice {
    /// All monomials are divided by this at least.
    unit: i64,
    atoms: Map<Expr, usize>,
    denominators: Vec<i64>,
    forms: Vec<Vec<(usize, Rational)>>,
}

impl Lattice {
    /// All monomials are divided by `unit` at least.
    pub(crate) fn of_parts(unit: i64) -> Self {
        Self {
            unit,
            ..Self::default()
        }
    }

    /// Registers a combination; `None` if a denominator is beyond machine integers.
    pub(crate) fn add(&mut self, form: Vec<(Expr, Rational)>) -> Option<usize> {
        let mut indexed = Vec::with_capacity(form.len());
        for (m, q) in form {
            let next = self.atoms.len();
            let i = *self.atoms.entry(m).or_insert(next);
            if i == self.denominators.len() {
                self.denominators.push(self.unit.max(1));
            }
            let (_, d) = q.as_small()?;
            let old = self.denominators[i];
            self.denominators[i] =
                (d / gcd(old.unsigned_abs(), d.unsigned_abs()) as i64).checked_mul(old)?;
            indexed.push((i, q));
        }
        self.forms.push(indexed);
        Some(self.forms.len() - 1)
    }

    /// Are the combinations linearly independent over the rationals?
    pub(crate) fn is_independent(&self) -> bool {
        // Gaussian elimination on sparse rows, each kept with its pivot.
        let mut echelon: Vec<(usize, Vec<(usize, Rational)>)> = Vec::new();
        for form in &self.forms {
            let mut row: Map<usize, Rational> = form.iter().cloned().collect();
            for (pivot, other) in &echelon {
                let Some(lead) = row.get(pivot).cloned() else {
                    continue;
                };
                for (j, c) in other {
                    let entry = row.entry(*j).or_insert(Rational::ZERO);
                    *entry = &*entry - &(&lead * c);
                }
                row.retain(|_, c| !c.is_zero());
            }
            let mut row: Vec<(usize, Rational)> = row.into_iter().collect();
            row.sort_by_key(|(j, _)| *j);
            let Some(inverse) = row.first().and_then(|(_, c)| c.recip()) else {
                return false;
            };
            row.iter_mut().for_each(|(_, c)| *c = &*c * &inverse);
            echelon.push((row[0].0, row));
        }
        true
    }

    /// The number of independent monomials.
    pub(crate) fn atoms(&self) -> usize {
        self.denominators.len()
    }

    /// The arguments monomial/denominator that all combinations are multiples of.
    pub(crate) fn arguments(&self) -> Vec<Expr> {
        let mut all: Vec<(&Expr, usize)> = self.atoms.iter().map(|(m, i)| (m, *i)).collect();
        all.sort_by_key(|(_, i)| *i);
        let argument = |(m, i): (&Expr, usize)| m * &Expr::ratio(1, self.denominators[i]);
        all.into_iter().map(argument).collect()
    }

    /// The combinations as integer multiples of monomial/denominator.
    pub(crate) fn multiples(&self) -> Option<Vec<Vec<(usize, i64)>>> {
        let multiple = |(i, q): &(usize, Rational)| {
            let k = q * &Rational::from(self.denominators[*i]);
            k.as_integer().map(|k| (*i, k))
        };
        self.forms
            .iter()
            .map(|form| form.iter().map(multiple).collect())
            .collect()
    }
}
