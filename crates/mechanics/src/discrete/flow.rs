//! The flow on T*T^(k−1)Q whose samples are the motions of the exact discrete Lagrangian (DP-A2, CG-E4, E6).

use super::error::DiscreteError;
use super::step::solving;
use crate::equations::Stage;
use crate::system::System;
use rattleback_symbolic::{Expr, Symbol, substitute_all};

/// The equations of Ostrogradsky for a Lagrangian of order k in coordinates:
///
/// ```text
/// q⁽ⁱ⁾' = q⁽ⁱ⁺¹⁾        p₀' = ∂L/∂q        p_i' = ∂L/∂q⁽ⁱ⁾ − p_{i−1}        p_{k−1} = ∂L/∂q⁽ᵏ⁾
/// ```
///
/// where the last gives q⁽ᵏ⁾. For k = 1 they are Hamilton's.
#[derive(Clone, Debug)]
pub struct PhaseFlow {
    /// q, …, q⁽ᵏ⁻¹⁾.
    pub positions: Vec<Symbol>,
    /// p₀, …, p_{k−1}.
    pub momenta: Vec<Symbol>,
    /// How q⁽ᵏ⁾ is found.
    pub stages: Vec<Stage>,
    /// The rates of positions and momenta.
    pub rates: Vec<Expr>,
    /// L along motions: the rate of the action.
    pub lagrangian: Expr,
    /// The momenta at a state in which q⁽ᵏ⁾, …, q⁽²ᵏ⁻¹⁾ are given.
    pub legendre: Vec<Expr>,
}

impl PhaseFlow {
    /// The flow of a system in coordinates, without constraints and forces, with names for its momenta.
    pub fn new(
        system: &System,
        momentum: impl Fn(&Symbol) -> Symbol,
    ) -> Result<Self, DiscreteError> {
        let no = |has: &'static str| DiscreteError::NotTwoPoints { has };
        if system.has_groups() {
            return Err(no("group factors"));
        }
        if !system.constraints().is_empty() {
            return Err(no("constraints"));
        }
        if system.force().iter().any(|f| !f.is_zero()) {
            return Err(no("forces"));
        }
        let order = system.order().max(1) as usize;
        let q = system.frame().base();
        let jet = |i: usize| -> Vec<Symbol> { q.iter().map(|s| s.jet(i as u32)).collect() };
        let levels: Vec<Vec<Symbol>> = (0..order).map(jet).collect();
        let momenta: Vec<Vec<Symbol>> = levels
            .iter()
            .map(|level| level.iter().map(&momentum).collect())
            .collect();
        let l = system.lagrangian();
        let highest = jet(order);
        let unknown = |s: &Symbol| Symbol::variable(&format!("{}~rate", s.name()));
        let unknowns: Vec<Symbol> = highest.iter().map(unknown).collect();
        let renamed: Vec<(Symbol, Expr)> = highest
            .iter()
            .cloned()
            .zip(unknowns.iter().map(Expr::from))
            .collect();
        let last = substitute_all(&l.gradient(&highest), &renamed);
        let misses = last.iter().zip(&momenta[order - 1]).map(|(l, p)| l - p);
        let stage = solving(unknowns.clone(), misses.collect());
        let mut rates: Vec<Expr> = levels[1..].concat().iter().map(Expr::from).collect();
        rates.extend(unknowns.iter().map(Expr::from));
        for (i, level) in levels.iter().enumerate() {
            let slopes = substitute_all(&l.gradient(level), &renamed);
            for (a, slope) in slopes.into_iter().enumerate() {
                rates.push(match i {
                    0 => slope,
                    _ => slope - &momenta[i - 1][a],
                });
            }
        }
        let legendre = crate::engine::ostrogradsky_momenta(system.frame(), l, order as u32);
        Ok(Self {
            positions: levels.concat(),
            momenta: momenta.concat(),
            stages: vec![stage],
            rates,
            lagrangian: l.substitute(&renamed),
            legendre: legendre.concat(),
        })
    }
}
