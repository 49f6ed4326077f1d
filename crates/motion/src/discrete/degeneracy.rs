//! Do the residuals and constraints of a step determine the next node? (CG-G5, traps T1 and T2)

use rattleback_numeric::{Dense, singular_values};

/// What is known of a discretisation.
#[derive(Clone, Debug, PartialEq)]
pub struct FreeDirections {
    /// Rows (residuals and constraints per step) and columns (components of the next node).
    pub shape: (usize, usize),
    /// Smallest over largest singular value at h = 0.1, 0.01, 0.001.
    pub ratios: [f64; 3],
}

/// A ratio that falls by this factor from one step to a tenth of it goes to zero.
const FALLING: f64 = 0.3;

impl FreeDirections {
    /// From the derivative of residuals and constraints by the new node at each of the steps 0.1, 0.01, 0.001; `orders` is
    /// the order of the derivative that each component of a node is (0 for q, 1 for v), `k` that of the Lagrangian: columns
    /// are scaled by h^(k−order).
    pub fn of(k: u32, orders: &[u32], derivative: impl Fn(f64) -> Dense) -> Self {
        let mut shape = (0, orders.len());
        let ratios = [0.1, 0.01, 0.001].map(|h: f64| {
            let rows = derivative(h);
            shape.0 = rows.rows();
            let scale = |j: usize| h.powi(k as i32 - orders[j] as i32);
            let scaled = Dense::new(rows.rows(), orders.len(), |i, j| rows[(i, j)] * scale(j));
            let sigma = singular_values(&scaled);
            match (sigma.first(), sigma.last()) {
                (Some(first), Some(last)) if sigma.len() == orders.len() => last / first,
                _ => 0.0,
            }
        });
        Self { shape, ratios }
    }

    /// How many directions of the next node nothing determines, for each step or in the limit.
    pub fn count(&self) -> usize {
        let (rows, columns) = self.shape;
        let missing = columns.saturating_sub(rows);
        let stays = |r: &[f64]| r[1] > FALLING * r[0];
        let falls = !self.ratios.windows(2).any(stays);
        match missing {
            0 if falls => 1,
            missing => missing,
        }
    }

    /// Does every step determine the next node, uniformly in h?
    pub fn is_regular(&self) -> bool {
        self.count() == 0
    }
}
