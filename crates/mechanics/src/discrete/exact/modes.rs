//! The action of a system that swings in modes.

use super::quadratic::Quadratic;
use super::swing::{Swing, spectrum};
use super::{Ends, no_formula};
use crate::discrete::DiscreteError;
use rattleback_symbolic::{Expr, dot, inverse, normalize};

/// ∫ ½ v·Mv − ½ q·Kq + e·q dt: with the projection P on a mode x'' = s x of −M⁻¹K, f = M⁻¹e, and u = q + Pf/s, the sum of
///
/// ```text
/// ((u₀·MPu₀ + u₁·MPu₁) C − 2 u₀·MPu₁)/(2S) − e·Pf h/(2s)                       s ≠ 0
/// (q₁ − q₀)·MP(q₁ − q₀)/(2h) + h e·P(q₀ + q₁)/2 − h³ e·Pf/24                    s = 0
/// ```
pub(super) fn action(part: &Quadratic, ends: &Ends, h: &Expr) -> Result<Expr, DiscreteError> {
    let inverse = inverse(&part.inertia)
        .map_err(|_| no_formula("its kinetic energy does not determine the velocities"))?
        .solution;
    let rates = (&inverse * &part.stiffness).map(|e| normalize(&-e));
    let push = inverse.apply(&part.load);
    let mut terms = Vec::new();
    for (square, projection) in spectrum(&rates)? {
        let swing = Swing::new(&square, h)?;
        let weight = (&part.inertia * &projection).map(normalize);
        let own = projection.apply(&push);
        let work = normalize(&dot(&part.load, &own));
        let form = |a: &[Expr], b: &[Expr]| dot(a, &weight.apply(b));
        let [q0, q1] = ends;
        terms.push(match square.is_zero() {
            true => {
                let way: Vec<Expr> = q1.iter().zip(q0).map(|(b, a)| b - a).collect();
                let sum: Vec<Expr> = q1.iter().zip(q0).map(|(b, a)| b + a).collect();
                let fall = h * form(&push, &sum) / 2 - work * h.powi(3) / 24;
                form(&way, &way) / (2 * h) + fall
            }
            false => {
                let from_rest = |q: &[Expr]| -> Vec<Expr> {
                    let shifted = q.iter().zip(&own).map(|(q, f)| q + f / &square);
                    shifted.collect()
                };
                let (u0, u1) = (from_rest(q0), from_rest(q1));
                let squares = form(&u0, &u0) + form(&u1, &u1);
                let swung = squares * swing.cosine - 2 * form(&u0, &u1);
                swung / (2 * swing.sine) - work / (2 * square) * h
            }
        });
    }
    Ok(Expr::sum(terms))
}
