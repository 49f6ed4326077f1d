//! Bounds along a step: distances, the way to the boundary, and what the barrier adds.

use super::problem::StageProblem;

/// The finite bounds of the variables.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    lower: Vec<f64>,
    upper: Vec<f64>,
}

/// Multipliers of lower and upper bounds, 0 where there is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoundMultipliers {
    /// Of lower bounds.
    pub lower: Vec<f64>,
    /// Of upper bounds.
    pub upper: Vec<f64>,
}

/// By how much a bound is relaxed, so that there is an inside where a fixed value lies on it.
const RELAXED: f64 = 1e-9;

impl Bounds {
    pub fn of(problem: &StageProblem) -> Self {
        let relax = |b: &f64, side: f64| b + side * RELAXED * b.abs().max(1.0);
        Self {
            lower: problem.lower.iter().map(|b| relax(b, -1.0)).collect(),
            upper: problem.upper.iter().map(|b| relax(b, 1.0)).collect(),
        }
    }

    /// Each variable with its multipliers' distances to the bounds; infinite where there is none.
    fn gaps<'a>(&'a self, x: &'a [f64]) -> impl Iterator<Item = (f64, f64)> + 'a {
        let bounds = self.lower.iter().zip(&self.upper);
        x.iter().zip(bounds).map(|(x, (l, u))| (x - l, u - x))
    }

    pub fn is_empty(&self) -> bool {
        let all = self.lower.iter().chain(&self.upper);
        all.copied().all(f64::is_infinite)
    }

    /// Moves values inside, by a share of the width or of the bound's size.
    pub fn push_inside(&self, x: &mut [f64], share: f64) {
        for (x, (&l, &u)) in x.iter_mut().zip(self.lower.iter().zip(&self.upper)) {
            let width = u - l;
            let low = l + (share * l.abs().max(1.0)).min(share * width);
            let high = u - (share * u.abs().max(1.0)).min(share * width);
            *x = match (l.is_finite(), u.is_finite()) {
                (false, false) => *x,
                (true, false) => x.max(low),
                (false, true) => x.min(high),
                (true, true) if low <= high => x.clamp(low, high),
                (true, true) => (l + u) / 2.0,
            };
        }
    }

    /// What bounds are worth that are relaxed, and not met to the last digit: Σ z (distance + relaxation).
    pub fn slack(&self, x: &[f64], z: &BoundMultipliers) -> f64 {
        let worth = |gap: f64, bound: f64, z: f64| match gap.is_finite() {
            true => z.abs() * (gap.abs() + RELAXED * bound.abs().max(1.0)),
            false => 0.0,
        };
        let bounds = self.lower.iter().zip(&self.upper);
        let all = self.gaps(x).zip(bounds).zip(z.lower.iter().zip(&z.upper));
        all.map(|((gap, bound), z)| worth(gap.0, *bound.0, *z.0) + worth(gap.1, *bound.1, *z.1))
            .sum()
    }

    /// −Σ ln of the distances.
    pub fn barrier(&self, x: &[f64]) -> f64 {
        let term = |gap: f64| if gap.is_finite() { -gap.ln() } else { 0.0 };
        self.gaps(x).map(|(l, u)| term(l) + term(u)).sum()
    }

    /// Its slope.
    pub fn barrier_slope(&self, x: &[f64]) -> Vec<f64> {
        self.gaps(x).map(|(l, u)| 1.0 / u - 1.0 / l).collect()
    }

    /// z / distance: what the bounds add to the Hessian.
    pub fn stiffness(&self, x: &[f64], z: &BoundMultipliers) -> Vec<f64> {
        let both = z.lower.iter().zip(&z.upper);
        let all = self.gaps(x).zip(both);
        all.map(|((l, u), (zl, zu))| zl / l + zu / u).collect()
    }

    /// μ / distance.
    pub fn central(&self, x: &[f64], mu: f64) -> BoundMultipliers {
        let (lower, upper) = self.gaps(x).map(|(l, u)| (mu / l, mu / u)).unzip();
        BoundMultipliers { lower, upper }
    }

