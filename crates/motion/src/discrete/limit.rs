//! The continuous limit of discrete Hamiltonians, measured (DP-A21).

use super::error::ActionError;
use super::family::dot;
use super::map::{MomentumMap, Node};

/// The discrete Hamiltonians of one step as quotients that tend to H.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quotient {
    /// The step.
    pub step: f64,
    /// (H⁺(q₀, p₁) − p₁·q₀)/h.
    pub right: f64,
    /// (H⁻(p₀, q₁) + p₀·q₁)/h.
    pub left: f64,
}

/// Quotients at h, h/2, h/4, … and what they tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// H at the node.
    pub hamiltonian: f64,
    /// Each with half the step of the one before.
    pub quotients: Vec<Quotient>,
    /// log₂ of the ratio of the last two errors, right and left; none where they are rounding.
    pub orders: [Option<f64>; 2],
    /// The coefficient of h, right and left, by extrapolation.
    pub slopes: [f64; 2],
    /// By how much the extrapolated limits miss H, right and left.
    pub misses: [f64; 2],
}

/// Errors below this part of H are rounding.
const ROUNDING: f64 = 1e-11;
/// Limits that miss H by less than this part of it are H.
const MISSED: f64 = 1e-4;
/// A first quotient nearer to H than this part of it is there already: shorter steps add rounding only.
const THERE: f64 = 1e-7;

impl Limit {
    /// Measures at a node; `map` gives the map of a step.
    pub fn measured(
        node: &Node,
        hamiltonian: f64,
        h: f64,
        halvings: u32,
        map: impl Fn(f64) -> Result<MomentumMap, ActionError>,
    ) -> Result<Limit, ActionError> {
        let mut quotients = Vec::new();
        for k in 0..=halvings {
            let step = h / f64::from(2u32.pow(k));
            let (next, l) = map(step)?.advance(0, node)?;
            let moved: Vec<f64> = next.q.iter().zip(&node.q).map(|(b, a)| b - a).collect();
            quotients.push(Quotient {
                step,
                right: (dot(&next.p, &moved) - l) / step,
                left: (dot(&node.p, &moved) - l) / step,
            });
        }
        let scale = 1.0 + hamiltonian.abs();
        let side = |f: &dyn Fn(&Quotient) -> f64| {
            let errors: Vec<f64> = quotients.iter().map(|q| f(q) - hamiltonian).collect();
            let m = errors.len();
            let (coarse, fine) = (errors[m - 2], errors[m - 1]);
            let order = (fine.abs() > ROUNDING * scale).then(|| (coarse / fine).abs().log2());
            // Neville's scheme in h at 0 for the value and, on the difference quotients, for the slope.
            let steps: Vec<f64> = quotients.iter().map(|q| q.step).collect();
            let slopes: Vec<f64> = errors.iter().zip(&steps).map(|(e, h)| e / h).collect();
            (order, neville(&steps, &slopes), neville(&steps, &errors))
        };
        let (right, left) = (side(&|q| q.right), side(&|q| q.left));
        Ok(Limit {
            hamiltonian,
            orders: [right.0, left.0],
            slopes: [right.1, left.1],
            misses: [right.2, left.2],
            quotients,
        })
    }

    /// Do both quotients tend to H, as those of a consistent discrete Lagrangian do?
    pub fn is_consistent(&self) -> bool {
        let scale = 1.0 + self.hamiltonian.abs();
        let falls = |order: &Option<f64>| order.is_none_or(|p| p > 0.5);
        let near = |q: &Quotient| {
            let errors = [q.right - self.hamiltonian, q.left - self.hamiltonian];
            errors.iter().all(|e| e.abs() < THERE * scale)
        };
        let tends = self.orders.iter().all(falls) || self.quotients.first().is_some_and(near);
        tends && self.misses.iter().all(|m| m.abs() < MISSED * scale)
    }
}

/// The value at 0 of the polynomial through the points.
fn neville(x: &[f64], y: &[f64]) -> f64 {
    let mut p = y.to_vec();
    for level in 1..x.len() {
        for i in 0..x.len() - level {
            p[i] = (x[i + level] * p[i] - x[i] * p[i + 1]) / (x[i + level] - x[i]);
        }
    }
    p[0]
}
