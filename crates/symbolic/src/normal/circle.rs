//! Half angles: where sine and cosine divide, t = tan(θ/2) does it without relations.
//!
//! cos θ = (1 - t²)/(1 + t²) and sin θ = 2t/(1 + t²); for the hyperbolic pair t = eˣ with
//! cosh x = (t² + 1)/2t and sinh x = (t² - 1)/2t. A polynomial of degree d in the pair becomes
//! p(t)/u^d with the unit u = 1 + t² or 2t, and back whenever p has at most degree 2d.

use super::generator::Pair;
use super::ring::Ring;
use crate::budget::TooLarge;
use crate::polynomial::{Polynomial, monomial};
use dashu::integer::IBig;

/// `polynomial / unit^power`; t takes the place of the pair's cosine.
pub(crate) struct HalfAngle {
    pub(crate) polynomial: Polynomial,
    pub(crate) power: i64,
}

/// The unit u of a pair.
pub(crate) fn unit(ring: &Ring, pair: Pair) -> Polynomial {
    let t = |e| Polynomial::generator(ring.words, pair.cosine, e);
    if pair.hyperbolic {
        t(1)
    } else {
        t(2).plus(&ring.constant(1))
    }
}

impl HalfAngle {
    /// Replaces the pair by t. The hyperbolic unit is t alone; its factor 2 goes into the polynomial's
    /// scale, which is given back as a power of two to divide by.
    pub(crate) fn new(p: &Polynomial, pair: Pair, ring: &Ring) -> Result<(Self, u32), TooLarge> {
        let words = ring.words;
        let mut degree = 0;
        let total =
            |m: &[u64]| monomial::exponent(m, pair.cosine) + monomial::exponent(m, pair.sine);
        for (m, _) in p.terms() {
            degree = degree.max(total(m));
        }
        let t = |e| Polynomial::generator(words, pair.cosine, e);
        let one = ring.constant(1);
        let (cosine, sine, unit) = if pair.hyperbolic {
            (
                t(2).plus(&one),
                t(2).minus(&one),
                t(1).scaled(&IBig::from(2)),
            )
        } else {
            (
                one.minus(&t(2)),
                t(1).scaled(&IBig::from(2)),
                t(2).plus(&one),
            )
        };
        let meter = &ring.meter;
        let mut all = Polynomial::zero(words);
        for (b, part) in p.split(pair.sine).iter().enumerate() {
            for (a, part) in part.split(pair.cosine).iter().enumerate() {
                if part.is_zero() {
                    continue;
                }
                let missing = degree - (a + b) as u32;
                let factor = cosine
                    .power(a as u32, meter)?
                    .times(&sine.power(b as u32, meter)?, meter)?
                    .times(&unit.power(missing, meter)?, meter)?;
                all = all.plus(&part.times(&factor, meter)?);
            }
        }
        let twos = if pair.hyperbolic { degree } else { 0 };
        let half = Self {
            polynomial: all,
            power: i64::from(degree),
        };
        Ok((half, twos))
    }

    /// Takes all powers of the unit out of the polynomial.
    pub(crate) fn strip(mut self, pair: Pair, ring: &Ring) -> Result<Self, TooLarge> {
        let unit = unit(ring, pair);
        while !self.polynomial.is_zero()
            && let Some(q) = self.polynomial.divide(&unit, &ring.meter)?
        {
            self.polynomial = q;
            self.power -= 1;
        }
        Ok(self)
    }
}

/// The least power k for which p/u^k is a polynomial in the pair.
pub(crate) fn least_power(p: &Polynomial, pair: Pair) -> i64 {
    i64::from(p.degree(pair.cosine).div_ceil(2))
}

/// `p(t)/u^k` as 2^-k times a polynomial in cosine and sine; k is at least [`least_power`].
pub(crate) fn from_half_angle(
    p: &Polynomial,
    k: u32,
    pair: Pair,
    ring: &Ring,
) -> Result<Polynomial, TooLarge> {
    if pair.hyperbolic {
        from_exponential(p, k, pair, ring)
    } else {
        from_tangent(p, k, pair, ring)
    }
}

/// t^2i/u^k = ((1-c)/2)^i ((1+c)/2)^(k-i) and t^(2i+1)/u^k = (s/2) ((1-c)/2)^i ((1+c)/2)^(k-i-1).
fn from_tangent(p: &Polynomial, k: u32, pair: Pair, ring: &Ring) -> Result<Polynomial, TooLarge> {
    let meter = &ring.meter;
    let (c, s) = (ring.generator(pair.cosine), ring.generator(pair.sine));
    let one = ring.constant(1);
    let (minus, plus) = (one.minus(&c), one.plus(&c));
    let mut all = Polynomial::zero(ring.words);
    for (j, part) in p.split(pair.cosine).iter().enumerate() {
        if part.is_zero() {
            continue;
        }
        let (i, odd) = (j as u32 / 2, j % 2 == 1);
        let mut basis = minus
            .power(i, meter)?
            .times(&plus.power(k - i - u32::from(odd), meter)?, meter)?;
        if odd {
            basis = basis.times(&s, meter)?;
        }
        all = all.plus(&part.times(&basis, meter)?);
    }
    ring.reduce(all)
}

/// t^(j-k) = cosh((j-k)x) + sinh((j-k)x); times 2^k to match the tangent's convention.
fn from_exponential(
    p: &Polynomial,
    k: u32,
    pair: Pair,
    ring: &Ring,
) -> Result<Polynomial, TooLarge> {
    let (c, s) = (ring.generator(pair.cosine), ring.generator(pair.sine));
    let (up, down) = (c.plus(&s), c.minus(&s));
    let mut all = Polynomial::zero(ring.words);
    for (j, part) in p.split(pair.cosine).iter().enumerate() {
        let n = j as i64 - i64::from(k);
        let base = if n < 0 { &down } else { &up };
        let power = ring.power(base, n.unsigned_abs() as u32)?;
        all = all.plus(&ring.times(part, &power)?);
    }
    Ok(all.scaled(&IBig::from(2).pow(k as usize)))
}
