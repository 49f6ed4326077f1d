//! Formulas as one numerator over a product of sums, multiplied out and cancelled.

use super::angles::{Drop, merged, reduced};
use super::monomial::{Atom, Monomial};
use super::terms::Terms;
use super::workspace::Workspace;
use crate::hash::Map;
use crate::node::Kind;
use crate::walk::postorder;
use crate::{Expr, Rational};

/// `above / Π below^k`. What is below is primitive and has two terms or more; monomials below the
/// bar are negative exponents above it.
#[derive(Clone)]
pub(super) struct Quotient {
    pub(super) above: Terms,
    pub(super) below: Vec<(Terms, u32)>,
}

/// Powers of sums beyond this are not multiplied out.
const MAX_POWER: u32 = 16;

impl From<Terms> for Quotient {
    fn from(above: Terms) -> Self {
        Quotient {
            above,
            below: Vec::new(),
        }
    }
}

impl Workspace<'_> {
    /// The quotient that `e` is, in lowest terms; `None` beyond the budget.
    pub(super) fn quotient(&mut self, e: &Expr) -> Option<Quotient> {
        self.register_radicals(e)?;
        let q = self.multiplied(e)?;
        self.cancelled(q)
    }

    /// The terms of a sum that have the same denominators and roots, each lot as one quotient.
    pub(super) fn quotients(&mut self, e: &Expr) -> Option<Vec<Quotient>> {
        let Kind::Sum(c, terms) = e.kind() else {
            return None;
        };
        self.register_radicals(e)?;
        let mut lots: Vec<(Vec<Atom>, Vec<Quotient>)> = Vec::new();
        for (t, c) in terms {
            let mut q = self.multiplied(t)?;
            q.above = q.above.scaled(&Monomial::default(), c);
            let roots = self.roots_in(&q.above);
            let alike = |(r, lot): &(Vec<Atom>, Vec<Quotient>)| {
                *r == roots && lot.iter().all(|p| p.below == q.below)
            };
            match lots.iter_mut().find(|lot| alike(lot)) {
                Some((_, lot)) => lot.push(q),
                None => lots.push((roots, vec![q])),
            }
        }
        if lots.len() < 2 {
            return None;
        }
        let mut sums = vec![Quotient::from(Terms::constant(c.clone()))];
        for (_, lot) in lots {
            let sum = self.add(&lot)?;
            sums.push(self.cancelled(sum)?);
        }
        Some(sums)
    }

    fn roots_in(&self, t: &Terms) -> Vec<Atom> {
        let atoms = t.atoms();
        let roots = self.radicals.iter().map(|r| r.atom);
        roots.filter(|r| atoms.contains(r)).collect()
    }

    /// `e` multiplied out, not yet cancelled.
    pub(super) fn multiplied(&mut self, e: &Expr) -> Option<Quotient> {
        let mut done: Map<Expr, Quotient> = Map::default();
        let is_atom = |e: &Expr| matches!(e.kind(), Kind::Function(..));
        for node in postorder(std::slice::from_ref(e), |n| !is_atom(n)) {
            let value = match node.kind() {
                Kind::Scaled(c, x) => {
                    let mut q = self.part(&done, x)?;
                    q.above = q.above.scaled(&Monomial::default(), c);
                    q
                }
                Kind::Sum(c, terms) => {
                    let mut parts = vec![Quotient::from(Terms::constant(c.clone()))];
                    for (t, c) in terms {
                        let mut q = self.part(&done, t)?;
                        q.above = q.above.scaled(&Monomial::default(), c);
                        parts.push(q);
                    }
                    self.add(&parts)?
                }
                Kind::Product(factors) => {
                    let mut all = Quotient::from(Terms::constant(Rational::ONE));
                    for (base, r) in factors {
                        let power = self.power(&done, base, r)?;
                        all = self.multiply(&all, &power)?;
                    }
                    all
                }
                _ => self.part(&done, &node)?,
            };
            done.insert(node, value);
        }
        self.part(&done, e)
    }

    fn part(&mut self, done: &Map<Expr, Quotient>, e: &Expr) -> Option<Quotient> {
        if let Some(q) = done.get(e) {
            return Some(q.clone());
        }
        let (m, c) = self.atoms.monomial(e)?;
        Some(Terms::term(m, c).into())
    }

    /// base^r; only whole powers are multiplied out.
    fn power(&mut self, done: &Map<Expr, Quotient>, base: &Expr, r: &Rational) -> Option<Quotient> {
        let Some(k) = r.as_integer() else {
            let (atom, exponent) = self.atoms.power(base, r)?;
            return Some(Terms::term(Monomial::power(atom, exponent), Rational::ONE).into());
        };
        let size = u32::try_from(k.unsigned_abs()).ok()?;
        let q = self.part(done, base)?;
        let q = if k < 0 { self.inverse(q)? } else { q };
        if q.above.len() > 1 && size > MAX_POWER {
            return None;
        }
        Some(Quotient {
            above: q.above.pow(size, &mut self.budget)?,
            below: q.below.into_iter().map(|(f, j)| (f, j * size)).collect(),
        })
    }

    fn inverse(&mut self, q: Quotient) -> Option<Quotient> {
        let above = self.representative(&q.above)?;
        let (m, c, primitive) = above.primitive();
        let number = Terms::term(Monomial::default().over(&m), c.recip()?);
        let mut above = self.multiplied_out(&number, &q.below)?;
        let mut below = Vec::new();
        for (f, k) in self.fully_split(primitive) {
            match self.below_as_root(&f, k) {
                Some((m, c)) => above = above.scaled(&m, &c),
                None => below.push((f, k)),
            }
        }
        Some(Quotient { above, below })
    }

    /// A sum that s² + c² = 1 makes a single term; else the sum as it is, because only what has
    /// been multiplied in as it is can be divided out again.
    fn representative(&mut self, t: &Terms) -> Option<Terms> {
        let short = merged(t, &mut self.atoms, &mut self.budget)?;
        Some(if short.len() < 2 { short } else { t.clone() })
    }

    /// The place of a factor in a list, up to s² + c² = 1.
    fn position(&mut self, list: &[(Terms, u32)], f: &Terms) -> Option<usize> {
        if let Some(i) = list.iter().position(|(g, _)| g == f) {
            return Some(i);
        }
        if list.is_empty() || self.atoms.squared_angles(f).is_empty() {
            return None;
        }
        let reduced = self.all_reduced(f, Drop::Sine)?;
        (0..list.len())
            .find(|i| self.all_reduced(&list[*i].0, Drop::Sine).as_ref() == Some(&reduced))
    }

    fn insert(&mut self, below: &mut Vec<(Terms, u32)>, f: Terms, k: u32) {
        match self.position(below, &f) {
            Some(i) => below[i].1 += k,
            None => below.push((f, k)),
        }
    }

    /// Splits a sum as far as it shows its factors.
    fn fully_split(&mut self, t: Terms) -> Vec<(Terms, u32)> {
        let mut open = vec![(t, 1)];
        let mut done = Vec::new();
        while let Some((t, k)) = open.pop() {
            if t.is_one() {
                continue;
            }
            match self.split(&t) {
                Some(parts) => open.extend(parts.into_iter().map(|(f, j)| (f, j * k))),
                None => self.insert(&mut done, t, k),
            }
        }
        done
    }

    fn multiplied_out(&mut self, t: &Terms, factors: &[(Terms, u32)]) -> Option<Terms> {
        let mut all = t.clone();
        for (f, k) in factors {
            for _ in 0..*k {
                all = all.times(f, &mut self.budget)?;
            }
        }
        Some(all)
    }

    fn multiply(&mut self, a: &Quotient, b: &Quotient) -> Option<Quotient> {
        let mut below = a.below.clone();
        for (f, k) in &b.below {
            self.insert(&mut below, f.clone(), *k);
        }
        Some(Quotient {
            above: a.above.times(&b.above, &mut self.budget)?,
            below,
        })
    }

    fn add(&mut self, parts: &[Quotient]) -> Option<Quotient> {
        let mut below: Vec<(Terms, u32)> = Vec::new();
        for (f, k) in parts.iter().flat_map(|q| &q.below) {
            match self.position(&below, f) {
                Some(i) => below[i].1 = below[i].1.max(*k),
                None => below.push((f.clone(), *k)),
            }
        }
        let mut all = Vec::new();
        for q in parts {
            let mut missing = below.clone();
            for (f, k) in &q.below {
                if let Some(i) = self.position(&below, f) {
                    missing[i].1 = missing[i].1.saturating_sub(*k);
                }
            }
            all.extend(self.multiplied_out(&q.above, &missing)?.iter().cloned());
        }
        self.budget.spend(all.len())?;
        Some(Quotient {
            above: Terms::collect(all),
            below,
        })
    }

    /// Divides the numerator by what is below as often as it goes.
    fn cancelled(&mut self, q: Quotient) -> Option<Quotient> {
        let mut above = self.resolved(q.above)?;
        let mut below = Vec::new();
        for (f, mut k) in q.below {
            while k > 0 && !above.is_zero() {
                match self.divided(&above, &f) {
                    Some(quotient) => above = quotient,
                    None => break,
                }
                k -= 1;
            }
            if k > 0 {
                below.push((f, k));
            }
        }
        if above.is_zero() {
            below.clear();
        }
        Some(Quotient { above, below })
    }

    /// The quotient modulo s² + c² = 1, by division of representatives of lowest degree.
    pub(super) fn divided(&mut self, above: &Terms, f: &Terms) -> Option<Terms> {
        if let Some(q) = self.divide_content(above, f) {
            return Some(q);
        }
        for drop in [Drop::Sine, Drop::Cosine] {
            let (n, d) = (self.all_reduced(above, drop)?, self.all_reduced(f, drop)?);
            if (&n, &d) != (above, f)
                && let Some(q) = self.divide_content(&n, &d)
            {
                return Some(q);
            }
        }
        None
    }

    fn divide_content(&mut self, above: &Terms, f: &Terms) -> Option<Terms> {
        let (m, c, primitive) = above.primitive();
        let (n, d, divisor) = f.primitive();
        let q = primitive.divided_by(&divisor, &mut self.budget)?;
        Some(q.scaled(&m.over(&n), &(&c * &d.recip()?)))
    }

    fn all_reduced(&mut self, t: &Terms, drop: Drop) -> Option<Terms> {
        let mut t = t.clone();
        for angle in self.atoms.squared_angles(&t) {
            t = reduced(&t, angle, drop, &mut self.budget)?;
        }
        Some(t)
    }
}
