//! Exact discrete Lagrangians of linear systems: the action along the solution between two points (DP-A2).

mod gyroscopic;
mod modes;
mod quadratic;
mod swing;

use super::error::DiscreteError;
use super::lagrangian::DiscreteLagrangian;
use crate::system::System;
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
}

/// The positions at the start and at the end of a step.
type Ends = [Vec<Expr>; 2];

fn no_formula(why: &'static str) -> DiscreteError {
    DiscreteError::NotExact { why }
}
