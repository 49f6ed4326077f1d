//! Squares and products of binomials that hide in a longer sum.

use super::monomial::Monomial;
use super::terms::Terms;
use super::workspace::Workspace;
use crate::{Expr, Rational};

/// Longer sums are not looked through pair by pair.
const LONGEST: usize = 16;

impl Workspace<'_> {
    /// Other ways to write a sum, by a square or by a factor.
    pub(super) fn by_binomials(&mut self, t: &Terms, depth: u32) -> Vec<Expr> {
        let mut all = self.with_square(t, depth);
        if let Some((binomial, quotient)) = self.binomial_factor(t) {
            let binomial = self.factored_at(&binomial, depth + 1);
            all.push(binomial * self.factored_at(&quotient, depth + 1));
        }
        all
    }

    /// B v² ± 2 B v w + A w² as B (v ± w)² + (A − B) w²: v and w velocities, or anything where B is a number.
    fn with_square(&mut self, t: &Terms, depth: u32) -> Vec<Expr> {
        let by_velocities = t.grouped(|a| self.is_collected(a));
        let term_by_term = t.grouped(|_| true);
        let mut all = Vec::new();
        for groups in [by_velocities, term_by_term] {
            let pairs = groups.len() * groups.len();
            if !(3..=LONGEST).contains(&groups.len()) || self.budget.spend(pairs).is_none() {
                continue;
            }
            if let Some(square) = square_among(&groups) {
                let rest = self.factored_at(&t.minus(&square), depth + 1);
                all.push(self.factored_at(&square, depth + 1) + rest);
            }
        }
        all
    }

    /// A sum of two terms of t that divides it, and the quotient.
    fn binomial_factor(&mut self, t: &Terms) -> Option<(Terms, Terms)> {
        if !(4..=LONGEST).contains(&t.len()) {
            return None;
        }
        let mut tried: Vec<Terms> = Vec::new();
        for (i, first) in t.iter().enumerate() {
            for second in t.iter().skip(i + 1) {
                let pair = Terms::collect(vec![first.clone(), second.clone()]);
                let (_, _, binomial) = pair.primitive();
                if tried.contains(&binomial) {
                    continue;
                }
                self.budget.spend(1)?;
                if let Some(quotient) = t.divided_by(&binomial, &mut self.budget) {
                    return Some((binomial, quotient));
                }
                tried.push(binomial);
            }
        }
        None
    }
}

/// B (v² ± 2 v w + w²) where v w has the coefficient ±2 B and v² has B; best where w² has B too.
fn square_among(groups: &[(Monomial, Terms)]) -> Option<Terms> {
    let coefficient = |key: &Monomial| groups.iter().find(|(k, _)| k == key).map(|(_, c)| c);
    let half = Rational::new(1, 2);
    let mut partial = None;
    for (cross, c) in groups {
        let b = c.scaled(&Monomial::default(), &half);
        let minus_b = b.scaled(&Monomial::default(), &Rational::MINUS_ONE);
        for (first, a) in groups.iter().filter(|(key, _)| key != cross) {
            if *a != b && *a != minus_b {
                continue;
            }
            let second = cross.times(cross).over(first);
            let Some(other) = coefficient(&second) else {
                continue;
            };
            let square = a.scaled(first, &Rational::ONE);
            let square = square.plus(&a.scaled(&second, &Rational::ONE));
            let square = square.plus(&c.scaled(cross, &Rational::ONE));
            if other == a {
                return Some(square);
            }
            // x² + 2 x + 2 is not written as (x + 1)² + 1.
            if !first.is_one() && !second.is_one() {
                partial = partial.or(Some(square));
            }
        }
    }
    partial
}
