//! Formulas as one numerator over a product of sums, multiplied out and cancelled.

use super::angles::{Drop, merged, reduced};
use super::terms::{Monomial, Terms};
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
    /// The quotient that `e` is; `None` beyond the budget.
    pub(super) fn quotient(&mut self, e: &Expr) -> Option<Quotient> {
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
        let q = self.part(&done, e)?;
        self.cancelled(q)
    }

    fn part(&mut self, done: &Map<Expr, Quotient>, e: &Expr) -> Option<Quotient> {
        if let Some(q) = done.get(e) {
            return Some(q.clone());
        }
        let (m, c) = self.atoms.monomial(e)?;
        Some(Terms::term(m, c).into())
    }

    /// base^r: whole powers are multiplied out, the fraction of the exponent stays a root.
    fn power(&mut self, done: &Map<Expr, Quotient>, base: &Expr, r: &Rational) -> Option<Quotient> {
        let whole = r.floor();
        let k = whole.as_integer()?;
        let size = u32::try_from(k.unsigned_abs()).ok()?;
        let q = self.part(done, base)?;
        let q = if k < 0 { self.inverse(q)? } else { q };
        if q.above.len() > 1 && size > MAX_POWER {
            return None;
        }
        let result = Quotient {
            above: q.above.pow(size, &mut self.budget)?,
            below: q.below.into_iter().map(|(f, j)| (f, j * size)).collect(),
        };
        let fraction = r - &whole;
        if fraction.is_zero() {
            return Some(result);
        }
        let (atom, exponent) = self.atoms.power(base, &fraction)?;
        let root = Terms::term(Monomial::power(atom, exponent), Rational::ONE);
        self.multiply(&result, &root.into())
    }

    fn inverse(&mut self, q: Quotient) -> Option<Quotient> {
        let above = self.representative(&q.above)?;
        let (m, c, primitive) = above.primitive();
        let number = Terms::term(Monomial::default().over(&m), c.recip()?);
        let numerator = self.multiplied_out(&number, &q.below)?;
        let below = self.fully_split(primitive);
        Some(Quotient {
            above: numerator,
            below,
        })
    }

    /// One form for all sums that differ by s² + c² = 1, so that denominators are recognised.
    fn representative(&mut self, t: &Terms) -> Option<Terms> {
        let short = merged(t, &mut self.atoms, &mut self.budget)?;
        if short.len() < 2 {
            return Some(short);
        }
        self.all_reduced(t, Drop::Sine)
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
                None => insert(&mut done, t, k),
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
            insert(&mut below, f.clone(), *k);
        }
        Some(Quotient {
            above: a.above.times(&b.above, &mut self.budget)?,
            below,
        })
    }

    fn add(&mut self, parts: &[Quotient]) -> Option<Quotient> {
        let mut below: Vec<(Terms, u32)> = Vec::new();
        for (f, k) in parts.iter().flat_map(|q| &q.below) {
            match below.iter_mut().find(|(g, _)| g == f) {
                Some((_, j)) => *j = (*j).max(*k),
                None => below.push((f.clone(), *k)),
            }
        }
        let mut all = Vec::new();
        for q in parts {
            let missing: Vec<(Terms, u32)> = below
                .iter()
                .map(|(f, k)| {
                    let own = q.below.iter().find(|(g, _)| g == f).map_or(0, |(_, j)| *j);
                    (f.clone(), k - own)
                })
                .collect();
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
        let mut above = q.above;
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
    fn divided(&mut self, above: &Terms, f: &Terms) -> Option<Terms> {
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

fn insert(below: &mut Vec<(Terms, u32)>, f: Terms, k: u32) {
    match below.iter_mut().find(|(g, _)| *g == f) {
        Some((_, j)) => *j += k,
        None => below.push((f, k)),
    }
}
