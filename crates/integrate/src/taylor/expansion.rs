//! The polynomial of a motion around one state.

use super::step_size::StepPolicy;
use crate::field::{Fault, Jets};
use crate::simd::{Arithmetic, Block, LANES, Work, dispatch};

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

    /// The sizes of the last coefficient and of the one before, in the units of the policy.
    pub fn sizes(&self, policy: &StepPolicy) -> Result<(f64, f64), Fault> {
        let n = self.dimension;
        let row = |k: usize| &self.coefficients[k * n..(k + 1) * n];
        let (mut last, mut before) = (0.0f64, 0.0f64);
        let (p, q) = (row(self.order), row(self.order - 1));
        for (i, x) in row(0).iter().enumerate() {
            let unit = policy.unit(x.abs()).recip();
            last = last.max(p[i].abs() * unit);
            before = before.max(q[i].abs() * unit);
        }
        if last < f64::MAX && before < f64::MAX && self.is_finite(self.order) {
            Ok((last, before))
        } else {
            Err(self.not_finite())
        }
    }

    /// NaN slips through a maximum, but not through a sum.
    fn is_finite(&self, k: usize) -> bool {
        let n = self.dimension;
        let rows = &self.coefficients[(k - 1) * n..(k + 1) * n];
        rows.iter().sum::<f64>().is_finite()
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

    /// Writes the state at t + τ.
    pub fn state(&self, tau: f64, state: &mut [f64]) {
        self.change(tau, state);
        for (x, start) in state.iter_mut().zip(&self.coefficients[..self.dimension]) {
            *x += start;
        }
    }
}

/// Horner's rule on four components at once.
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
        let tau = [self.tau; LANES];
        for (block, change) in self.change.chunks_mut(LANES).enumerate() {
            let mut sum: Block = [0.0; LANES];
            for k in (1..=self.order).rev() {
                // Reads past the end of its row, into values that are not used.
                let place = k * n + block * LANES;
                if let Some(row) = self.coefficients[place..].first_chunk::<LANES>() {
                    sum = A::block(tau, sum, *row);
                }
            }
            for (change, sum) in change.iter_mut().zip(sum) {
                *change = sum * self.tau;
            }
        }
    }
}
