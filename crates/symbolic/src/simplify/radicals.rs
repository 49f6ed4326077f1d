//! Roots: r^q is its radicand, above and below the fraction bar.

use super::monomial::{Atom, Exponent, Monomial};
use super::quotient::Quotient;
use super::terms::Terms;
use super::workspace::Workspace;
use crate::node::Kind;
use crate::walk::postorder;
use crate::{Expr, Rational};

/// A root r with r^index = content·primitive.
#[derive(Clone)]
pub(super) struct Radical {
    pub(super) atom: Atom,
    index: Exponent,
    content: (Monomial, Rational),
    primitive: Terms,
}

impl Radical {
    /// content^k · r^(index·j), the currency between the radicand and the root.
    fn exchange(&self, k: Exponent, j: Exponent) -> Option<(Monomial, Rational)> {
        let m = self.content.0.pow(k.into())?;
        let m = m.times_power(self.atom, self.index.checked_mul(j)?);
        Some((m, self.content.1.pow(k.into())?))
    }

    fn lowest_exponent(&self, t: &Terms) -> Exponent {
        let exponents = t.iter().map(|(m, _)| m.exponent(self.atom));
        exponents.min().unwrap_or(0)
    }
}

impl Workspace<'_> {
    /// Takes notice of the roots of sums in `e`.
    pub(super) fn register_radicals(&mut self, e: &Expr) -> Option<()> {
        for node in postorder(std::slice::from_ref(e), |n| {
            !matches!(n.kind(), Kind::Function(..))
        }) {
            let Kind::Product(factors) = node.kind() else {
                continue;
            };
            for (base, r) in factors {
                let is_root = !r.is_integer() && matches!(base.kind(), Kind::Sum(..));
                if let (true, Some((_, index))) = (is_root, r.as_small()) {
                    self.register(base, Exponent::try_from(index).ok()?)?;
                }
            }
        }
        Some(())
    }

    fn register(&mut self, base: &Expr, index: Exponent) -> Option<()> {
        let (atom, _) = self.atoms.power(base, &Rational::new(1, index.into()))?;
        if self.radicals.iter().any(|r| r.atom == atom) {
            return Some(());
        }
        let Quotient { above, below } = self.multiplied(base)?;
        if below.is_empty() {
            let (m, c, primitive) = above.primitive();
            self.radicals.push(Radical {
                atom,
                index,
                content: (m, c),
                primitive,
            });
        }
        Some(())
    }

    /// 1/sum^k as a power of the root of that sum, if there is one.
    pub(super) fn below_as_root(&self, f: &Terms, k: u32) -> Option<(Monomial, Rational)> {
        let radical = self.radicals.iter().find(|r| r.primitive == *f)?;
        let k = Exponent::try_from(k).ok()?;
        radical.exchange(k, -k)
    }

    /// Writes r^q as the radicand wherever a term has more roots than another, and radicands that
    /// can be divided out as roots.
    pub(super) fn resolved(&mut self, above: Terms) -> Option<Terms> {
        let mut above = above;
        for radical in self.radicals.clone() {
            above = self.with_radicand(&above, &radical)?;
            while radical.lowest_exponent(&above) < 0 {
                let Some(q) = self.divided(&above, &radical.primitive) else {
                    break;
                };
                let (m, c) = radical.exchange(-1, 1)?;
                above = self.with_radicand(&q.scaled(&m, &c), &radical)?;
            }
        }
        Some(above)
    }

    fn with_radicand(&mut self, t: &Terms, radical: &Radical) -> Option<Terms> {
        let low = radical.lowest_exponent(t);
        let excess = |m: &Monomial| (m.exponent(radical.atom) - low) / radical.index;
        if t.iter().all(|(m, _)| excess(m) == 0) {
            return Some(t.clone());
        }
        let mut all = Vec::new();
        for (m, c) in t.iter() {
            let k = excess(m);
            let power = radical
                .primitive
                .pow(u32::try_from(k).ok()?, &mut self.budget)?;
            let (n, d) = radical.exchange(k, -k)?;
            self.budget.spend(power.len())?;
            all.extend(power.scaled(&m.times(&n), &(c * &d)).iter().cloned());
        }
        Some(Terms::collect(all))
    }
}