    /// How far z · distance is from μ at most.
    pub fn complementarity(&self, x: &[f64], z: &BoundMultipliers, mu: f64) -> f64 {
        let miss = |gap: f64, z: f64| match gap.is_finite() {
            true => (gap * z - mu).abs(),
            false => 0.0,
        };
        let both = z.lower.iter().zip(&z.upper);
        let all = self.gaps(x).zip(both);
        all.fold(0.0, |m: f64, ((l, u), (zl, zu))| {
            m.max(miss(l, *zl)).max(miss(u, *zu))
        })
    }

    /// The step of the multipliers that goes with a step of the variables.
    pub fn multiplier_step(
        &self,
        x: &[f64],
        dx: &[f64],
        z: &BoundMultipliers,
        mu: f64,
    ) -> BoundMultipliers {
        let step = |gap: f64, z: f64, d: f64| match gap.is_finite() {
            true => (mu - z * d) / gap - z,
            false => 0.0,
        };
        let both = z.lower.iter().zip(&z.upper).zip(dx);
        let all = self.gaps(x).zip(both);
        let (lower, upper) = all
            .map(|((l, u), ((zl, zu), d))| (step(l, *zl, *d), step(u, *zu, -d)))
            .unzip();
        BoundMultipliers { lower, upper }
    }

    /// The largest share of a step, at most 1, that leaves a part 1 − τ of every distance.
    pub fn longest(&self, x: &[f64], dx: &[f64], tau: f64) -> f64 {
        let reach = |gap: f64, d: f64| match d < 0.0 && gap.is_finite() {
            true => tau * gap / -d,
            false => 1.0,
        };
        let all = self.gaps(x).zip(dx);
        all.fold(1.0, |m: f64, ((l, u), d)| {
            m.min(reach(l, *d)).min(reach(u, -d))
        })
    }

    /// The largest component of a gradient that points inside: −g where the variable may move there.
    pub fn longest_descent(&self, x: &[f64], gradient: &[f64]) -> f64 {
        let all = self.gaps(x).zip(gradient);
        all.fold(0.0, |m: f64, ((l, u), g)| {
            let room = if *g > 0.0 { l } else { u };
            m.max(g.abs().min(room.max(0.0)))
        })
    }

    /// Keeps multipliers within a factor of μ / distance.
    pub fn safeguard(&self, x: &[f64], z: &mut BoundMultipliers, mu: f64) {
        const FACTOR: f64 = 1e10;
        let near = |gap: f64, z: f64| match gap.is_finite() {
            true => z.clamp(mu / (FACTOR * gap), FACTOR * mu / gap),
            false => 0.0,
        };
        for (i, (l, u)) in self.gaps(x).enumerate() {
            z.lower[i] = near(l, z.lower[i]);
            z.upper[i] = near(u, z.upper[i]);
        }
    }
}

impl BoundMultipliers {
    /// The largest share of a step, at most 1, that leaves them positive.
    pub fn longest(&self, step: &BoundMultipliers, tau: f64) -> f64 {
        let reach = |(z, d): (&f64, &f64)| match *d < 0.0 && *z > 0.0 {
            true => tau * z / -d,
            false => 1.0,
        };
        let lower = self.lower.iter().zip(&step.lower);
        let upper = self.upper.iter().zip(&step.upper);
        lower.chain(upper).map(reach).fold(1.0, f64::min)
    }

    pub fn add(&mut self, step: &BoundMultipliers, share: f64) {
        for (z, d) in self.lower.iter_mut().zip(&step.lower) {
            *z += share * d;
        }
        for (z, d) in self.upper.iter_mut().zip(&step.upper) {
            *z += share * d;
        }
    }

    pub fn scale(&mut self, factor: f64) {
        let all = self.lower.iter_mut().chain(&mut self.upper);
        all.for_each(|z| *z *= factor);
    }

    pub fn largest(&self) -> f64 {
        self.lower
            .iter()
            .chain(&self.upper)
            .copied()
            .fold(0.0, f64::max)
    }

    pub fn sum(&self) -> f64 {
        self.lower.iter().chain(&self.upper).sum()
    }

    pub fn len(&self) -> usize {
        self.lower.len() + self.upper.len()
    }
}
