//! Products of powers of atoms, small ones without a heap allocation.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// Index into [`super::atoms::Atoms`].
pub(super) type Atom = u16;
/// An exponent. One that gets out of hand saturates, and the check of the candidate refuses it.
pub(super) type Exponent = i16;
/// A factor.
pub(super) type Power = (Atom, Exponent);

/// Exponents beyond this are not worked with.
pub(super) const MAX_EXPONENT: i64 = 100;
/// Nor are powers of monomials beyond this.
const MAX_RAISED: i64 = 10_000;

const INLINE: usize = 15;

/// `Π atom^exponent`, sorted by atom, no exponent zero. The order is lexicographic.
#[derive(Clone)]
pub(super) struct Monomial(Storage);

#[derive(Clone)]
enum Storage {
    Inline(u8, [Power; INLINE]),
    Heap(Vec<Power>),
}

impl Default for Monomial {
    fn default() -> Self {
        Monomial(Storage::Inline(0, [(0, 0); INLINE]))
    }
}

impl Monomial {
    pub(super) fn power(atom: Atom, exponent: Exponent) -> Self {
        Self::powers([(atom, exponent)])
    }

    /// A product of powers of different atoms, in any order.
    pub(super) fn powers<const N: usize>(mut factors: [Power; N]) -> Self {
        factors.sort_unstable();
        let mut m = Self::default();
        factors.into_iter().for_each(|f| m.push(f));
        m
    }

    pub(super) fn factors(&self) -> &[Power] {
        match &self.0 {
            Storage::Inline(len, data) => &data[..usize::from(*len)],
            Storage::Heap(data) => data,
        }
    }

    /// Appends a factor whose atom is larger than all before.
    fn push(&mut self, factor: Power) {
        if factor.1 == 0 {
            return;
        }
        match &mut self.0 {
            Storage::Inline(len, data) if usize::from(*len) < INLINE => {
                data[usize::from(*len)] = factor;
                *len += 1;
            }
            Storage::Inline(_, data) => {
                let mut all = data.to_vec();
                all.push(factor);
                self.0 = Storage::Heap(all);
            }
            Storage::Heap(data) => data.push(factor),
        }
    }

    pub(super) fn is_one(&self) -> bool {
        self.factors().is_empty()
    }

    pub(super) fn exponent(&self, atom: Atom) -> Exponent {
        let factors = self.factors();
        factors.iter().find(|f| f.0 == atom).map_or(0, |f| f.1)
    }

    /// `Π self^i other^j` by exponents, atom by atom.
    fn zip(&self, other: &Self, exponent: impl Fn(Exponent, Exponent) -> Exponent) -> Self {
        let (a, b) = (self.factors(), other.factors());
        let (mut i, mut j) = (0, 0);
        let mut out = Self::default();
        while i < a.len() || j < b.len() {
            let x = a.get(i).map_or(Atom::MAX, |f| f.0);
            let y = b.get(j).map_or(Atom::MAX, |f| f.0);
            let (p, q) = match x.cmp(&y) {
                Ordering::Less => (a[i].1, 0),
                Ordering::Equal => (a[i].1, b[j].1),
                Ordering::Greater => (0, b[j].1),
            };
            out.push((x.min(y), exponent(p, q)));
            i += usize::from(x <= y);
            j += usize::from(y <= x);
        }
        out
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        self.zip(other, Exponent::saturating_add)
    }

    pub(super) fn over(&self, other: &Self) -> Self {
        self.zip(other, Exponent::saturating_sub)
    }

    /// The largest common divisor: atom by atom the smaller exponent.
    pub(super) fn common(&self, other: &Self) -> Self {
        self.zip(other, Exponent::min)
    }

    pub(super) fn times_power(&self, atom: Atom, exponent: Exponent) -> Self {
        self.times(&Monomial::power(atom, exponent))
    }

    /// `None` if an exponent gets out of hand.
    pub(super) fn pow(&self, k: i64) -> Option<Self> {
        let mut out = Self::default();
        for (atom, e) in self.factors() {
            let raised = i64::from(*e)
                .checked_mul(k)
                .filter(|r| r.abs() <= MAX_RAISED)?;
            out.push((*atom, Exponent::try_from(raised).ok()?));
        }
        Some(out)
    }

    /// The k-th root, if it is a monomial.
    pub(super) fn root(&self, k: Exponent) -> Option<Self> {
        let mut out = Self::default();
        for (atom, e) in self.factors() {
            if e % k != 0 {
                return None;
            }
            out.push((*atom, e / k));
        }
        Some(out)
    }

    /// The part made of the atoms chosen, and the rest.
    pub(super) fn split(&self, chosen: impl Fn(Atom) -> bool) -> (Self, Self) {
        let (mut inside, mut outside) = (Self::default(), Self::default());
        for factor in self.factors() {
            if chosen(factor.0) {
                inside.push(*factor);
            } else {
                outside.push(*factor);
            }
        }
        (inside, outside)
    }

    pub(super) fn is_polynomial(&self) -> bool {
        self.factors().iter().all(|(_, e)| *e > 0)
    }
}

impl PartialEq for Monomial {
    fn eq(&self, o: &Self) -> bool {
        self.factors() == o.factors()
    }
}
impl Eq for Monomial {}

impl Hash for Monomial {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for (atom, e) in self.factors() {
            state.write_u64(u64::from(*atom) << 16 | u64::from(e.cast_unsigned()));
        }
    }
}

impl Ord for Monomial {
    fn cmp(&self, o: &Self) -> Ordering {
        let (a, b) = (self.factors(), o.factors());
        for (x, y) in a.iter().zip(b) {
            let order = match x.0.cmp(&y.0) {
                Ordering::Equal => x.1.cmp(&y.1),
                Ordering::Less => x.1.cmp(&0),
                Ordering::Greater => 0.cmp(&y.1),
            };
            if order.is_ne() {
                return order;
            }
        }
        match (a.get(b.len()), b.get(a.len())) {
            (Some(x), _) => x.1.cmp(&0),
            (_, Some(y)) => 0.cmp(&y.1),
            _ => Ordering::Equal,
        }
    }
}
impl PartialOrd for Monomial {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}

impl std::fmt::Debug for Monomial {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.factors()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_multiplicative() {
        let x = |e| Monomial::power(0, e);
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

    #[test]
    fn many_factors_spill_and_come_back() {
        let wide = (0..20).fold(Monomial::default(), |m, a| m.times_power(a, 2));
        assert_eq!(wide.factors().len(), 20);
        assert!(wide.over(&wide).is_one());
        assert_eq!(wide.root(2).and_then(|r| r.pow(2)), Some(wide.clone()));
        let narrow = wide.split(|a| a < 3).0;
        assert_eq!(wide.common(&narrow), narrow);
        assert_eq!(wide.pow(1_000_000), None);
    }
}
