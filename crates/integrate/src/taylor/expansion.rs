//! The polynomial of a motion around one state.

use super::horner::{mean_rate, rate};
use crate::field::{Fault, Jets};
use crate::simd::{Arithmetic, Block, LANES, Work, dispatch};
use crate::step_policy::StepPolicy;

/// Σ_k x_k τ^k, with the memory for one order.
#[derive(Clone, Debug)]
pub struct Expansion {
    dimension: usize,
    order: usize,
    /// `coefficients[k·n + i]`, then as many zeros as make blocks whole.
    coefficients: Vec<f64>,
}

impl Expansion {
    /// Memory for a motion of this dimension and order.
    pub fn new(dimension: usize, order: usize) -> Expansion {
        Expansion {
            dimension,
            order,
            coefficients: vec![0.0; dimension * (order + 1) + LANES],
        }
    }

    /// The coefficients x_k, `[k·n + i]`.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients[..self.dimension * (self.order + 1)]
    }

    /// Expands the motion through (t, x).
    pub fn expand<F: Jets + ?Sized>(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
    ) -> Result<(), Fault> {
        let length = self.dimension * (self.order + 1);
        field.jet(t, x, self.order, &mut self.coefficients[..length])
    }

    /// How far the polynomial can be trusted.
    #[inline]
    pub fn reach(&self, policy: &StepPolicy) -> Result<f64, Fault> {
        let reach = dispatch(Reach {
            coefficients: &self.coefficients,
            dimension: self.dimension,
            policy,
        });
        if reach.is_nan() {
            Err(self.not_finite())
        } else {
            Ok(reach)
        }
    }

    fn not_finite(&self) -> Fault {
        let place = self.coefficients().iter().position(|c| !c.is_finite());
        Fault::NotFinite(place.unwrap_or(0) % self.dimension.max(1))
    }

    /// Writes Σ_(k≥1) x_k τ^k: the change of the state, without the rounding of adding it.
    #[inline]
    pub fn change(&self, tau: f64, change: &mut [f64]) {
        dispatch(Horner {
            coefficients: &self.coefficients,
            order: self.order,
            tau,
            change: &mut change[..self.dimension],
        });
    }

    /// Writes Σ_(k≥1) k x_k τ^(k−1): the rates at t + τ as the polynomial has them.
    #[inline]
    pub fn slope(&self, tau: f64, slope: &mut [f64]) {
        dispatch(Slope {
            coefficients: &self.coefficients,
            order: self.order,
            tau,
            slope: &mut slope[..self.dimension],
        });
    }

    /// Writes Σ_(k≥1) |x_k τ^k|: how far each component goes at most up to τ.
    #[inline]
    pub fn ways(&self, tau: f64, ways: &mut [f64]) {
        dispatch(Ways {
            coefficients: &self.coefficients,
            order: self.order,
            tau: tau.abs(),
            ways: &mut ways[..self.dimension],
        });
    }

    /// The state where the polynomial begins.
    pub fn start(&self) -> &[f64] {
        &self.coefficients[..self.dimension]
    }

    /// Drops the terms from the smallest one at τ on. They shrink as long as the motion speaks and grow again where
    /// rounding of the start, which a pole nearby takes up, outgrows it.
    pub fn curtail(&mut self, tau: f64) {
        let n = self.dimension;
        let size = |k: usize| {
            let row = &self.coefficients[k * n..(k + 1) * n];
            let largest = row.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            largest * tau.abs().powi(k as i32)
        };
        // Two at a time: every other coefficient of an even or odd motion vanishes.
        let pair = |k: usize| size(k).max(size(k + 1));
        let pairs = (1..self.order).map(|k| (k, pair(k)));
        let smallest = pairs.min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((k, _)) = smallest {
            self.coefficients[(k + 2) * n..].fill(0.0);
        }
    }

    /// Writes the state at t + τ.
    pub fn state(&self, tau: f64, state: &mut [f64]) {
        self.change(tau, state);
        for (x, start) in state.iter_mut().zip(&self.coefficients[..self.dimension]) {
            *x += start;
        }
    }
}

/// The step that the largest |x_p| and |x_(p−1)| allow, in the units of each component; NaN where
/// they are not finite.
struct Reach<'a> {
    coefficients: &'a [f64],
    dimension: usize,
    policy: &'a StepPolicy,
}

impl Work for Reach<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> f64 {
        let (n, order) = (self.dimension, self.policy.order());
        let [absolute, relative] = self.policy.units();
        let mut largest = [[0.0f64; LANES]; 2];
        // Comparisons lose what is not a number, a sum does not.
        let mut sum = [0.0; LANES];
        for first in (0..n).step_by(LANES) {
            let row = |k: usize| four(self.coefficients, k * n + first);
            let (start, rows) = (row(0), [row(order), row(order - 1)]);
            for l in 0..LANES {
                let unit = 1.0 / A::multiply_add(relative, start[l].abs(), absolute);
                for (largest, row) in largest.iter_mut().zip(rows) {
                    // Rows go past their end.
                    let size = if first + l < n {
                        row[l].abs() * unit
                    } else {
                        0.0
                    };
                    largest[l] = if size <= largest[l] { largest[l] } else { size };
                    sum[l] += size;
                }
            }
        }
        let [last, before] = largest.map(|lanes| lanes.into_iter().fold(0.0, f64::max));
        let step = self.policy.step(last, before);
        let is_finite = sum.into_iter().sum::<f64>() < f64::INFINITY;
        if is_finite { step } else { f64::NAN }
    }
}

/// Four numbers from a place on; zeros where there are fewer.
#[inline(always)]
fn four(numbers: &[f64], place: usize) -> Block {
    match numbers.get(place..place + LANES) {
        Some(&[a, b, c, d]) => [a, b, c, d],
        _ => [0.0; LANES],
    }
}

/// Horner's rule on four components at once. Rows may go past their end, into values that are not used.
struct Horner<'a> {
    coefficients: &'a [f64],
    order: usize,
    tau: f64,
    change: &'a mut [f64],
}

impl Work for Horner<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let n = self.change.len();
        for block in 0..n.div_ceil(LANES) {
            let row = |k: usize| four(self.coefficients, k * n + block * LANES);
            let mean = mean_rate::<A>(self.order, [self.tau; LANES], row);
            let rest = &mut self.change[block * LANES..];
            for (change, mean) in rest.iter_mut().zip(mean) {
                *change = mean * self.tau;
            }
        }
    }
}

/// The same for the sizes of all terms.
struct Ways<'a> {
    coefficients: &'a [f64],
    order: usize,
    tau: f64,
    ways: &'a mut [f64],
}

impl Work for Ways<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let n = self.ways.len();
        for block in 0..n.div_ceil(LANES) {
            let row = |k: usize| four(self.coefficients, k * n + block * LANES).map(f64::abs);
            let mean = mean_rate::<A>(self.order, [self.tau; LANES], row);
            let rest = &mut self.ways[block * LANES..];
            for (way, mean) in rest.iter_mut().zip(mean) {
                *way = mean * self.tau;
            }
        }
    }
}

/// The same for the derivative.
struct Slope<'a> {
    coefficients: &'a [f64],
    order: usize,
    tau: f64,
    slope: &'a mut [f64],
}

impl Work for Slope<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let n = self.slope.len();
        for block in 0..n.div_ceil(LANES) {
            let row = |k: usize| four(self.coefficients, k * n + block * LANES);
            let slope = rate::<A>(self.order, [self.tau; LANES], row);
            let rest = &mut self.slope[block * LANES..];
            rest.iter_mut().zip(slope).for_each(|(to, x)| *to = x);
        }
    }
}
