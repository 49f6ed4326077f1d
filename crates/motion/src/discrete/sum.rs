//! Action sums of a discrete Lagrangian: value, gradient, and the motion between two points (DP-A3, A4, CG-E10).

use super::chain::{Chain, Sequence, StageFunction, Stationary};
use super::error::ActionError;
use rattleback_mechanics::discrete::DiscreteLagrangian;
use rattleback_symbolic::{Expr, Symbol};

/// Σ_k L_d(q_k, q_{k+1}), with constraints on each step where there are any.
pub struct ActionSum {
    chain: Chain,
    constraints: usize,
    h: f64,
}

impl ActionSum {
    /// Compiles the sum. `constants` contain the step where L_d has one; `h` is it, for the time of the nodes.
    pub fn new(
        l: &DiscreteLagrangian,
        constants: &[(Symbol, f64)],
        h: f64,
    ) -> Result<Self, ActionError> {
        Self::constrained(l, &[], constants, h)
    }

    /// The sum of L_d + λ_a Φ^a for functions Φ^a of two points that vanish on each step, one multiplier for each and
    /// every step.
    pub fn constrained(
        l: &DiscreteLagrangian,
        constraints: &[Expr],
        constants: &[(Symbol, f64)],
        h: f64,
    ) -> Result<Self, ActionError> {
        let name = |a: usize| Symbol::variable(&format!("lambda~{a}"));
        let inner: Vec<Symbol> = (0..constraints.len()).map(name).collect();
        let push = constraints.iter().zip(&inner).map(|(phi, l)| phi * l);
        let stage = StageFunction {
            before: l.start.clone(),
            value: &l.value + Expr::sum(push),
            after: l.end.clone(),
            inner,
        };
        Ok(Self {
            chain: Chain::new(&stage, None, constants)?,
            constraints: constraints.len(),
            h,
        })
    }

    /// The sum along nodes, and its gradient by each of them: zero inside for motions, −p₀ and p_N at the ends.
    pub fn gradient(&self, nodes: &[Vec<f64>]) -> Result<(f64, Vec<Vec<f64>>), ActionError> {
        self.chain.gradient(&self.sequence(nodes), self.h)
    }

    /// The motion with the ends of a guess: the discrete Euler-Lagrange equations as a boundary-value problem.
    pub fn between(&self, guess: &[Vec<f64>]) -> Result<Stationary, ActionError> {
        self.chain.stationary(&self.sequence(guess), self.h)
    }

    fn sequence(&self, nodes: &[Vec<f64>]) -> Sequence {
        Sequence {
            nodes: nodes.to_vec(),
            inner: vec![vec![0.0; self.constraints]; nodes.len().saturating_sub(1)],
            end: Vec::new(),
        }
    }
}
