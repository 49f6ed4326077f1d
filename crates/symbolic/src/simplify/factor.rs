//! From terms back to a formula: common factors outside, powers of sums, velocities collected.

use super::monomial::{Atom, Monomial};
use super::occurrence::Side;
use super::terms::Terms;
use super::workspace::Workspace;
use crate::{Expr, Rational, Role};

/// Factoring nests no deeper than this; what is left then stays a plain sum.
const MAX_DEPTH: u32 = 10;

impl Workspace<'_> {
    /// The shortest factored form found.
    pub(super) fn factored(&mut self, t: &Terms) -> Expr {
        self.factored_at(t, 0)
    }

    pub(super) fn factored_at(&mut self, t: &Terms, depth: u32) -> Expr {
        if t.len() < 2 || depth > MAX_DEPTH {
            return self.atoms.sum(t);
        }
        if let Some(formula) = self.factored.get(t) {
            return formula.clone();
        }
        if self.budget.spend(t.len()).is_none() {
            return self.atoms.sum(t);
        }
        let formula = self.factor(t, depth);
        self.factored.insert(t.clone(), formula.clone());
        formula
    }

    fn factor(&mut self, t: &Terms, depth: u32) -> Expr {
        let (common, number, primitive) = t.primitive();
        let whole = self.body(&primitive, depth) * self.atoms.product(&common, &number);
        let shared = shared_part(t);
        if shared == common {
            return whole;
        }
        // Terms with denominators of their own: one fraction, or several?
        let inverse = number.recip().unwrap_or(Rational::ONE);
        let rest = t.scaled(&Monomial::default().over(&shared), &inverse);
        let apart = self.body(&rest, depth) * self.atoms.product(&shared, &number);
        self.cheaper(whole, apart)
    }

    fn cheaper(&mut self, a: Expr, b: Expr) -> Expr {
        if self.costs.of(&b) < self.costs.of(&a) {
            b
        } else {
            a
        }
    }

    /// A sum without common factor.
    fn body(&mut self, t: &Terms, depth: u32) -> Expr {
        if let Some(factors) = self.split(t) {
            let factors: Vec<_> = factors
                .into_iter()
                .map(|(f, k)| {
                    (
                        self.factored_at(&f, depth + 1),
                        Rational::from(i64::from(k)),
                    )
                })
                .collect();
            return Expr::power_product(factors);
        }
        let mut best = self.greedy(t, depth);
        if let Some(collected) = self.collected(t, depth) {
            best = self.cheaper(collected, best);
        }
        let others = match self.binomials {
            true => self.by_binomials(t, depth),
            false => Vec::new(),
        };
        let cheaper = |best, other| self.cheaper(best, other);
        others.into_iter().fold(best, cheaper)
    }

    /// Factors of a sum that show themselves: it is a power, or its coefficients in some atom are
    /// multiples of one sum. `None` if it does not fall apart.
    pub(super) fn split(&mut self, t: &Terms) -> Option<Vec<(Terms, u32)>> {
        if t.len() < 3 {
            return None;
        }
        for k in [2, 3] {
            if let Some(root) = t.root(k, &mut self.budget) {
                return Some(vec![(root, k)]);
            }
        }
        if t.len() < 4 {
            return None;
        }
        for (atom, occurrence) in t.occurrences() {
            if !occurrence.may_group_evenly(t.len()) {
                continue;
            }
            self.budget.spend(t.len())?;
            if let Some(groups) = t.even_groups(atom)
                && let Some((common, cofactor)) = proportional(&groups)
            {
                return Some(vec![(common, 1), (cofactor, 1)]);
            }
        }
        None
    }

    pub(super) fn is_collected(&self, a: Atom) -> bool {
        let symbol = self.atoms.expr(a).as_symbol();
        symbol.is_some_and(|s| self.costs.collects(s))
    }

    /// Collected in the velocities; those with the same coefficient share it.
    fn collected(&mut self, t: &Terms, depth: u32) -> Option<Expr> {
        let groups = t.grouped(|a| self.is_collected(a));
        if groups.len() < 2 || groups.len() == t.len() {
            return None;
        }
        let mut shares: Vec<(Terms, Vec<(Monomial, Rational)>)> = Vec::new();
        for (velocities, coefficient) in groups {
            let (common, number, primitive) = coefficient.primitive();
            let item = (velocities.times(&common), number);
            match shares.iter_mut().find(|(p, _)| *p == primitive) {
                Some((_, items)) => items.push(item),
                None => shares.push((primitive, vec![item])),
            }
        }
        let parts: Vec<Expr> = shares
            .into_iter()
            .map(|(primitive, items)| {
                let velocities = self.factored_at(&Terms::collect(items), depth + 1);
                if primitive.is_one() {
                    velocities
                } else {
                    self.factored_at(&primitive, depth + 1) * velocities
                }
            })
            .collect();
        Some(Expr::sum(parts))
    }

    /// Takes out the atom that saves most, again and again.
    fn greedy(&mut self, t: &Terms, depth: u32) -> Expr {
        let mut rest = t.clone();
        let mut parts = Vec::new();
        while let Some((atom, above)) = self.best_factor(&rest) {
            let has = |m: &Monomial| (m.exponent(atom) > 0) == above && m.exponent(atom) != 0;
            let (with, without) = rest.partition(has);
            if without.is_zero() && with.len() == t.len() {
                break;
            }
            parts.push(self.factored_at(&with, depth + 1));
            rest = without;
        }
        parts.push(self.atoms.sum(&rest));
        Expr::sum(parts)
    }

    /// The atom (above or below the fraction bar) whose repetition costs most.
    fn best_factor(&mut self, t: &Terms) -> Option<(Atom, bool)> {
        if t.len() < 2 {
            return None;
        }
        self.budget.spend(t.len())?;
        let mut best: Option<(u64, (Atom, bool))> = None;
        for (atom, occurrence) in t.occurrences() {
            let once = self.costs.of(self.atoms.expr(atom)) + 1;
            for (above, side) in [(true, occurrence.above), (false, occurrence.below)] {
                let repeated = (side.terms as u64).saturating_sub(1);
                let brackets = 2;
                let saved = (repeated * once).saturating_sub(brackets);
                if saved > best.map_or(0, |(most, _)| most) && self.may_come_out(atom, side) {
                    best = Some((saved, (atom, above)));
                }
            }
        }
        best.map(|(_, choice)| choice)
    }

    /// Parameters and functions come out of any terms. A polynomial in moving quantities is not
    /// nested (x² + 2xy + 1 stays); velocities come out by collection only.
    fn may_come_out(&self, atom: Atom, side: Side) -> bool {
        match self.atoms.expr(atom).as_symbol() {
            Some(s) if self.costs.collects(s) => false,
            Some(s) if s.role() != Role::Constant => side.is_uniform(),
            _ => true,
        }
    }
}

/// The exponents that all terms have on the same side of the fraction bar.
fn shared_part(t: &Terms) -> Monomial {
    let occurrences = t.occurrences().into_iter();
    occurrences.fold(Monomial::default(), |shared, (atom, occurrence)| {
        shared.times_power(atom, occurrence.shared(t.len()))
    })
}

/// If all groups are multiples of one sum: that sum and the multipliers.
fn proportional(groups: &[(Monomial, Terms)]) -> Option<(Terms, Terms)> {
    let (_, _, common) = groups.first()?.1.primitive();
    let mut multipliers = Vec::new();
    for (key, group) in groups {
        let (m, c, primitive) = group.primitive();
        if primitive != common {
            return None;
        }
        multipliers.push((key.times(&m), c));
    }
    Some((common, Terms::collect(multipliers)))
}
