//! Fractions of polynomials, denominators kept in factors.

use super::ring::Ring;
use crate::Rational;
use crate::budget::TooLarge;
use crate::polynomial::{Polynomial, monomial};
use dashu::base::Gcd;
use dashu::integer::{IBig, UBig};

/// A polynomial and its exponent.
pub(crate) type Factor = (Polynomial, u32);

/// `numerator / (unit · Π factor^exponent)`. Factors are primitive with positive leading coefficient.
#[derive(Clone, Debug)]
pub(crate) struct Fraction {
    pub(crate) numerator: Polynomial,
    pub(crate) unit: UBig,
    pub(crate) denominator: Vec<Factor>,
}

impl Fraction {
    pub(crate) fn from_polynomial(numerator: Polynomial) -> Self {
        Self {
            numerator,
            unit: UBig::ONE,
            denominator: Vec::new(),
        }
    }

    pub(crate) fn from_rational(words: usize, r: &Rational) -> Self {
        Self {
            numerator: Polynomial::constant(words, r.numerator()),
            unit: r.denominator(),
            denominator: Vec::new(),
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// Takes what numerator and unit have in common out.
    pub(crate) fn tidy(mut self) -> Self {
        if self.unit != UBig::ONE {
            let common = self.numerator.content().gcd(&self.unit);
            if common != UBig::ONE {
                self.numerator = self.numerator.unscaled(&common);
                self.unit /= common;
            }
        }
        self
    }

    /// Divides denominators out that divide the numerator as they stand.
    fn reduce_factors(mut self, ring: &Ring) -> Result<Self, TooLarge> {
        if self.numerator.is_zero() {
            return Ok(Self::from_polynomial(self.numerator));
        }
        for (factor, e) in &mut self.denominator {
            while *e > 0
                && let Some(q) = self.numerator.divide(factor, &ring.meter)?
            {
                self.numerator = q;
                *e -= 1;
            }
        }
        self.denominator.retain(|(_, e)| *e > 0);
        Ok(self)
    }

    /// Times a rational number.
    pub(crate) fn scaled(&self, r: &Rational) -> Self {
        let mut all = self.clone();
        all.numerator = all.numerator.scaled(&r.numerator());
        all.unit *= r.denominator();
        all.tidy()
    }

    /// Multiplies the denominator by a power of a factor.
    pub(crate) fn divide_by(&mut self, factor: Polynomial, e: u32) {
        if e == 0 {
            return;
        }
        match self.denominator.iter_mut().find(|(f, _)| *f == factor) {
            Some((_, old)) => *old += e,
            None => self.denominator.push((factor, e)),
        }
    }

    pub(crate) fn times(&self, o: &Self, ring: &Ring) -> Result<Self, TooLarge> {
        let (mut a, mut b) = (self.clone(), o.clone());
        // What cancels crosswise never gets multiplied out.
        a.swap_denominators(&mut b);
        let (a, b) = (a.reduce_factors(ring)?, b.reduce_factors(ring)?);
        let mut all = Self {
            numerator: ring.times(&a.numerator, &b.numerator)?,
            unit: a.unit * b.unit,
            denominator: a.denominator,
        };
        for (factor, e) in b.denominator {
            all.divide_by(factor, e);
        }
        Ok(all.tidy())
    }

    fn swap_denominators(&mut self, o: &mut Self) {
        std::mem::swap(&mut self.denominator, &mut o.denominator);
        std::mem::swap(&mut self.unit, &mut o.unit);
    }

    /// `Σ weight·item` over a common denominator.
    pub(crate) fn sum(items: &[(&Fraction, Rational)], ring: &Ring) -> Result<Self, TooLarge> {
        let mut common: Vec<Factor> = Vec::new();
        let mut unit = UBig::ONE;
        for (f, w) in items {
            unit = lcm(unit, &f.unit * w.denominator());
            for (factor, e) in &f.denominator {
                match common.iter_mut().find(|(g, _)| g == factor) {
                    Some((_, old)) => *old = (*old).max(*e),
                    None => common.push((factor.clone(), *e)),
                }
            }
        }
        // Items over the same denominator are added before that is enlarged.
        let mut groups: Vec<(&[Factor], Vec<Polynomial>)> = Vec::new();
        for (f, w) in items {
            let scale = w.numerator() * IBig::from(&unit / (&f.unit * w.denominator()));
            let numerator = f.numerator.scaled(&scale);
            match groups.iter_mut().find(|(d, _)| *d == f.denominator) {
                Some((_, all)) => all.push(numerator),
                None => groups.push((&f.denominator, vec![numerator])),
            }
        }
        let alone = groups.len() == 1;
        let mut numerators = Vec::new();
        for (denominator, all) in groups {
            let mut numerator = add_all(ring.words, all);
            for (factor, e) in &common {
                let present = denominator.iter().find(|(g, _)| g == factor);
                for _ in present.map_or(0, |(_, e)| *e)..*e {
                    numerator = ring.times(&numerator, factor)?;
                }
            }
            numerators.push(numerator);
        }
        let all = Self {
            numerator: add_all(ring.words, numerators),
            unit,
            denominator: common,
        };
        ring.meter.admit(all.numerator.len())?;
        let all = all.tidy();
        if alone && all.denominator.is_empty() {
            return Ok(all);
        }
        all.reduce_factors(ring)
    }

    /// One over it; `None` for zero.
    pub(crate) fn inverse(&self, ring: &Ring) -> Result<Option<Self>, TooLarge> {
        if self.is_zero() {
            return Ok(None);
        }
        let content = self.numerator.content();
        let m = self.numerator.monomial_content();
        let sign = if self.numerator.is_negative() { -1 } else { 1 };
        let core = self.numerator.unscaled(&content).positive();
        let core = core.unshifted(&m).unwrap_or(core);
        let mut top = ring.constant(sign).scaled(&IBig::from(self.unit.clone()));
        for (factor, e) in &self.denominator {
            top = ring.times(&top, &ring.power(factor, *e)?)?;
        }
        let mut all = Self {
            numerator: top,
            unit: content,
            denominator: Vec::new(),
        };
        for generator in 0..ring.generators.len() {
            let e = monomial::exponent(&m, generator);
            if e > 0 {
                all.divide_by_generator(generator, e, ring)?;
            }
        }
        all.divide_by_core(core, ring)?;
        Ok(Some(all.tidy()))
    }

    /// A root below the line goes up: 1/r = r^(d-1)/radicand.
    fn divide_by_generator(&mut self, g: usize, e: u32, ring: &Ring) -> Result<(), TooLarge> {
        let paired = ring.pairs.iter().any(|p| p.sine == g);
        match ring.relation(g) {
            Some(r) if !paired => {
                if r.value.is_zero() {
                    return Err(TooLarge);
                }
                for _ in 0..e {
                    let up = Polynomial::generator(ring.words, g, r.power - 1);
                    self.numerator = ring.times(&self.numerator, &up)?;
                    let radicand = r.value.clone();
                    self.divide_by_polynomial(radicand);
                }
            }
            _ => self.divide_by(ring.generator(g), e),
        }
        Ok(())
    }

    /// Divides by any nonzero polynomial that needs no further thought.
    fn divide_by_polynomial(&mut self, p: Polynomial) {
        let content = p.content();
        if p.is_negative() {
            self.numerator = self.numerator.negated();
        }
        let core = p.positive().unscaled(&content);
        self.unit *= content;
        if !core.is_one() {
            self.divide_by(core, 1);
        }
    }

    /// Square roots in a denominator are removed with the conjugate: 1/(a + b r) = (a - b r)/(a² - b² r²).
    fn divide_by_core(&mut self, core: Polynomial, ring: &Ring) -> Result<(), TooLarge> {
        let mut core = core;
        for r in ring.relations.iter().rev() {
            let paired = ring.pairs.iter().any(|p| p.sine == r.generator);
            if paired || r.power != 2 || core.degree(r.generator) == 0 {
                continue;
            }
            let mut parts = core.split(r.generator).into_iter();
            let (Some(a), Some(b)) = (parts.next(), parts.next()) else {
                continue;
            };
            let root = ring.generator(r.generator);
            let conjugate = a.minus(&b.times(&root, &ring.meter)?);
            self.numerator = ring.times(&self.numerator, &conjugate)?;
            core = ring.times(&core, &conjugate)?;
            if core.is_zero() {
                // A divisor of zero, such as √(x²) - x: it has no inverse here.
                return Err(TooLarge);
            }
        }
        let m = core.monomial_content();
        let rest = core.unshifted(&m).unwrap_or_else(|| core.clone());
        for generator in 0..ring.generators.len() {
            self.divide_by(ring.generator(generator), monomial::exponent(&m, generator));
        }
        self.divide_by_polynomial(rest);
        Ok(())
    }

    /// An integer power; `None` for a negative power of zero.
    pub(crate) fn power(&self, k: i64, ring: &Ring) -> Result<Option<Self>, TooLarge> {
        let base = if k < 0 {
            match self.inverse(ring)? {
                Some(inverse) => inverse,
                None => return Ok(None),
            }
        } else {
            self.clone()
        };
        let e = u32::try_from(k.unsigned_abs()).map_err(|_| TooLarge)?;
        if e > 1000 {
            return Err(TooLarge);
        }
        let denominator = base.denominator.iter();
        Ok(Some(Self {
            numerator: ring.power(&base.numerator, e)?,
            unit: base.unit.pow(e as usize),
            denominator: denominator.map(|(f, k)| (f.clone(), k * e)).collect(),
        }))
    }

    pub(crate) fn negated(&self) -> Self {
        Self {
            numerator: self.numerator.negated(),
            ..self.clone()
        }
    }
}

fn lcm(a: UBig, b: UBig) -> UBig {
    let g = (&a).gcd(&b);
    a / g * b
}

/// The sum, merged pairwise so that long ones are not copied often.
fn add_all(words: usize, mut all: Vec<Polynomial>) -> Polynomial {
    while all.len() > 1 {
        let mut next = Vec::with_capacity(all.len().div_ceil(2));
        for pair in all.chunks(2) {
            next.push(match pair {
                [a, b] => a.plus(b),
                _ => pair[0].clone(),
            });
        }
        all = next;
    }
    all.pop().unwrap_or_else(|| Polynomial::zero(words))
}
