//! The conditions of first order at an iterate: by how much they are missed, and what that is worth.

use super::assembly::Slopes;
use super::norm::{largest, total};
use super::outcome::Ending;
use super::problem::Point;
use super::solver::Solver;

/// After so many iterations without progress multipliers are looked at that are larger than this.
pub(super) const ABNORMAL: (usize, f64) = (8, 1e5);
/// What is next to nothing beside such multipliers.
const VANISHES: f64 = 1e-6;

impl Solver<'_> {
    pub fn assemble(&mut self) -> Result<Slopes, Ending> {
        let now = &self.now;
        let found = self
            .kkt
            .assemble(&now.point, self.scale, &now.multipliers, &mut self.scratch);
        found.map_err(|e| Ending::NoValue { piece: e.piece })
    }

    /// σ∇f + Aᵀλ − z_l + z_u.
    pub fn dual(&self, slopes: &Slopes) -> Vec<f64> {
        let z = &self.now.bounds;
        let slopes = slopes.gradient.iter().zip(&slopes.reactions);
        let both = z.lower.iter().zip(&z.upper);
        let all = slopes.zip(both);
        all.map(|((g, r), (l, u))| self.scale * g + r - l + u)
            .collect()
    }

    /// The largest miss of the conditions of the barrier problem, 1 where it is what is asked for.
    pub fn error(&self, slopes: &Slopes, mu: f64) -> f64 {
        let z = &self.now.bounds;
        let size = |sum: f64, n: usize| (sum / n.max(1) as f64).max(100.0) / 100.0;
        let multipliers = total(&self.now.multipliers);
        let all = self.now.multipliers.len() + z.len();
        let dual = largest(&self.dual(slopes)).0 / size(multipliers + z.sum(), all);
        let x = &self.now.point.variables;
        let complementarity = self.bounds.complementarity(x, z, mu) / size(z.sum(), z.len());
        let primal = largest(&slopes.constraints).0;
        let scale = if mu > 0.0 { 1.0 / mu } else { 0.0 };
        match mu > 0.0 {
            true => dual.max(complementarity).max(primal) * scale,
            false => (dual.max(complementarity) / self.options.optimality)
                .max(primal / self.options.feasibility),
        }
    }

    /// Do the conditions of Fritz John hold at a feasible point whose multipliers have no limit: σ∇f + Aᵀλ − z vanishes
    /// beside the largest of them?
    pub fn is_abnormal(&self, slopes: &Slopes) -> bool {
        let largest_multiplier = largest(&self.now.multipliers).0;
        let dual = largest(&self.dual(slopes)).0;
        let gaps = self
            .bounds
            .complementarity(&self.now.point.variables, &self.now.bounds, 0.0);
        largest_multiplier >= ABNORMAL.1
            && largest(&slopes.constraints).0 <= self.options.feasibility
            && dual.max(gaps) <= VANISHES * largest_multiplier
    }

    pub fn barrier_objective(&self, objective: f64, at: &Point) -> f64 {
        let barrier = match self.mu > 0.0 {
            true => self.mu * self.bounds.barrier(&at.variables),
            false => 0.0,
        };
        self.scale * objective + barrier
    }

    /// The objective, and what missed constraints are worth beyond it. Where they hold it is f + λ·c but for the square of
    /// what they miss, while f is off by the miss times the multipliers, which many intervals add up; multipliers without
    /// a limit, and those of a solve that did not end, say only how much that may be.
    pub fn value(&self, slopes: &Slopes, solved: bool) -> (f64, f64) {
        let worth = |pair: (&f64, &f64)| pair.0 * pair.1 / self.scale;
        let missed = || self.now.multipliers.iter().zip(&slopes.constraints);
        match solved && largest(&self.now.multipliers).0 < ABNORMAL.1 {
            true => (slopes.objective + missed().map(worth).sum::<f64>(), 0.0),
            false => (slopes.objective, missed().map(|p| worth(p).abs()).sum()),
        }
    }
}
