//! Exponentials of potentials as integrals: closed parts split off, a regular base point.

use super::potential::{OneForm, value_at};
use crate::Effort;
use rattleback_geometry::{Frame, Quadrature, in_coordinates, singularities};
use rattleback_symbolic::{Expr, Symbol, expand};

impl OneForm<'_> {
    /// The integral of the form, which is known to be closed; `None` where its coordinates are redundant or no
    /// regular point is found to begin at.
    pub(super) fn quadrature(&self, effort: Effort) -> Option<Quadrature> {
        let q = self.frame.base();
        let mut form = in_coordinates(self.frame, self.components)?;
        let mut factor = Expr::one();
        for (i, s) in q.iter().enumerate() {
            let others = q.iter().filter(|x| *x != s);
            // A component of its own coordinate alone can be integrated apart.
            if !form[i].is_zero() && !form[i].contains_any(others) {
                let (closed, rest) = self.split(s, &form[i], effort);
                factor = super::tidy(&(factor * closed));
                form[i] = rest;
            }
        }
        let base = base_point(q, &form, self.near)?;
        Some(Quadrature::new(factor, q, &form, &base))
    }

    /// f(s) ds as d ln c + r ds with c in closed form: all of it, or those of its terms that allow it.
    fn split(&self, s: &Symbol, f: &Expr, effort: Effort) -> (Expr, Expr) {
        let line = Frame::coordinates(std::slice::from_ref(s));
        let closed = |f: &Expr| {
            let form = OneForm {
                frame: &line,
                components: std::slice::from_ref(f),
                on: &[],
                ..*self
            };
            let found = form.potential(&[], effort).ok()?;
            Some(found.exponential(&Expr::one()))
        };
        if let Some(c) = closed(f) {
            return (c, Expr::zero());
        }
        let terms = expand(f).terms();
        if terms.len() < 2 || terms.len() > MOST_TERMS {
            return (Expr::one(), f.clone());
        }
        let (mut product, mut rest) = (Expr::one(), Vec::new());
        for term in terms {
            match closed(&term) {
                Some(c) => product *= c,
                None => rest.push(term),
            }
        }
        (product, super::tidy(&Expr::sum(rest)))
    }
}

/// Longer sums are integrated as they are.
const MOST_TERMS: usize = 6;

/// A point at which the form is regular: the origin where a straight way leads from there to the start, the
/// start, or any.
fn base_point(q: &[Symbol], form: &[Expr], near: &[(Symbol, Expr)]) -> Option<Vec<(Symbol, Expr)>> {
    let poles = singularities(q, form);
    let everywhere = |value: &Expr| -> Vec<(Symbol, Expr)> {
        q.iter().map(|s| (s.clone(), value.clone())).collect()
    };
    let start: Vec<(Symbol, Expr)> = q
        .iter()
        .map(|s| {
            let stated = near.iter().find(|(n, _)| n == s);
            (s.clone(), stated.map_or_else(Expr::zero, |p| p.1.clone()))
        })
        .collect();
    let parameters: Vec<(Symbol, Expr)> = near
        .iter()
        .filter(|(n, _)| !q.contains(n))
        .cloned()
        .collect();
    let signs = |point: &[(Symbol, Expr)]| -> Option<Vec<bool>> {
        let here = [point, &parameters].concat();
        let value = |e: &Expr| value_at(e, &here).filter(|v| v.is_finite());
        form.iter().try_for_each(|w| value(w).map(|_| ()))?;
        poles
            .iter()
            .map(|p| value(p).filter(|v| v.abs() > 1e-9).map(|v| v > 0.0))
            .collect()
    };
    let origin = everywhere(&Expr::zero());
    let between = |t: i64| -> Vec<(Symbol, Expr)> {
        let part = Expr::ratio(t, WAYPOINTS);
        start.iter().map(|(s, e)| (s.clone(), &part * e)).collect()
    };
    let at_start = signs(&start);
    let connected = || match &at_start {
        Some(there) => (0..WAYPOINTS).all(|t| signs(&between(t)).as_ref() == Some(there)),
        None => signs(&origin).is_some(),
    };
    if connected() {
        return Some(origin);
    }
    if at_start.is_some() {
        return Some(start);
    }
    (1..12)
        .map(|k| everywhere(&Expr::ratio(k, 3)))
        .find(|point| signs(point).is_some())
}

/// Places between the origin and the start at which signs are compared.
const WAYPOINTS: i64 = 16;
