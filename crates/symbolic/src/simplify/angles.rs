//! Pythagoras and the addition theorems, term by term: every step makes the sum shorter.

use super::atoms::{Angle, Atoms};
use super::budget::Budget;
use super::monomial::{Atom, Monomial};
use super::terms::Terms;
use crate::hash::Map;
use crate::{Expr, Rational};

/// A sum under rewriting: its terms, and those that may still take part in a rule.
struct Rewriting<'a> {
    atoms: &'a mut Atoms,
    terms: Map<Monomial, Rational>,
    open: Vec<Monomial>,
}

/// Applies s² + c² = 1, sin a cos b ± cos a sin b = sin(a ± b), cos a cos b ± sin a sin b =
/// cos(a ∓ b) and their hyperbolic forms as long as terms merge.
pub(super) fn merged(terms: &Terms, atoms: &mut Atoms, budget: &mut Budget) -> Option<Terms> {
    let mut open: Vec<Monomial> = terms.iter().map(|(m, _)| m.clone()).collect();
    open.reverse();
    let mut rewriting = Rewriting {
        atoms,
        terms: terms.clone().into_map(),
        open,
    };
    let mut changed = false;
    while let Some(m) = rewriting.open.pop() {
        budget.spend(2)?;
        if rewriting.terms.contains_key(&m) && rewriting.merge(&m).is_some() {
            changed = true;
            // The term may take part in more than one rule.
            rewriting.open.push(m);
        }
    }
    Some(if changed {
        Terms::from_map(rewriting.terms)
    } else {
        terms.clone()
    })
}

impl Rewriting<'_> {
    fn coefficient(&self, m: &Monomial) -> Rational {
        self.terms.get(m).cloned().unwrap_or(Rational::ZERO)
    }

    fn set(&mut self, m: Monomial, c: Rational) {
        if c.is_zero() {
            self.terms.remove(&m);
        } else {
            self.open.push(m.clone());
            self.terms.insert(m, c);
        }
    }

    fn add(&mut self, m: Monomial, c: &Rational) {
        let sum = &self.coefficient(&m) + c;
        self.set(m, sum);
    }

    /// Merges the term with others; `None` if no rule applies.
    fn merge(&mut self, m: &Monomial) -> Option<()> {
        let angles = self.atoms.angles_in(m);
        for (i, x) in angles.iter().enumerate() {
            let (s, c) = (m.exponent(x.sine), m.exponent(x.cosine));
            // The term's part in α + β s² + γ c²: a square, or the 1 beside 1/c².
            let core = if s > 1 {
                Some(m.times_power(x.sine, -2))
            } else if s < 0 || c < 0 {
                Some(m.clone())
            } else {
                None
            };
            if core.is_some_and(|core| self.pythagoras(&core, *x).is_some()) {
                return Some(());
            }
            if c > 1 && self.pythagoras(&m.times_power(x.cosine, -2), *x).is_some() {
                return Some(());
            }
            for y in &angles[..i] {
                if self.addition(m, *x, *y).is_some() {
                    return Some(());
                }
            }
        }
        None
    }

    /// α + β s² + γ c², all times `core`, with fewer terms: as two of them, or as cos(2x).
    fn pythagoras(&mut self, core: &Monomial, x: Angle) -> Option<()> {
        let squares = [
            core.clone(),
            core.times_power(x.sine, 2),
            core.times_power(x.cosine, 2),
        ];
        let [a, b, c] = squares.each_ref().map(|m| self.coefficient(m));
        let count = |k: &[Rational; 3]| k.iter().filter(|k| !k.is_zero()).count();
        let now = count(&[a.clone(), b.clone(), c.clone()]);
        if now < 2 {
            return None;
        }
        let sign = x.sign();
        let zero = Rational::ZERO;
        let without_one = [zero.clone(), &b + &(&sign * &a), &c + &a];
        if without_one[1] == -(&sign * &without_one[2]) && !without_one[2].is_zero() {
            squares.iter().for_each(|m| _ = self.terms.remove(m));
            let twice = 2 * self.atoms.argument(x);
            self.add_times(core, &x.of(&twice).1, &without_one[2]);
            return Some(());
        }
        let without_cosine = [&a + &c, &b - &(&sign * &c), zero.clone()];
        let without_sine = [&a + &(&sign * &b), zero, &c - &(&sign * &b)];
        let best = [without_one, without_cosine, without_sine]
            .into_iter()
            .min_by_key(count)
            .filter(|k| count(k) < now)?;
        for (m, k) in squares.into_iter().zip(best) {
            self.set(m, k);
        }
        Some(())
    }

    fn addition(&mut self, m: &Monomial, a: Angle, b: Angle) -> Option<()> {
        if a.hyperbolic != b.hyperbolic {
            return None;
        }
        for (x, y) in [(a, b), (b, a)] {
            if m.exponent(x.sine) > 0 && m.exponent(y.cosine) > 0 {
                let partner = m.times(&exchange(x.sine, x.cosine, y.cosine, y.sine));
                if let Some(sign) = self.same_size(m, &partner) {
                    let core = m.times(&Monomial::powers([(x.sine, -1), (y.cosine, -1)]));
                    let sum = self.sum_of(x, y, &sign);
                    self.replace_pair(m, &partner, &core, &x.of(&sum).0);
                    return Some(());
                }
            }
        }
        if m.exponent(a.cosine) > 0 && m.exponent(b.cosine) > 0 {
            let partner = m.times(&exchange(a.cosine, a.sine, b.cosine, b.sine));
            if let Some(sign) = self.same_size(m, &partner) {
                let core = m.times(&Monomial::powers([(a.cosine, -1), (b.cosine, -1)]));
                // cos(a - b) = cos a cos b + sin a sin b, but cosh(a + b) has the plus.
                let sign = -(&sign * &a.sign());
                let sum = self.sum_of(a, b, &sign);
                self.replace_pair(m, &partner, &core, &a.of(&sum).1);
                return Some(());
            }
        }
        None
    }

    /// The argument of `a`, plus or minus that of `b`.
    fn sum_of(&self, a: Angle, b: Angle, sign: &Rational) -> Expr {
        self.atoms.argument(a) + Expr::from(sign) * self.atoms.argument(b)
    }

    /// The ratio ±1 of the partner's coefficient to that of `m`.
    fn same_size(&self, m: &Monomial, partner: &Monomial) -> Option<Rational> {
        let (c, d) = (self.terms.get(m)?, self.terms.get(partner)?);
        if c == d {
            Some(Rational::ONE)
        } else if *c == -d {
            Some(Rational::MINUS_ONE)
        } else {
            None
        }
    }

    fn replace_pair(&mut self, m: &Monomial, partner: &Monomial, core: &Monomial, by: &Expr) {
        let c = self.coefficient(m);
        self.terms.remove(m);
        self.terms.remove(partner);
        self.add_times(core, by, &c);
    }

    /// Adds `c·core·factor`.
    fn add_times(&mut self, core: &Monomial, factor: &Expr, c: &Rational) {
        // A sine or cosine is a number, an atom or minus an atom: always a monomial.
        if let Some((m, k)) = self.atoms.monomial(factor) {
            self.add(core.times(&m), &(c * &k));
        }
    }
}

