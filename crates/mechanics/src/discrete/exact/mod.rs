//! Exact discrete Lagrangians of linear systems: the action along the solution between two points (DP-A2).

mod flow;
mod gyroscopic;
mod jets;
mod modes;
mod quadratic;
mod swing;

use super::error::DiscreteError;
use super::lagrangian::DiscreteLagrangian;
use crate::system::System;
use jets::Linear;
use quadratic::Quadratic;
use rattleback_symbolic::{Expr, Symbol, simplify};

impl DiscreteLagrangian {
    /// ∫₀ʰ L dt along the solution with q(0) = q₀, q(h) = q₁, where L is quadratic with constant coefficients,
    ///
    /// ```text
    /// L = ½ v·Mv + q·Bv − ½ q·Kq + d·v + e·q + c
    /// ```
    ///
    /// Coordinates that do not meet in M, K and B are apart. The symmetric part of B and d are the derivative of a
    /// function; without an antisymmetric part the rest is a sum over the modes of M⁻¹K, else it comes from the flow.
    pub fn exact(
        system: &System,
        h: &Symbol,
        start: &[Symbol],
        end: &[Symbol],
    ) -> Result<Self, DiscreteError> {
        let whole = Quadratic::of(system)?;
        let h = Expr::from(h);
        let mut terms = vec![whole.constant.clone() * &h];
        for block in whole.blocks() {
            let part = whole.select(&block);
            let [q0, q1] =
                [start, end].map(|all| block.iter().map(|i| Expr::from(&all[*i])).collect());
            let ends = [q0, q1];
            terms.push(part.boundary(&ends));
            terms.push(match part.is_gyroscopic() {
                true => gyroscopic::action(&part, &ends, &h)?,
                false => modes::action(&part, &ends, &h)?,
            });
        }
        let value = simplify(&Expr::sum(terms));
        Ok(DiscreteLagrangian::new(start, end, value))
    }

    /// The same for a Lagrangian of order k that is quadratic in x, …, x⁽ᵏ⁾ with constant coefficients, on nodes
    /// (x, …, x⁽ᵏ⁻¹⁾) (CG-E4).
    pub fn exact_of_jets(
        system: &System,
        h: &Symbol,
        start: &[Symbol],
        end: &[Symbol],
    ) -> Result<Self, DiscreteError> {
        let whole = Linear::of(system)?;
        let (h, n) = (Expr::from(h), system.frame().base().len());
        let mut terms = vec![whole.constant.clone() * &h];
        for block in whole.blocks() {
            let of_block = |all: &[Symbol]| -> Vec<Expr> {
                let levels = all.chunks(n);
                levels
                    .flat_map(|level| block.iter().map(|i| Expr::from(&level[*i])))
                    .collect()
            };
            let ends = [of_block(start), of_block(end)];
            terms.push(whole.action(&block, &ends, &h)?);
        }
        let value = by_coefficients(&Expr::sum(terms), &[start, end].concat());
        Ok(DiscreteLagrangian::new(start, end, value))
    }
}

/// A quadratic function with each coefficient simplified by itself.
fn by_coefficients(f: &Expr, symbols: &[Symbol]) -> Expr {
    let origin: Vec<(Symbol, Expr)> = symbols.iter().map(|s| (s.clone(), Expr::zero())).collect();
    let at_origin = |e: &Expr| simplify(&e.substitute(&origin));
    let slopes = f.gradient(symbols);
    let mut terms = vec![at_origin(f)];
    for (i, (a, slope)) in symbols.iter().zip(&slopes).enumerate() {
        terms.push(at_origin(slope) * a);
        for (j, b) in symbols.iter().enumerate().take(i + 1) {
            let second = at_origin(&slope.diff(b)) * a * b;
            terms.push(if i == j { second / 2 } else { second });
        }
    }
    simplify(&Expr::sum(terms))
}

/// The positions at the start and at the end of a step.
type Ends = [Vec<Expr>; 2];

fn no_formula(why: &'static str) -> DiscreteError {
    DiscreteError::NotExact { why }
}
