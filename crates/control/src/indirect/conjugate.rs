//! Conjugate points: where the states reached from one start by varied costates lose a direction (AC-PR6).

use super::collocation::Iterate;
use super::field::Field;
use super::jacobi::Jacobi;
use rattleback_numeric::{Dense, Ldlt, independent_rows};

/// What Jacobi fields say of an extremal, in floating point.
#[derive(Clone, Debug, PartialEq)]
pub enum SecondOrder {
    /// No conjugate point up to the end, the cost strictly convex in the controls along the way, and the second variation
    /// positive at the end: a strict local minimum.
    Minimum,
    /// Conjugate points at these times: no minimum beyond the first.
    Conjugate(Vec<f64>),
    /// The cost is not convex in the controls (the Legendre condition fails) at this time.
    Legendre(f64),
    /// The second variation is not positive at the end.
    EndNotPositive,
    /// Not judged.
    Undetermined(Undetermined),
}

/// Why an extremal is not judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undetermined {
    /// The start is not fixed.
    #[error("the start is not fixed")]
    FreeStart,
    /// There are free numbers.
    #[error("numbers are free")]
    FreeNumbers,
    /// There are conditions on the way.
    #[error("conditions hold on the way")]
    Via,
    /// Costates do not move the states in all directions: the linearised system is not controllable.
    #[error("the linearised system does not reach all directions")]
    Uncontrollable,
    /// The first conjugate point is at the end, as far as times are known: beyond it there is no path to judge.
    #[error("a conjugate point is at the end")]
    AtEnd,
    /// The signs are lost in rounding.
    #[error("the second variation is lost in rounding")]
    Rounding,
}

/// The part of the time within which a conjugate point is one of the end.
const AT_END: f64 = 1e-5;

pub(super) fn judge(
    field: &mut Field,
    iterate: &Iterate,
    times: &[f64],
    rows: &[Vec<f64>],
) -> SecondOrder {
    let not = SecondOrder::Undetermined;
    if !field.free.is_empty() {
        return not(Undetermined::FreeNumbers);
    }
    if iterate.stretches.len() > 1 {
        return not(Undetermined::Via);
    }
    if !iterate.has_fixed_start(field) {
        return not(Undetermined::FreeStart);
    }
    for (t, y) in times.iter().zip(rows) {
        match field.is_convex(*t, y, &iterate.theta) {
            Some(true) => {}
            Some(false) => return SecondOrder::Legendre(*t),
            None => return not(Undetermined::Rounding),
        }
    }
    let jacobi = Jacobi::of(field, iterate, times, rows);
    let crossings = match jacobi.crossings(field) {
        Ok(crossings) => crossings,
        Err(why) => return not(why),
    };
    let found: Option<Vec<Vec<f64>>> = (crossings.iter())
        .map(|c| jacobi.refined(field, &iterate.theta, c))
        .collect();
    match found {
        None => return not(Undetermined::Rounding),
        Some(found) if !found.is_empty() => return conjugate(found.concat(), times),
        Some(_) => {}
    }
    let Some((x, p)) = jacobi.last(field) else {
        return not(Undetermined::Rounding);
    };
    match iterate.end_is_positive(field, &x, &p) {
        Some(true) => SecondOrder::Minimum,
        Some(false) => SecondOrder::EndNotPositive,
        None => not(Undetermined::Rounding),
    }
}

/// What conjugate points say of a path that ends with the last time.
fn conjugate(found: Vec<f64>, times: &[f64]) -> SecondOrder {
    let (first, last) = (times[0], times[times.len() - 1]);
    match found.iter().any(|t| last - t > AT_END * (last - first)) {
        true => SecondOrder::Conjugate(found),
        false => SecondOrder::Undetermined(Undetermined::AtEnd),
    }
}

impl Field {
    /// The slopes along independent directions, from those along the entries of the state.
    pub(super) fn along(&self, y: &[f64], slopes: &[f64]) -> Vec<f64> {
        let base = self.system.frame().base().len();
        let mut found = Vec::with_capacity(self.costates);
        for factor in self.system.factors() {
            let own = &slopes[factor.base.clone()];
            match factor.group {
                None => found.push(own[0]),
                Some(group) => {
                    let g = &y[factor.base.clone()];
                    for a in 0..group.dimension() {
                        let unit: Vec<f64> = group.basis(a);
                        let moved = group.rates(factor.trivialization, g, &unit);
                        found.push(moved.iter().zip(own).map(|(m, s)| m * s).sum());
                    }
                }
            }
        }
        found.extend(&slopes[base..]);
        found
    }
}

impl Iterate {
    /// Do the conditions fix the start by themselves?
    fn has_fixed_start(&self, field: &Field) -> bool {
        let Some(slopes) = self.end_slopes(field) else {
            return false;
        };
        let pairs = slopes.start.iter().zip(&slopes.end);
        let alone = pairs.filter(|(_, end)| end.iter().all(|x| *x == 0.0));
        let mut rows: Vec<f64> = alone.flat_map(|(start, _)| start.clone()).collect();
        let mut kept = Vec::new();
        independent_rows(&mut rows, field.costates, &mut kept);
        kept.len() == field.costates
    }

    /// Is Λ_xx + ∂p/∂x, with p(x) the costates of the extremals from the start, positive on the directions that the
    /// conditions at the end leave?
    fn end_is_positive(&self, field: &Field, x: &[f64], p: &[f64]) -> Option<bool> {
        let n = field.costates;
        // W = P X⁻¹: Xᵀ Wᵀ = Pᵀ.
        let transposed = Dense::new(n, n, |i, j| x[j * n + i]);
        let right = Dense::new(n, n, |i, j| p[j * n + i]);
        let w = transposed.solve(&right).ok()?;
        let slopes = self.end_slopes(field)?;
        let hessian = slopes.hessian;
        let says = |row: &&Vec<f64>| row.iter().any(|x| *x != 0.0);
        let conditions: Vec<f64> = slopes.end.iter().filter(says).flatten().copied().collect();
        let m = conditions.len() / n;
        let size = n + m;
        let entry = |i: usize, j: usize| -> f64 {
            match (i < n, j < n) {
                (true, true) => {
                    let both = |a: usize, b: usize| w.entries()[b * n + a] + hessian[a * n + b];
                    (both(i, j) + both(j, i)) / 2.0
                }
                (false, true) => conditions[(i - n) * n + j],
                (true, false) => conditions[(j - n) * n + i],
                (false, false) => 0.0,
            }
        };
        if m >= n {
            return Some(true);
        }
        let inertia = Ldlt::new(size).factor(entry).ok()?;
        match inertia.zero {
            0 => Some(inertia.positive == n && inertia.negative == m),
            _ => None,
        }
    }
}
