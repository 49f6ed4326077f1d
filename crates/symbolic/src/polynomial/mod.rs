//! Sparse polynomials with integer coefficients in numbered generators.
//!
//! Terms are sorted from the lexicographically highest down. What the generators mean (symbols, sines,
//! roots) and which relations they satisfy is the business of [`crate::normal`].

mod divide;
mod gcd;
mod image;
mod interpolate;
pub(crate) mod monomial;
mod multiply;
mod univariate;

use crate::TooLarge;
use dashu::base::{Gcd, Signed, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use std::cmp::Ordering;

/// `Σ coefficient·monomial`, no coefficient zero, monomials strictly decreasing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Polynomial {
    words: usize,
    monomials: Vec<u64>,
    coefficients: Vec<IBig>,
}

impl Polynomial {
    /// Zero, in polynomials with that many words per monomial.
    pub(crate) fn zero(words: usize) -> Self {
        Self {
            words,
            monomials: Vec::new(),
            coefficients: Vec::new(),
        }
    }

    /// A constant.
    pub(crate) fn constant(words: usize, c: IBig) -> Self {
        Self::term(vec![0; words], c)
    }

    /// One term.
    pub(crate) fn term(monomial: Vec<u64>, c: IBig) -> Self {
        let words = monomial.len();
        if c.is_zero() {
            return Self::zero(words);
        }
        Self {
            words,
            monomials: monomial,
            coefficients: vec![c],
        }
    }

    /// A power of a generator.
    pub(crate) fn generator(words: usize, generator: usize, e: u32) -> Self {
        let mut m = vec![0; words];
        monomial::set_exponent(&mut m, generator, e);
        Self::term(m, IBig::ONE)
    }

