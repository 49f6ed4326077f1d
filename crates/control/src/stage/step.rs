//! Bounds along a step: distances, the way to the boundary, and what the barrier adds.

use super::problem::StageProblem;

/// The finite bounds of the variables.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    /// How many variables there are.
    variables: usize,
    /// Those that have bounds.
    held: Vec<Held>,
}

/// A variable with a bound at least; infinite where there is none.
#[derive(Clone, Copy, Debug)]
struct Held {
    at: usize,
    lower: f64,
    upper: f64,
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
        let both = problem.lower.iter().zip(&problem.upper).enumerate();
        let held = both.map(|(at, (l, u))| Held {
            at,
            lower: relax(l, -1.0),
            upper: relax(u, 1.0),
        });
        Self {
            variables: problem.variables(),
            held: held.filter(Held::is_any).collect(),
        }
    }

    /// Each variable that has bounds with its distances to them; infinite where there is none.
    fn gaps<'a>(&'a self, x: &'a [f64]) -> impl Iterator<Item = (usize, [f64; 2])> + 'a {
        let gaps = |h: &Held| (h.at, [x[h.at] - h.lower, h.upper - x[h.at]]);
        self.held.iter().map(gaps)
    }

    /// A number for each variable, zero where there are no bounds.
    fn spread(&self, numbers: impl Iterator<Item = (usize, f64)>) -> Vec<f64> {
        let mut all = vec![0.0; self.variables];
        numbers.for_each(|(i, x)| all[i] = x);
        all
    }

    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Moves values inside, by a share of the width or of the bound's size.
    pub fn push_inside(&self, x: &mut [f64], share: f64) {
        for h in &self.held {
            let (l, u, x) = (h.lower, h.upper, &mut x[h.at]);
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
        let all = self.gaps(x).zip(&self.held);
        all.map(|((i, [l, u]), h)| worth(l, h.lower, z.lower[i]) + worth(u, h.upper, z.upper[i]))
            .sum()
    }

    /// −Σ ln of the distances.
    pub fn barrier(&self, x: &[f64]) -> f64 {
        let term = |gap: f64| if gap.is_finite() { -gap.ln() } else { 0.0 };
        self.gaps(x).map(|(_, [l, u])| term(l) + term(u)).sum()
    }

    /// Its slope.
    pub fn barrier_slope(&self, x: &[f64]) -> Vec<f64> {
        self.spread(self.gaps(x).map(|(i, [l, u])| (i, 1.0 / u - 1.0 / l)))
    }

    /// z / distance: what the bounds add to the Hessian.
    pub fn stiffness(&self, x: &[f64], z: &BoundMultipliers) -> Vec<f64> {
        let all = self.gaps(x);
        self.spread(all.map(|(i, [l, u])| (i, z.lower[i] / l + z.upper[i] / u)))
    }

    /// μ / distance.
    pub fn central(&self, x: &[f64], mu: f64) -> BoundMultipliers {
        BoundMultipliers {
            lower: self.spread(self.gaps(x).map(|(i, [l, _])| (i, mu / l))),
            upper: self.spread(self.gaps(x).map(|(i, [_, u])| (i, mu / u))),
        }
    }

    /// How far z · distance is from μ at most.
    pub fn complementarity(&self, x: &[f64], z: &BoundMultipliers, mu: f64) -> f64 {
        let miss = |gap: f64, z: f64| match gap.is_finite() {
            true => (gap * z - mu).abs(),
            false => 0.0,
        };
        self.gaps(x).fold(0.0, |m: f64, (i, [l, u])| {
            m.max(miss(l, z.lower[i])).max(miss(u, z.upper[i]))
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
        let lower = self
            .gaps(x)
            .map(|(i, [l, _])| (i, step(l, z.lower[i], dx[i])));
        let upper = self
            .gaps(x)
            .map(|(i, [_, u])| (i, step(u, z.upper[i], -dx[i])));
        BoundMultipliers {
            lower: self.spread(lower),
            upper: self.spread(upper),
        }
    }

    /// The largest share of a step, at most 1, that leaves a part 1 − τ of every distance.
    pub fn longest(&self, x: &[f64], dx: &[f64], tau: f64) -> f64 {
        let reach = |gap: f64, d: f64| match d < 0.0 && gap.is_finite() {
            true => tau * gap / -d,
            false => 1.0,
        };
        self.gaps(x).fold(1.0, |m: f64, (i, [l, u])| {
            m.min(reach(l, dx[i])).min(reach(u, -dx[i]))
        })
    }

    /// The largest component of a gradient that points inside: −g where the variable may move there.
    pub fn longest_descent(&self, x: &[f64], gradient: &[f64]) -> f64 {
        let mut rooms: Vec<f64> = gradient.iter().map(|g| g.abs()).collect();
        for (i, [l, u]) in self.gaps(x) {
            let room = if gradient[i] > 0.0 { l } else { u };
            rooms[i] = rooms[i].min(room.max(0.0));
        }
        rooms.into_iter().fold(0.0, f64::max)
    }

    /// Keeps multipliers within a factor of μ / distance.
    pub fn safeguard(&self, x: &[f64], z: &mut BoundMultipliers, mu: f64) {
        const FACTOR: f64 = 1e10;
        let near = |gap: f64, z: f64| match gap.is_finite() {
            true => z.clamp(mu / (FACTOR * gap), FACTOR * mu / gap),
            false => 0.0,
        };
        for (i, [l, u]) in self.gaps(x) {
            z.lower[i] = near(l, z.lower[i]);
            z.upper[i] = near(u, z.upper[i]);
        }
    }
}

impl Held {
    fn is_any(&self) -> bool {
        self.lower.is_finite() || self.upper.is_finite()
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