/// The monomial that replaces one `a` by `b` and one `c` by `d`.
fn exchange(a: Atom, b: Atom, c: Atom, d: Atom) -> Monomial {
    Monomial::powers([(a, -1), (b, 1), (c, -1), (d, 1)])
}

/// Which of the two functions of an angle loses its higher powers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Drop {
    Sine,
    Cosine,
}

/// Replaces s² by ±(1 - c²), or c² by 1 ∓ s², wherever such a square occurs.
pub(super) fn reduced(terms: &Terms, x: Angle, drop: Drop, budget: &mut Budget) -> Option<Terms> {
    let sign = x.sign();
    let (dropped, kept, one, square) = match drop {
        Drop::Sine => (x.sine, x.cosine, sign.clone(), -sign),
        Drop::Cosine => (x.cosine, x.sine, Rational::ONE, -sign),
    };
    if !terms.iter().any(|(m, _)| m.exponent(dropped) >= 2) {
        return Some(terms.clone());
    }
    let by = Terms::collect(vec![
        (Monomial::default(), one),
        (Monomial::power(kept, 2), square),
    ]);
    let mut all = Vec::new();
    for (m, c) in terms.iter() {
        let pairs = m.exponent(dropped).max(0) / 2;
        let power = by.pow(u32::try_from(pairs).ok()?, budget)?;
        let rest = m.times_power(dropped, -2 * pairs);
        all.extend(power.scaled(&rest, c).iter().cloned());
        budget.spend(power.len())?;
    }
    Some(Terms::collect(all))
}

/// Writes 2 sin x cos x as sin(2x), term by term, where no new denominator arises.
pub(super) fn doubled(terms: &Terms, atoms: &mut Atoms) -> Option<Terms> {
    let mut all = Vec::new();
    let mut changed = false;
    for (m, c) in terms.iter() {
        let half = c * &Rational::new(1, 2);
        let both = |x: &Angle| m.exponent(x.sine) > 0 && m.exponent(x.cosine) > 0;
        let angle = atoms.angles_in(m).into_iter().find(both);
        match angle {
            Some(x) if half.denominator() <= c.denominator() => {
                let core = m.times_power(x.sine, -1).times_power(x.cosine, -1);
                let twice = 2 * atoms.argument(x);
                let (n, k) = atoms.monomial(&x.of(&twice).0)?;
                all.push((core.times(&n), &half * &k));
                changed = true;
            }
            _ => all.push((m.clone(), c.clone())),
        }
    }
    changed.then(|| Terms::collect(all))
}