    pub(crate) fn words(&self) -> usize {
        self.words
    }
    pub(crate) fn len(&self) -> usize {
        self.coefficients.len()
    }
    pub(crate) fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }
    /// The value, if it is a constant.
    pub(crate) fn as_constant(&self) -> Option<IBig> {
        match self.len() {
            0 => Some(IBig::ZERO),
            1 if self.monomials.iter().all(|w| *w == 0) => Some(self.coefficients[0].clone()),
            _ => None,
        }
    }
    pub(crate) fn is_one(&self) -> bool {
        self.as_constant() == Some(IBig::ONE)
    }
    /// The i-th monomial from the highest down.
    pub(crate) fn monomial(&self, i: usize) -> &[u64] {
        &self.monomials[i * self.words..(i + 1) * self.words]
    }
    /// The i-th coefficient from the highest monomial down.
    pub(crate) fn coefficient(&self, i: usize) -> &IBig {
        &self.coefficients[i]
    }
    /// All terms from the highest down.
    pub(crate) fn terms(&self) -> impl DoubleEndedIterator<Item = (&[u64], &IBig)> {
        self.monomials
            .chunks_exact(self.words)
            .zip(&self.coefficients)
    }
    /// Is the leading coefficient negative?
    pub(crate) fn is_negative(&self) -> bool {
        self.coefficients.first().is_some_and(IBig::is_negative)
    }

    /// Appends a term below all others.
    pub(crate) fn push(&mut self, monomial: &[u64], c: IBig) {
        debug_assert!(self.is_zero() || self.monomial(self.len() - 1) > monomial);
        self.monomials.extend_from_slice(monomial);
        self.coefficients.push(c);
    }

    /// The sum of terms in any order, equal monomials merged.
    pub(crate) fn collect(words: usize, terms: impl IntoIterator<Item = (Vec<u64>, IBig)>) -> Self {
        let mut terms: Vec<_> = terms.into_iter().collect();
        terms.sort_unstable_by(|a, b| b.0.cmp(&a.0));
        let mut all = Self::zero(words);
        let mut terms = terms.into_iter().peekable();
        while let Some((m, mut c)) = terms.next() {
            while let Some((_, d)) = terms.next_if(|(n, _)| *n == m) {
                c += d;
            }
            if !c.is_zero() {
                all.push(&m, c);
            }
        }
        all
    }

    /// The highest exponent of a generator.
    pub(crate) fn degree(&self, generator: usize) -> u32 {
        let exponents = self.monomials.chunks_exact(self.words);
        exponents
            .map(|m| monomial::exponent(m, generator))
            .max()
            .unwrap_or(0)
    }

    /// The highest exponent of every generator, packed.
    pub(crate) fn degrees(&self) -> Vec<u64> {
        let mut all = vec![0; self.words];
        for m in self.monomials.chunks_exact(self.words) {
            monomial::join(&mut all, m);
        }
        all
    }

    /// The largest monomial that divides every term.
    pub(crate) fn monomial_content(&self) -> Vec<u64> {
        let mut terms = self.monomials.chunks_exact(self.words);
        let mut all = match terms.next() {
            Some(first) => first.to_vec(),
            None => return vec![0; self.words],
        };
        for m in terms {
            if all.iter().all(|w| *w == 0) {
                break;
            }
            monomial::meet(&mut all, m);
        }
        all
    }

    /// The greatest common divisor of the coefficients.
    pub(crate) fn content(&self) -> UBig {
        let mut all = UBig::ZERO;
        for c in self.coefficients.iter().rev() {
            let c = c.clone().unsigned_abs();
            all = if all.is_zero() { c } else { all.gcd(c) };
            if all == UBig::ONE {
                break;
            }
        }
        all
    }

    pub(crate) fn negated(&self) -> Self {
        self.map(|c| -c.clone())
    }

    /// Times an integer.
    pub(crate) fn scaled(&self, k: &IBig) -> Self {
        if k.is_zero() {
            return Self::zero(self.words);
        }
        self.map(|c| c * k)
    }

    /// Divided by an integer that divides every coefficient.
    pub(crate) fn unscaled(&self, k: &UBig) -> Self {
        if *k == UBig::ONE {
            return self.clone();
        }
        let k = IBig::from(k.clone());
        self.map(|c| c / &k)
    }

    fn map(&self, f: impl Fn(&IBig) -> IBig) -> Self {
        Self {
            words: self.words,
            monomials: self.monomials.clone(),
            coefficients: self.coefficients.iter().map(f).collect(),
        }
    }

    /// Times a monomial.
    pub(crate) fn shifted(&self, m: &[u64]) -> Result<Self, TooLarge> {
        let mut monomials = Vec::with_capacity(self.monomials.len());
        for n in self.monomials.chunks_exact(self.words) {
            monomial::push_product(n, m, &mut monomials)?;
        }
        Ok(Self {
            words: self.words,
            monomials,
            coefficients: self.coefficients.clone(),
        })
    }

    /// Divided by a monomial; `None` if it does not divide every term.
    pub(crate) fn unshifted(&self, m: &[u64]) -> Option<Self> {
        let mut monomials = Vec::with_capacity(self.monomials.len());
        for n in self.monomials.chunks_exact(self.words) {
            if !monomial::push_quotient(n, m, &mut monomials) {
                return None;
            }
        }
        Some(Self {
            words: self.words,
            monomials,
            coefficients: self.coefficients.clone(),
        })
    }

    pub(crate) fn plus(&self, o: &Self) -> Self {
        self.merge(o, |c| c.clone())
    }

    pub(crate) fn minus(&self, o: &Self) -> Self {
        self.merge(o, |c| -c.clone())
    }

    /// The sum of polynomials that nobody needs any more: their coefficients move.
    pub(crate) fn joined(self, o: Self) -> Self {
        if self.is_zero() || o.is_zero() {
            return if self.is_zero() { o } else { self };
        }
        let mut all = Self::zero(self.words);
        all.monomials
            .reserve(self.monomials.len() + o.monomials.len());
        all.coefficients.reserve(self.len() + o.len());
        let left = self.monomials.chunks_exact(self.words);
        let right = o.monomials.chunks_exact(o.words);
        let mut left = left.zip(self.coefficients).peekable();
        let mut right = right.zip(o.coefficients).peekable();
        loop {
            let order = match (left.peek(), right.peek()) {
                (Some((m, _)), Some((n, _))) => m.cmp(n),
                (Some(_), None) => Ordering::Greater,
                (None, _) => Ordering::Less,
            };
            let first = if order.is_ge() { left.next() } else { None };
            let second = if order.is_le() { right.next() } else { None };
            match (first, second) {
                (Some((m, c)), Some((_, d))) => {
                    let c = c + d;
                    if !c.is_zero() {
                        all.push(m, c);
                    }
                }
                (Some((m, c)), None) | (None, Some((m, c))) => all.push(m, c),
                (None, None) => return all,
            }
        }
    }

    fn merge(&self, o: &Self, sign: impl Fn(&IBig) -> IBig) -> Self {
        let mut all = Self::zero(self.words);
        all.monomials
            .reserve(self.monomials.len() + o.monomials.len());
        all.coefficients.reserve(self.len() + o.len());
        let (mut i, mut j) = (0, 0);
        while i < self.len() && j < o.len() {
            let (a, b) = (self.monomial(i), o.monomial(j));
            match a.cmp(b) {
                Ordering::Greater => {
                    all.push(a, self.coefficients[i].clone());
                    i += 1;
                }
                Ordering::Less => {
                    all.push(b, sign(&o.coefficients[j]));
                    j += 1;
                }
                Ordering::Equal => {
                    let c = &self.coefficients[i] + sign(&o.coefficients[j]);
                    if !c.is_zero() {
                        all.push(a, c);
                    }
                    i += 1;
                    j += 1;
                }
            }
        }
        all.monomials
            .extend_from_slice(&self.monomials[i * self.words..]);
        all.coefficients.extend_from_slice(&self.coefficients[i..]);
        all.monomials.extend_from_slice(&o.monomials[j * o.words..]);
        all.coefficients
            .extend(o.coefficients[j..].iter().map(sign));
        all
    }

    /// The coefficients of the powers of one generator, lowest power first.
    pub(crate) fn split(&self, generator: usize) -> Vec<Polynomial> {
        let degree = self.degree(generator) as usize;
        let mut parts = vec![Self::zero(self.words); degree + 1];
        let mut rest = vec![0; self.words];
        for (m, c) in self.terms() {
            let e = monomial::exponent(m, generator);
            rest.copy_from_slice(m);
            monomial::set_exponent(&mut rest, generator, 0);
            // Equal powers keep their order.
            parts[e as usize].push(&rest, c.clone());
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Σ c x^e.
    fn polynomial(terms: &[(u64, i64)]) -> Polynomial {
        let terms = terms.iter();
        Polynomial::collect(1, terms.map(|(e, c)| (vec![*e], IBig::from(*c))))
    }

    #[test]
    fn a_sum_is_the_same_whether_its_parts_are_kept_or_not() {
        let all = [
            polynomial(&[]),
            polynomial(&[(0, 1)]),
            polynomial(&[(5, 2), (3, -1), (0, 4)]),
            polynomial(&[(5, -2), (3, 1), (0, -4)]),
            polynomial(&[(7, 1), (5, -2), (4, 3), (0, 1)]),
            polynomial(&[(2, 6), (1, 5)]),
        ];
        for a in &all {
            for b in &all {
                assert_eq!(a.clone().joined(b.clone()), a.plus(b), "{a:?} + {b:?}");
            }
        }
        assert!(all[2].clone().joined(all[3].clone()).is_zero());
    }
}
