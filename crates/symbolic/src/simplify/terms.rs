//! Sums of monomials in atoms, exponents of either sign: what a formula looks like multiplied out.

use super::budget::Budget;
use crate::Rational;
use crate::hash::Map;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Index into [`super::atoms::Atoms`].
pub(super) type Atom = u32;

/// `Π atom^exponent`, sorted by atom, no exponent zero. The order is lexicographic.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Monomial(Vec<(Atom, i64)>);

impl Monomial {
    pub(super) fn power(atom: Atom, exponent: i64) -> Self {
        Monomial(if exponent == 0 {
            Vec::new()
        } else {
            vec![(atom, exponent)]
        })
    }

    pub(super) fn is_one(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn exponent(&self, atom: Atom) -> i64 {
        match self.0.binary_search_by_key(&atom, |f| f.0) {
            Ok(i) => self.0[i].1,
            Err(_) => 0,
        }
    }

    pub(super) fn factors(&self) -> &[(Atom, i64)] {
        &self.0
    }

    /// `self · other^sign`, sign being 1 or -1.
    fn combined(&self, other: &Self, sign: i64) -> Self {
        let (a, b) = (&self.0, &other.0);
        let mut out = Vec::with_capacity(a.len() + b.len());
        let (mut i, mut j) = (0, 0);
        while i < a.len() || j < b.len() {
            match (a.get(i), b.get(j)) {
                (Some(x), Some(y)) if x.0 == y.0 => {
                    let e = x.1 + sign * y.1;
                    if e != 0 {
                        out.push((x.0, e));
                    }
                    i += 1;
                    j += 1;
                }
                (Some(x), y) if y.is_none_or(|y| x.0 < y.0) => {
                    out.push(*x);
                    i += 1;
                }
                (_, Some(y)) => {
                    out.push((y.0, sign * y.1));
                    j += 1;
                }
                _ => break,
            }
        }
        Monomial(out)
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        self.combined(other, 1)
    }

    pub(super) fn over(&self, other: &Self) -> Self {
        self.combined(other, -1)
    }

    pub(super) fn times_power(&self, atom: Atom, exponent: i64) -> Self {
        self.times(&Monomial::power(atom, exponent))
    }

    pub(super) fn pow(&self, k: i64) -> Self {
        if k == 0 {
            return Monomial::default();
        }
        Monomial(self.0.iter().map(|(a, e)| (*a, e * k)).collect())
    }

    /// The k-th root, if it is a monomial.
    fn root(&self, k: i64) -> Option<Self> {
        let roots = self
            .0
            .iter()
            .map(|(a, e)| (e % k == 0).then(|| (*a, e / k)));
        roots.collect::<Option<Vec<_>>>().map(Monomial)
    }

    /// The part made of the atoms chosen, and the rest.
    pub(super) fn split(&self, chosen: impl Fn(Atom) -> bool) -> (Self, Self) {
        let (a, b) = self.0.iter().copied().partition(|(atom, _)| chosen(*atom));
        (Monomial(a), Monomial(b))
    }

    fn is_polynomial(&self) -> bool {
        self.0.iter().all(|(_, e)| *e >= 0)
    }
}

impl Ord for Monomial {
    fn cmp(&self, o: &Self) -> Ordering {
        let (a, b) = (&self.0, &o.0);
        for i in 0.. {
            let order = match (a.get(i), b.get(i)) {
                (None, None) => return Ordering::Equal,
                (Some(x), None) => x.1.cmp(&0),
                (None, Some(y)) => 0.cmp(&y.1),
                (Some(x), Some(y)) => match x.0.cmp(&y.0) {
                    Ordering::Equal => x.1.cmp(&y.1),
                    Ordering::Less => x.1.cmp(&0),
                    Ordering::Greater => 0.cmp(&y.1),
                },
            };
            if order.is_ne() {
                return order;
            }
        }
        Ordering::Equal
    }
}
impl PartialOrd for Monomial {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}

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
        let factors = self.0.iter().flat_map(|(m, _)| m.factors());
        let mut atoms: Vec<Atom> = factors.map(|(a, _)| *a).collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
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
            return Some(Self::term(m.pow(k.into()), c.pow(k.into())?));
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
            common = lower_bound(&common, m);
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
        let lead = (m.root(k.into())?, c.perfect_root(k)?);
        self.0.last()?.0.root(k.into())?;
        let slope = (
            lead.0.pow(i64::from(k) - 1),
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

/// Atom by atom the smaller exponent; an absent atom has exponent 0.
fn lower_bound(a: &Monomial, b: &Monomial) -> Monomial {
    let atoms = a.0.iter().chain(&b.0).map(|(atom, _)| *atom);
    let mut out: Vec<(Atom, i64)> = atoms
        .map(|atom| (atom, a.exponent(atom).min(b.exponent(atom))))
        .filter(|(_, e)| *e != 0)
        .collect();
    out.sort_unstable();
    out.dedup();
    Monomial(out)
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

    fn x(e: i64) -> Monomial {
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

    #[test]
    fn monomials_order_is_multiplicative() {
        let all = [
            x(2),
            x(1),
            x(-1),
            Monomial::power(1, 2),
            Monomial::default(),
            x(1).times_power(1, -1),
        ];
        for a in &all {
            for b in &all {
                for c in &all {
                    assert_eq!(a.cmp(b), a.times(c).cmp(&b.times(c)));
                }
            }
        }
    }
}
