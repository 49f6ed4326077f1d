//! Sums of monomials in atoms, exponents of either sign: what a formula looks like multiplied out.

use super::budget::Budget;
use super::monomial::{Atom, Exponent, Monomial};
use super::occurrence::Occurrence;
use crate::Rational;
use crate::hash::Map;
use std::collections::BTreeMap;

/// `Σ coefficient·monomial`, largest monomial first, no coefficient zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Terms(Vec<(Monomial, Rational)>);

impl Terms {
    pub(super) fn constant(c: Rational) -> Self {
        Self::term(Monomial::default(), c)
    }

    pub(super) fn term(m: Monomial, c: Rational) -> Self {
        Terms(if c.is_zero() {
            Vec::new()
        } else {
            vec![(m, c)]
        })
    }

    /// Adds like terms up and sorts.
    pub(super) fn collect(mut items: Vec<(Monomial, Rational)>) -> Self {
        items.sort_by(|a, b| b.0.cmp(&a.0));
        items.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = &kept.1 + &next.1;
            }
            same
        });
        items.retain(|(_, c)| !c.is_zero());
        Terms(items)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &(Monomial, Rational)> {
        self.0.iter()
    }
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }
    pub(super) fn is_one(&self) -> bool {
        matches!(self.0.as_slice(), [(m, c)] if m.is_one() && c.is_one())
    }
    /// The only term, if there is just one.
    pub(super) fn single(&self) -> Option<&(Monomial, Rational)> {
        match self.0.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    /// The distinct atoms, in order.
    pub(super) fn atoms(&self) -> Vec<Atom> {
        self.occurrences()
            .into_iter()
            .map(|(atom, _)| atom)
            .collect()
    }

    /// The distinct atoms, in order, and where they occur.
    pub(super) fn occurrences(&self) -> Vec<(Atom, Occurrence)> {
        let mut all: Vec<Occurrence> = Vec::new();
        for (m, _) in &self.0 {
            for (atom, e) in m.factors() {
                let i = usize::from(*atom);
                if i >= all.len() {
                    all.resize(i + 1, Occurrence::default());
                }
                all[i].note(*e);
            }
        }
        let numbered = (0..).zip(all);
        numbered.filter(|(_, o)| o.terms() > 0).collect()
    }

    pub(super) fn scaled(&self, m: &Monomial, c: &Rational) -> Self {
        // Multiplication by one monomial keeps the order.
        Terms(self.0.iter().map(|(n, d)| (n.times(m), d * c)).collect())
    }

    pub(super) fn plus(&self, o: &Self) -> Self {
        Self::collect(self.0.iter().chain(&o.0).cloned().collect())
    }

    pub(super) fn minus(&self, o: &Self) -> Self {
        self.plus(&o.scaled(&Monomial::default(), &Rational::MINUS_ONE))
    }

    pub(super) fn times(&self, o: &Self, budget: &mut Budget) -> Option<Self> {
        if let Some((m, c)) = o.single() {
            return Some(self.scaled(m, c));
        }
        budget.spend(self.len().checked_mul(o.len())?)?;
        let mut items = Vec::with_capacity(self.len() * o.len());
        for (m, c) in &self.0 {
            items.extend(o.0.iter().map(|(n, d)| (m.times(n), c * d)));
        }
        Some(Self::collect(items))
    }

    pub(super) fn pow(&self, k: u32, budget: &mut Budget) -> Option<Self> {
        if let Some((m, c)) = self.single() {
            return Some(Self::term(m.pow(k.into())?, c.pow(k.into())?));
        }
        let mut result = Self::constant(Rational::ONE);
        for _ in 0..k {
            result = result.times(self, budget)?;
        }
        Some(result)
    }

    /// The content: the largest monomial and number that divide every term, with the sign of the
    /// first term; and what is left.
    pub(super) fn primitive(&self) -> (Monomial, Rational, Self) {
        let Some((first, lead)) = self.0.first() else {
            return (Monomial::default(), Rational::ONE, self.clone());
        };
        let mut common = first.clone();
        let mut number = Rational::ZERO;
        for (m, c) in &self.0 {
            common = common.common(m);
            number = number.gcd(c);
        }
        if lead.is_negative() {
            number = -number;
        }
        let inverse = number.recip().unwrap_or(Rational::ONE);
        let rest = self.0.iter().map(|(m, c)| (m.over(&common), c * &inverse));
        let rest = Terms(rest.collect());
        (common, number, rest)
    }

    /// The quotient, if the division has no remainder. Both must be primitive.
    pub(super) fn divided_by(&self, divisor: &Self, budget: &mut Budget) -> Option<Self> {
        let (lead, lead_coefficient) = divisor.0.first()?;
        let (last, _) = divisor.0.last()?;
        // The first and the last terms must divide; this refuses most divisors at once.
        if !self.0.first()?.0.over(lead).is_polynomial()
            || !self.0.last()?.0.over(last).is_polynomial()
        {
            return None;
        }
        let inverse = lead_coefficient.recip()?;
        let mut rest: BTreeMap<Monomial, Rational> = self.0.iter().cloned().collect();
        let mut quotient = Vec::new();
        while let Some((m, c)) = rest.pop_last() {
            let (q, k) = (m.over(lead), &c * &inverse);
            if !q.is_polynomial() {
                return None;
            }
            budget.spend(divisor.len())?;
            for (n, d) in &divisor.0[1..] {
                let product = q.times(n);
                let value = rest.remove(&product).unwrap_or(Rational::ZERO);
                let value = &value - &(&k * d);
                if !value.is_zero() {
                    rest.insert(product, value);
                }
            }
            quotient.push((q, k));
        }
        Some(Terms(quotient))
    }

    /// The k-th root, if it is a sum of monomials: term by term from the leading one.
    pub(super) fn root(&self, k: u32, budget: &mut Budget) -> Option<Self> {
        let (m, c) = self.0.first()?;
        let index = Exponent::try_from(k).ok()?;
        let lead = (m.root(index)?, c.perfect_root(k)?);
        self.0.last()?.0.root(index)?;
        let slope = (
            lead.0.pow(i64::from(k) - 1)?,
            &lead.1.pow(i64::from(k) - 1)? * &i64::from(k).into(),
        );
        let inverse = slope.1.recip()?;
        let mut root = Terms(vec![lead]);
        loop {
            let rest = self.minus(&root.pow(k, budget)?);
            let Some((m, c)) = rest.0.first() else {
                return Some(root);
            };
            let next = (m.over(&slope.0), c * &inverse);
            if root.len() >= self.len() || next.0 >= root.0.last()?.0 {
                return None;
            }
            root.0.push(next);
        }
    }

    /// The terms by their part in the chosen atoms, larger parts first.
    pub(super) fn grouped(&self, chosen: impl Fn(Atom) -> bool) -> Vec<(Monomial, Terms)> {
        let mut groups: BTreeMap<Monomial, Vec<(Monomial, Rational)>> = BTreeMap::new();
        for (m, c) in &self.0 {
            let (key, rest) = m.split(&chosen);
            groups.entry(key).or_default().push((rest, c.clone()));
        }
        let groups = groups.into_iter().rev();
        groups
            .map(|(key, items)| (key, Self::collect(items)))
            .collect()
    }

    /// The terms by their exponent in one atom, if there are several groups, all of one size.
    pub(super) fn even_groups(&self, atom: Atom) -> Option<Vec<(Monomial, Terms)>> {
        let mut sizes: Vec<(Exponent, usize)> = Vec::new();
        for (m, _) in &self.0 {
            let e = m.exponent(atom);
            match sizes.iter_mut().find(|(exponent, _)| *exponent == e) {
                Some((_, n)) => *n += 1,
                None => sizes.push((e, 1)),
            }
        }
        let even = sizes.len() > 1 && sizes.iter().all(|(_, n)| *n > 1 && *n == sizes[0].1);
        even.then(|| self.grouped(|a| a == atom))
    }

    /// Splits off the terms for which `chosen` holds.
    pub(super) fn partition(&self, chosen: impl Fn(&Monomial) -> bool) -> (Self, Self) {
        let (a, b) = self.0.iter().cloned().partition(|(m, _)| chosen(m));
        (Terms(a), Terms(b))
    }

    /// The coefficients by monomial, for rewriting term by term.
    pub(super) fn into_map(self) -> Map<Monomial, Rational> {
        self.0.into_iter().collect()
    }

    pub(super) fn from_map(map: Map<Monomial, Rational>) -> Self {
        Self::collect(map.into_iter().collect())
    }
}

