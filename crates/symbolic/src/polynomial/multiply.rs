//! Products and powers.

use super::{Polynomial, monomial};
use crate::TooLarge;
use crate::budget::Meter;
use dashu::integer::IBig;

impl Polynomial {
    /// The product.
    pub(crate) fn times(&self, o: &Self, meter: &Meter) -> Result<Self, TooLarge> {
        let (short, long) = if self.len() <= o.len() {
            (self, o)
        } else {
            (o, self)
        };
        meter.spend(1 + short.len() * long.len())?;
        if short.is_zero() {
            return Ok(Self::zero(self.words));
        }
        if short.is_one() {
            meter.admit(long.len())?;
            return Ok(long.clone());
        }
        // Shifted copies of the long factor, merged pairwise: each term moves log(short) times.
        let mut stack: Vec<(u32, Polynomial)> = Vec::new();
        for (m, c) in short.terms() {
            let mut top = (0, long.times_term(m, c)?);
            while let Some((_, below)) = stack.pop_if(|(rank, _)| *rank == top.0) {
                top = (top.0 + 1, below.joined(top.1));
                meter.admit(top.1.len())?;
            }
            stack.push(top);
        }
        let mut all = Self::zero(self.words);
        while let Some((_, below)) = stack.pop() {
            all = below.joined(all);
        }
        meter.admit(all.len())?;
        Ok(all)
    }

    fn times_term(&self, m: &[u64], c: &IBig) -> Result<Self, TooLarge> {
        let mut monomials = Vec::with_capacity(self.monomials.len());
        for n in self.monomials.chunks_exact(self.words) {
            monomial::push_product(n, m, &mut monomials)?;
        }
        Ok(Self {
            words: self.words,
            monomials,
            coefficients: self.coefficients.iter().map(|d| d * c).collect(),
        })
    }

    /// A power.
    pub(crate) fn power(&self, e: u32, meter: &Meter) -> Result<Self, TooLarge> {
        if self.len() == 1 {
            return self.term_power(e);
        }
        // Repeated multiplication by the short base beats squaring for sparse polynomials.
        let mut all = Self::constant(self.words, IBig::ONE);
        for _ in 0..e {
            all = all.times(self, meter)?;
        }
        Ok(all)
    }

    fn term_power(&self, e: u32) -> Result<Self, TooLarge> {
        let mut m = vec![0; self.words];
        for generator in 0..8 * self.words {
            let k = monomial::exponent(&self.monomials, generator);
            let k = k.checked_mul(e).ok_or(TooLarge)?;
            if k > monomial::MAX_EXPONENT {
                return Err(TooLarge);
            }
            monomial::set_exponent(&mut m, generator, k);
        }
        if self.coefficients[0] != IBig::ONE && e > 100_000 {
            return Err(TooLarge);
        }
        Ok(Self::term(m, self.coefficients[0].pow(e as usize)))
    }
}
