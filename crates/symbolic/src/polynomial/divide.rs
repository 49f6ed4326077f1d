//! Exact division.

use super::{Polynomial, monomial};
use crate::TooLarge;
use crate::budget::Meter;
use dashu::integer::IBig;

/// A sum of polynomials of growing sizes: taking the leading term is cheap, so is adding a polynomial.
struct Buckets {
    words: usize,
    /// Each with the number of terms already taken from its front.
    buckets: Vec<(Polynomial, usize)>,
}

impl Buckets {
    fn new(p: &Polynomial) -> Self {
        let mut all = Self {
            words: p.words,
            buckets: Vec::new(),
        };
        all.add(p.clone());
        all
    }

    /// Bucket i holds up to 4^(i+1) terms.
    fn add(&mut self, mut p: Polynomial) {
        loop {
            let rank = (p.len().max(1).ilog2() / 2) as usize;
            while self.buckets.len() <= rank {
                self.buckets.push((Polynomial::zero(self.words), 0));
            }
            let (bucket, taken) = &mut self.buckets[rank];
            if bucket.len() == *taken {
                (*bucket, *taken) = (p, 0);
                return;
            }
            p = bucket.tail(*taken).plus(&p);
            (*bucket, *taken) = (Polynomial::zero(self.words), 0);
            if p.is_zero() {
                return;
            }
        }
    }

    /// Takes the highest term out.
    fn take(&mut self) -> Option<(Vec<u64>, IBig)> {
        loop {
            let head = |(b, taken): &(Polynomial, usize)| {
                (*taken < b.len()).then(|| b.monomial(*taken).to_vec())
            };
            let highest = self.buckets.iter().filter_map(head).max()?;
            let mut c = IBig::ZERO;
            for (b, taken) in &mut self.buckets {
                if *taken < b.len() && b.monomial(*taken) == highest {
                    c += b.coefficient(*taken);
                    *taken += 1;
                }
            }
            if !c.is_zero() {
                return Some((highest, c));
            }
        }
    }
}

impl Polynomial {
    /// The terms from the i-th on.
    fn tail(&self, i: usize) -> Self {
        Self {
            words: self.words,
            monomials: self.monomials[i * self.words..].to_vec(),
            coefficients: self.coefficients[i..].to_vec(),
        }
    }

    /// `self / o` if the quotient is a polynomial with integer coefficients.
    pub(crate) fn divide(&self, o: &Self, meter: &Meter) -> Result<Option<Self>, TooLarge> {
        if o.is_zero() {
            return Ok(None);
        }
        if self.is_zero() || o.is_one() {
            return Ok(Some(self.clone()));
        }
        if o.len() == 1 {
            return Ok(self.divide_by_term(o));
        }
        if !self.may_be_divisible(o) {
            return Ok(None);
        }
        let mut rest = Buckets::new(self);
        let mut quotient = Self::zero(self.words);
        let below = o.tail(1).negated();
        let mut m = Vec::with_capacity(self.words);
        while let Some((highest, c)) = rest.take() {
            m.clear();
            if !monomial::push_quotient(&highest, o.monomial(0), &mut m) {
                return Ok(None);
            }
            let (q, r) = divide_integers(&c, o.coefficient(0));
            if !r.is_zero() {
                return Ok(None);
            }
            meter.spend(o.len())?;
            // A quotient of an exact division has no more terms than its degrees allow; a failing one
            // may grow, and the meter stops it.
            rest.add(below.shifted(&m)?.scaled(&q));
            quotient.push(&m, q);
        }
        Ok(Some(quotient))
    }

    fn divide_by_term(&self, o: &Self) -> Option<Self> {
        let mut quotient = self.unshifted(o.monomial(0))?;
        let d = o.coefficient(0);
        for c in &mut quotient.coefficients {
            let (q, r) = divide_integers(c, d);
            if !r.is_zero() {
                return None;
            }
            *c = q;
        }
        Some(quotient)
    }

    /// Degrees and trailing terms must divide too.
    fn may_be_divisible(&self, o: &Self) -> bool {
        let mut scratch = Vec::with_capacity(self.words);
        let mut divides = |a: &[u64], b: &[u64]| {
            scratch.clear();
            monomial::push_quotient(a, b, &mut scratch)
        };
        let last = |p: &Self| p.len() - 1;
        divides(&self.degrees(), &o.degrees())
            && divides(self.monomial(last(self)), o.monomial(last(o)))
            && (self.coefficient(last(self)) % o.coefficient(last(o))).is_zero()
    }
}

fn divide_integers(a: &IBig, b: &IBig) -> (IBig, IBig) {
    use dashu::base::DivRem;
    a.div_rem(b)
}
