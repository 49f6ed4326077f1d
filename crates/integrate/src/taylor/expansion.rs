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
        let row = |k: usize| &self.coefficients[k * n..(k + 1) * n];
        let (start, last, before) = (row(0), row(order), row(order - 1));
        let [absolute, relative] = self.policy.units();
        let mut largest = [0.0f64; 2];
        for i in 0..n {
            let unit = 1.0 / A::multiply_add(relative, start[i].abs(), absolute);
            // Written so that NaN wins: NaN < x is false.
            for (largest, row) in largest.iter_mut().zip([last, before]) {
                let size = row[i].abs() * unit;
                *largest = if size <= *largest { *largest } else { size };
            }
        }
        let [last, before] = largest;
        let step = self.policy.step(last, before);
        if last < f64::MAX && before < f64::MAX {
            step
        } else {
            f64::NAN
        }
    }
}

/// a·b + c in each lane. A loop, since a closure is compiled for the least processor.
#[inline(always)]
fn scaled<A: Arithmetic>(a: f64, b: Block, c: Block) -> Block {
    let mut result = c;
    for lane in 0..LANES {
        result[lane] = A::multiply_add(a, b[lane], c[lane]);
    }
    result
}

/// Horner's rule on four components at once, for even and odd powers side by side.
struct Horner<'a> {
    coefficients: &'a [f64],
    order: usize,
    tau: f64,
    change: &'a mut [f64],
}

impl Horner<'_> {
    /// Four components of x_k, perhaps past the end of the row, into values that are not used.
    #[inline(always)]
    fn row(&self, n: usize, k: usize, block: usize) -> Block {
        let place = k * n + block * LANES;
        match self.coefficients.get(place..place + LANES) {
            Some(&[a, b, c, d]) => [a, b, c, d],
            _ => [0.0; LANES],
        }
    }
}

impl Work for Horner<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let n = self.change.len();
        let tau = self.tau;
        let square = tau * tau;
        for block in 0..n.div_ceil(LANES) {
            // Σ_(k≥1) x_k τ^k = τ (odd(τ²) + τ even(τ²))
            let mut odd: Block = [0.0; LANES];
            let mut even: Block = [0.0; LANES];
            let mut k = self.order;
            if k.is_multiple_of(2) {
                even = self.row(n, k, block);
                k -= 1;
            }
            // From here on k is odd, and the sum of even powers is one step ahead.
            while k > 1 {
                odd = scaled::<A>(square, odd, self.row(n, k, block));
                even = scaled::<A>(square, even, self.row(n, k - 1, block));
                k -= 2;
            }
            odd = scaled::<A>(square, odd, self.row(n, 1, block));
            let sum = scaled::<A>(tau, even, odd);
            let rest = &mut self.change[block * LANES..];
            for (change, sum) in rest.iter_mut().zip(sum) {
                *change = sum * tau;
            }
        }
    }
}