impl Rational {
    /// The exact k-th root.
    fn perfect_root(&self, k: u32) -> Option<Rational> {
        let (n, d) = self.as_small()?;
        let root = |x: i64| {
            let guess = (x.unsigned_abs() as f64).powf(1.0 / f64::from(k)).round() as i64;
            (guess.checked_pow(k)? == x.checked_abs()?).then_some(guess)
        };
        let value = Rational::new(root(n)?, root(d)?);
        match (n < 0, k % 2) {
            (true, 0) => None,
            (true, _) => Some(-value),
            _ => Some(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x(e: Exponent) -> Monomial {
        Monomial::power(0, e)
    }

    fn atom(a: Atom) -> Terms {
        Terms::term(Monomial::power(a, 1), Rational::ONE)
    }

    fn sample() -> Terms {
        // x + 2y - 3
        Terms::collect(vec![
            (x(1), Rational::ONE),
            (Monomial::power(1, 1), Rational::from(2)),
            (Monomial::default(), Rational::from(-3)),
        ])
    }

    #[test]
    fn division_undoes_multiplication() {
        let mut budget = Budget::new(10_000);
        let (a, b) = (sample(), sample().plus(&Terms::term(x(2), Rational::ONE)));
        let product = a.times(&b, &mut budget).unwrap();
        assert_eq!(product.divided_by(&a, &mut budget), Some(b));
        let off = product.plus(&atom(1));
        assert_eq!(off.divided_by(&a, &mut budget), None);
    }

    #[test]
    fn roots_undo_powers() {
        let mut budget = Budget::new(10_000);
        for k in [2, 3] {
            let power = sample().pow(k, &mut budget).unwrap();
            assert_eq!(power.root(k, &mut budget), Some(sample()));
            assert_eq!(power.plus(&atom(0)).root(k, &mut budget), None);
        }
    }

    #[test]
    fn content_comes_out() {
        let t = sample().scaled(&x(-2), &Rational::new(-2, 3));
        let (m, c, rest) = t.primitive();
        assert_eq!((m, c, rest), (x(-2), Rational::new(-2, 3), sample()));
    }
}
