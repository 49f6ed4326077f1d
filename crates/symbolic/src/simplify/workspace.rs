//! What one simplification works with, and the candidate forms that it makes.

use super::Simplifier;
use super::angles::{Drop, doubled, merged, reduced};
use super::atoms::Atoms;
use super::budget::Budget;
use super::cost::Costs;
use super::divisor::may_share_divisor;
use super::expand_angles::expanded_angles;
use super::quotient::Quotient;
use super::radicals::Radical;
use super::terms::Terms;
use crate::hash::Map;
use crate::node::Kind;
use crate::walk::postorder;
use crate::{Expr, cancel_within};

/// Which candidates to make.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    All,
    /// Only the one that leaves products of sums as they are.
    InPlace,
}

pub(super) struct Workspace<'a> {
    pub(super) atoms: Atoms,
    pub(super) budget: Budget,
    limit: usize,
    /// Are squares and binomial factors looked for?
    pub(super) binomials: bool,
    /// What all candidates have used so far.
    pub(super) spent: usize,
    pub(super) costs: &'a mut Costs,
    /// Roots met so far.
    pub(super) radicals: Vec<Radical>,
    /// Formulas made so far: the same terms come round again and again.
    polished: Map<Terms, Expr>,
    pub(super) factored: Map<Terms, Expr>,
}

impl<'a> Workspace<'a> {
    pub(super) fn new(costs: &'a mut Costs, how: &Simplifier) -> Self {
        Workspace {
            atoms: Atoms::default(),
            budget: Budget::new(how.budget),
            limit: how.budget,
            binomials: how.binomials,
            spent: 0,
            costs,
            radicals: Vec::new(),
            polished: Map::default(),
            factored: Map::default(),
        }
    }

    /// Other ways to write `e`.
    pub(super) fn candidates(&mut self, e: &Expr, effort: Effort) -> Vec<Expr> {
        let mut all = Vec::new();
        all.extend(self.with_fresh_budget(e, |bench, e| Some(bench.in_place(e))));
        if effort == Effort::InPlace {
            return all;
        }
        all.extend(self.with_fresh_budget(e, Self::as_few_quotients));
        all.extend(self.with_fresh_budget(e, Self::as_one_quotient));
        if let Some(apart) = expanded_angles(e) {
            all.extend(self.with_fresh_budget(&apart, Self::as_one_quotient));
        }
        all
    }

    /// One candidate; what another has spent does not count.
    fn with_fresh_budget(
        &mut self,
        e: &Expr,
        make: impl Fn(&mut Self, &Expr) -> Option<Expr>,
    ) -> Option<Expr> {
        self.budget = Budget::new(self.limit);
        let candidate = make(self, e);
        self.spent += self.budget.spent();
        candidate
    }

    /// Every sum on its own, products of sums left as they are.
    fn in_place(&mut self, e: &Expr) -> Expr {
        let mut done: Map<Expr, Expr> = Map::default();
        let is_atom = |e: &Expr| matches!(e.kind(), Kind::Function(..) | Kind::Symbol(_));
        for node in postorder(std::slice::from_ref(e), |n| !is_atom(n)) {
            let rebuilt = node
                .kind()
                .rebuild(|c| done.get(c).unwrap_or(c).clone())
                .unwrap_or_else(|| node.clone());
            let value = match rebuilt.kind() {
                Kind::Sum(..) => match self.atoms.terms(&rebuilt) {
                    Some(terms) => self.polished(&terms),
                    None => rebuilt,
                },
                _ => rebuilt,
            };
            done.insert(node, value);
        }
        done.remove(e).unwrap_or_else(|| e.clone())
    }

    /// Everything over one denominator, cancelled, then factored again.
    fn as_one_quotient(&mut self, e: &Expr) -> Option<Expr> {
        let q = self.quotient(e)?;
        let q = self.in_lowest_terms(e, &q).unwrap_or(q);
        Some(self.written(&q))
    }

    /// Looks for a common divisor of numerator and denominator that division has not found.
    fn in_lowest_terms(&mut self, e: &Expr, q: &Quotient) -> Option<Quotient> {
        if !q.below.iter().any(|(f, _)| may_share_divisor(&q.above, f)) {
            return None;
        }
        let small = crate::Budget {
            terms: self.limit,
            work: 4 * self.limit as u64,
        };
        let cancelled = self.quotient(&cancel_within(e, small)?)?;
        let degree = |q: &Quotient| {
            q.below
                .iter()
                .map(|(f, k)| f.len() * *k as usize)
                .sum::<usize>()
        };
        (degree(&cancelled) < degree(q)).then_some(cancelled)
    }

    /// Only terms with the same denominators put together.
    fn as_few_quotients(&mut self, e: &Expr) -> Option<Expr> {
        let all = self.quotients(e)?;
        Some(Expr::sum(all.iter().map(|q| self.written(q))))
    }

    fn written(&mut self, Quotient { above, below }: &Quotient) -> Expr {
        let denominator: Vec<Expr> = below
            .iter()
            .map(|(f, k)| self.polished(f).powi(-i64::from(*k)))
            .collect();
        self.polished(above) * Expr::product(denominator)
    }

    /// The shortest formula found for the terms.
    fn polished(&mut self, terms: &Terms) -> Expr {
        if let Some(formula) = self.polished.get(terms) {
            return formula.clone();
        }
        let formula = self.polish(terms);
        self.polished.insert(terms.clone(), formula.clone());
        formula
    }

    fn polish(&mut self, terms: &Terms) -> Expr {
        let mut best: Option<(u64, Expr)> = None;
        for variant in self.variants(terms) {
            let formula = self.factored(&variant);
            let cost = self.costs.of(&formula);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, formula));
            }
        }
        best.map_or_else(|| self.atoms.sum(terms), |(_, formula)| formula)
    }

    /// The terms in different trigonometric dress.
    fn variants(&mut self, terms: &Terms) -> Vec<Terms> {
        let mut all = vec![terms.clone()];
        if let Some(base) = merged(terms, &mut self.atoms, &mut self.budget) {
            let reduced = self.best_reduced(&base);
            all.push(base);
            all.extend(reduced);
        }
        for i in 0..all.len() {
            all.extend(doubled(&all[i], &mut self.atoms));
        }
        // More terms hardly ever make a shorter formula.
        let fewest = all.iter().map(Terms::len).min().unwrap_or(0);
        all.retain(|t| t.len() == fewest);
        let mut distinct: Vec<Terms> = Vec::new();
        for t in all {
            if !distinct.contains(&t) {
                distinct.push(t);
            }
        }
        distinct
    }

    /// Angle by angle without squares of the sine, or of the cosine, where that leaves fewer terms.
    fn best_reduced(&mut self, terms: &Terms) -> Option<Terms> {
        let mut best = terms.clone();
        for angle in self.atoms.squared_angles(terms) {
            for drop in [Drop::Sine, Drop::Cosine] {
                let other = reduced(&best, angle, drop, &mut self.budget)?;
                // Merging seldom makes up for many new terms.
                if other == best || other.len() > 2 * best.len() {
                    continue;
                }
                let other = merged(&other, &mut self.atoms, &mut self.budget)?;
                if other.len() < best.len() {
                    best = other;
                }
            }
        }
        Some(best)
    }
}
