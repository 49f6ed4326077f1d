//! The canonical transformation by S^k(q̂, q) after which nothing moves (DP-A12).

use super::action::Data;
use super::error::ActionError;
use super::family::{distance, dot};
use super::map::{MomentumMap, Node};

/// How far beside the answer a search begins: by this factor, and by this much.
const BESIDE: (f64, f64) = (1.001, 1e-4);

/// The motion in the coordinates of its start.
#[derive(Clone, Debug, PartialEq)]
pub struct Trivialised {
    /// p̂_k = −D₁S^k(q̂, q_k) at the nodes from 1 on.
    pub momenta: Vec<Vec<f64>>,
    /// The largest change of p̂.
    pub spread: f64,
    /// The largest value of Ĥ⁺ − p̂·q̂ with Ĥ⁺ = H⁺ + p̂·q̂ − p·q + S^{k+1} − S^k; none where H⁺ has no value.
    pub residual: Option<f64>,
}

impl MomentumMap {
    /// Jacobi's action from the first node of a motion to each other one, each found on its own, as type-1 generating
    /// function: p̂ = −D₁S^k is p₀ at all times.
    pub fn trivialised(&self, path: &[Node]) -> Result<Trivialised, ActionError> {
        let first = path.first().ok_or(ActionError::NoSteps)?;
        let mut found = Vec::new();
        for (k, node) in path.iter().enumerate().skip(1) {
            // Not from the answer: beside it.
            let guess: Vec<f64> = first.p.iter().map(|p| p * BESIDE.0 + BESIDE.1).collect();
            let data = Data::Point {
                q: &first.q,
                guess: &guess,
            };
            found.push(self.action(k, &data, &node.q)?);
        }
        let momenta: Vec<Vec<f64>> = found.iter().map(|a| a.path[0].p.clone()).collect();
        let spread = momenta
            .iter()
            .fold(0.0, |m: f64, p| m.max(distance(p, &first.p)));
        let mut residual = Some(0.0_f64);
        for (k, pair) in found.windows(2).enumerate() {
            let (here, there) = (&path[k + 1], &path[k + 2]);
            let h = self.right_hamiltonian(k + 1, &here.q, &there.p, &here.p);
            residual = residual.zip(h).map(|(worst, h)| {
                let rise = pair[1].value - pair[0].value;
                worst.max((h - dot(&there.p, &there.q) + rise).abs())
            });
        }
        Ok(Trivialised {
            momenta,
            spread,
            residual,
        })
    }
}
