//! Lowest terms: common factors of a numerator and its denominators, modulo the relations.

use super::circle::{HalfAngle, from_half_angle, least_power};
use super::fraction::Fraction;
use super::generator::Pair;
use super::ring::Ring;
use crate::budget::TooLarge;
use crate::polynomial::Polynomial;
use dashu::integer::{IBig, UBig};

impl Fraction {
    /// The same value in lowest terms.
    pub(crate) fn cancelled(self, ring: &Ring) -> Result<Self, TooLarge> {
        let mut all = Self {
            denominator: Vec::new(),
            ..self
        };
        let mut open = self.denominator;
        open.sort_by_key(|(f, _)| f.len());
        while let Some((factor, e)) = open.pop() {
            if all.is_zero() {
                return Ok(all);
            }
            match common(&all.numerator, &factor, ring)? {
                None => all.divide_by(factor, e),
                Some(split) => {
                    all.numerator = split.numerator;
                    all.unit *= split.unit;
                    if e > 1 {
                        open.push((factor, e - 1));
                    }
                    for f in split.denominator {
                        all.divide_by_reduced(f);
                    }
                }
            }
        }
        Ok(all.tidy())
    }

    /// A denominator that has nothing in common with the numerator any more.
    fn divide_by_reduced(&mut self, f: Polynomial) {
        let content = f.content();
        let f = if f.is_negative() {
            self.numerator = self.numerator.negated();
            f.negated()
        } else {
            f
        };
        let core = f.unscaled(&content);
        self.unit *= content;
        if !core.is_one() {
            self.divide_by(core, 1);
        }
    }
}

/// `numerator / (unit·Π denominator)`.
struct Split {
    numerator: Polynomial,
    unit: UBig,
    denominator: Vec<Polynomial>,
}

/// What is left of numerator/factor after cancellation; `None` if nothing cancels.
fn common(
    numerator: &Polynomial,
    factor: &Polynomial,
    ring: &Ring,
) -> Result<Option<Split>, TooLarge> {
    let meter = &ring.meter;
    if let Some(q) = numerator.divide(factor, meter)? {
        return Ok(Some(Split {
            numerator: q,
            unit: UBig::ONE,
            denominator: Vec::new(),
        }));
    }
    let involved = |p: &&Pair| factor.degree(p.cosine) > 0 || factor.degree(p.sine) > 0;
    let pairs: Vec<Pair> = ring.pairs.iter().filter(involved).copied().collect();
    if !pairs.is_empty() {
        return common_in_half_angles(numerator, factor, &pairs, ring);
    }
    let g = numerator.gcd(factor, meter)?;
    if g.as_constant().is_some() {
        return Ok(None);
    }
    let (Some(numerator), Some(rest)) = (numerator.divide(&g, meter)?, factor.divide(&g, meter)?)
    else {
        return Ok(None);
    };
    Ok(Some(Split {
        numerator,
        unit: UBig::ONE,
        denominator: vec![rest],
    }))
}

/// The same with every pair of the factor written in its half angle.
fn common_in_half_angles(
    numerator: &Polynomial,
    factor: &Polynomial,
    pairs: &[Pair],
    ring: &Ring,
) -> Result<Option<Split>, TooLarge> {
    let meter = &ring.meter;
    let mut top = numerator.clone();
    let mut bottom = factor.clone();
    // numerator/factor = top/bottom · 2^twos · Π unit^power.
    let mut powers = Vec::with_capacity(pairs.len());
    let mut twos = 0i64;
    for &pair in pairs {
        let (t, a) = HalfAngle::new(&top, pair, ring)?;
        let (b, c) = HalfAngle::new(&bottom, pair, ring)?;
        let (t, b) = (t.strip(pair, ring)?, b.strip(pair, ring)?);
        twos += i64::from(c) - i64::from(a);
        powers.push(b.power - t.power);
        (top, bottom) = (t.polynomial, b.polynomial);
    }
    let g = top.gcd(&bottom, meter)?;
    if g.as_constant().is_some() {
        return Ok(None);
    }
    let (Some(mut top), Some(mut bottom)) = (top.divide(&g, meter)?, bottom.divide(&g, meter)?)
    else {
        return Ok(None);
    };
    let mut denominator = Vec::new();
    for (&pair, &power) in pairs.iter().zip(&powers) {
        let below = least_power(&bottom, pair);
        // top·u^power/bottom = (top/u^above)·u^lift/(bottom/u^below), with u^-1 ~ (1 + cos)/2.
        let above = least_power(&top, pair).max(below - power);
        let lift = above - below + power;
        bottom = from_half_angle(&bottom, below as u32, pair, ring)?;
        top = from_half_angle(&top, above as u32, pair, ring)?;
        twos += below - above;
        for _ in 0..lift {
            // u = 2/(1 + cos), or for the hyperbolic pair t = cosh + sinh.
            let c = ring.generator(pair.cosine);
            if pair.hyperbolic {
                top = ring.times(&top, &c.plus(&ring.generator(pair.sine)))?;
            } else {
                denominator.push(c.plus(&ring.constant(1)));
                twos += 1;
            }
        }
    }
    denominator.push(bottom);
    let (mut numerator, mut unit) = (top, UBig::ONE);
    if twos >= 0 {
        numerator = numerator.scaled(&IBig::from(2).pow(twos as usize));
    } else {
        unit = UBig::from(2u8).pow(twos.unsigned_abs() as usize);
    }
    Ok(Some(Split {
        numerator,
        unit,
        denominator,
    }))
}
