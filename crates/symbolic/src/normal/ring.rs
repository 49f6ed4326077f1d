//! The polynomial ring that a set of expressions lives in, with the relations of its generators.

use super::fraction::Fraction;
use super::generator::{Depth, Generator, Pair};
use crate::budget::{Meter, TooLarge};
use crate::polynomial::{Polynomial, monomial};
use crate::{Expr, Rational};
use dashu::integer::IBig;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::rc::Rc;

/// `generator^power = value`, the value free of the generator.
pub(crate) struct Relation {
    pub(crate) generator: usize,
    pub(crate) power: u32,
    pub(crate) value: Polynomial,
}

/// Generators and relations. Reduced polynomials stay below the power of each relation.
pub(crate) struct Ring {
    pub(crate) depth: Depth,
    pub(crate) generators: Vec<Generator>,
    /// Later ones may use the generators of earlier ones, not the other way round.
    pub(crate) relations: Vec<Relation>,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) words: usize,
    /// Shared with the rings of the arguments: all draw from one budget.
    pub(crate) meter: Rc<Meter>,
}

impl Ring {
    pub(crate) fn constant(&self, n: i64) -> Polynomial {
        Polynomial::constant(self.words, IBig::from(n))
    }

    pub(crate) fn generator(&self, i: usize) -> Polynomial {
        Polynomial::generator(self.words, i, 1)
    }

    /// The relation of a generator.
    pub(crate) fn relation(&self, generator: usize) -> Option<&Relation> {
        self.relations.iter().find(|r| r.generator == generator)
    }

    /// Powers of related generators replaced until none is left.
    pub(crate) fn reduce(&self, p: Polynomial) -> Result<Polynomial, TooLarge> {
        let mut p = p;
        let mut degrees = p.degrees();
        for r in self.relations.iter().rev() {
            if monomial::exponent(&degrees, r.generator) >= r.power {
                p = self.apply(r, &p)?;
                degrees = p.degrees();
            }
        }
        Ok(p)
    }

    /// Σ pₑ gᵉ with gᵉ = value^(e div power)·g^(e mod power).
    fn apply(&self, r: &Relation, p: &Polynomial) -> Result<Polynomial, TooLarge> {
        let power = r.power as usize;
        let parts = p.split(r.generator);
        let mut low = vec![Polynomial::zero(self.words); power];
        let mut factor = self.constant(1);
        for (q, chunk) in parts.chunks(power).enumerate() {
            if q > 0 {
                factor = factor.times(&r.value, &self.meter)?;
            }
            for (i, part) in chunk.iter().enumerate().filter(|(_, p)| !p.is_zero()) {
                let sum = std::mem::replace(&mut low[i], Polynomial::zero(self.words));
                low[i] = sum.joined(part.times(&factor, &self.meter)?);
            }
        }
        let mut all = Polynomial::zero(self.words);
        for (i, part) in low.iter().enumerate() {
            let g = Polynomial::generator(self.words, r.generator, i as u32);
            all = all.joined(part.shifted(g.monomial(0))?);
        }
        Ok(all)
    }

    /// The reduced product.
    pub(crate) fn times(&self, a: &Polynomial, b: &Polynomial) -> Result<Polynomial, TooLarge> {
        if a.is_one() {
            return Ok(b.clone());
        }
        if b.is_one() {
            return Ok(a.clone());
        }
        self.reduce(a.times(b, &self.meter)?)
    }

    /// A reduced power.
    pub(crate) fn power(&self, p: &Polynomial, e: u32) -> Result<Polynomial, TooLarge> {
        let mut all = self.constant(1);
        for _ in 0..e {
            all = self.times(&all, p)?;
        }
        Ok(all)
    }

    /// The expression of a polynomial.
    pub(crate) fn expression(&self, p: &Polynomial) -> Expr {
        let p = &self.folded(p);
        Expr::linear_combination(p.terms().map(|(m, c)| {
            let powers = self.generators.iter().enumerate().flat_map(|(i, g)| {
                let e = Rational::from(i64::from(monomial::exponent(m, i)));
                let present = if e.is_zero() { &[] } else { &g.factors[..] };
                present.iter().map(move |(b, r)| (b.clone(), r * &e))
            });
            (Expr::power_product(powers), Rational::from(c.clone()))
        }))
    }

    /// Terms b - b cos² become b sin² again: shorter, though no longer reduced.
    fn folded(&self, p: &Polynomial) -> Polynomial {
        let mut p = p.clone();
        for pair in &self.pairs {
            if p.degree(pair.cosine) >= 2 {
                p = self.fold(*pair, &p);
            }
        }
        p
    }

    fn fold(&self, pair: Pair, p: &Polynomial) -> Polynomial {
        let mut terms: BTreeMap<Vec<u64>, IBig> =
            p.terms().map(|(m, c)| (m.to_vec(), c.clone())).collect();
        // From the highest cosines down, so that cos⁴ - cos² folds before what it leaves.
        let mut open: Vec<Vec<u64>> = terms.keys().rev().cloned().collect();
        open.sort_by_key(|m| Reverse(monomial::exponent(m, pair.cosine)));
        for m in open {
            let e = monomial::exponent(&m, pair.cosine);
            let s = monomial::exponent(&m, pair.sine);
            if e < 2 || s + 2 > monomial::MAX_EXPONENT {
                continue;
            }
            let mut below = m.clone();
            monomial::set_exponent(&mut below, pair.cosine, e - 2);
            let (Some(a), Some(b)) = (terms.get(&m), terms.get(&below)) else {
                continue;
            };
            if *a != -b.clone() {
                continue;
            }
            // b(1 - cos²) = b sin², and a(cosh² - 1) = a sinh².
            let c = if pair.hyperbolic { a } else { b }.clone();
            terms.remove(&m);
            terms.remove(&below);
            let mut square = below;
            monomial::set_exponent(&mut square, pair.sine, s + 2);
            *terms.entry(square).or_insert(IBig::ZERO) += c;
        }
        Polynomial::collect(self.words, terms)
    }

    /// The expression of a fraction, each term of the numerator over the denominator.
    pub(crate) fn spread(&self, f: &Fraction) -> Expr {
        let unit = Rational::from_parts(IBig::ONE, f.unit.clone());
        let below = self.quotient(&Fraction {
            numerator: self.constant(1),
            unit: dashu::integer::UBig::ONE,
            denominator: f.denominator.clone(),
        });
        let sum = self.expression(&f.numerator);
        match sum.kind() {
            crate::Kind::Sum(c, terms) if !below.is_one() || !unit.is_one() => {
                let items = terms.iter().map(|(t, w)| (t * &below, w * &unit));
                let constant = (below.clone(), c * &unit);
                Expr::linear_combination(items.chain([constant]))
            }
            _ => Expr::from(unit) * sum * below,
        }
    }

    /// The expression of a fraction: one quotient, the denominator in factors.
    pub(crate) fn quotient(&self, f: &Fraction) -> Expr {
        let unit = Rational::from_parts(IBig::ONE, f.unit.clone());
        let numerator = (self.expression(&f.numerator), Rational::ONE);
        let factors = f
            .denominator
            .iter()
            .map(|(p, e)| (self.expression(p), Rational::from(-i64::from(*e))));
        Expr::power_product(
            [(unit.into(), Rational::ONE), numerator]
                .into_iter()
                .chain(factors),
        )
    }
}
