//! Order and step size of the Taylor method.

use crate::control::Tolerance;

/// How the order follows from the tolerance, and the step from the last coefficients.
///
/// With a radius of convergence ρ the p-th term of the series at h = θρ is θ^p times the solution.
/// A step of order p costs about p(p + c) operations, c for all that is linear in p, and reaches
/// ρ ε^(1/p) for a tolerance ε. The best order lies between −ln ε/2 (c = 0, Jorba & Zou 2005) and
/// −ln ε (c = ∞).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepPolicy {
    tolerance: Tolerance,
    order: usize,
    /// The tolerance as (absolute, relative), over the larger of both.
    units: [f64; 2],
    /// The step over the radius of convergence.
    reach: f64,
}

/// The order over −ln ε.
const ORDER_PER_DIGIT: f64 = 0.62;
/// The last term over the tolerance.
const LAST_TERM: f64 = 0.05;
/// Orders outside do not pay.
const ORDERS: std::ops::RangeInclusive<usize> = 4..=32;

impl StepPolicy {
    /// The order that costs least at this tolerance.
    pub fn new(tolerance: Tolerance) -> StepPolicy {
        let digits = -target(tolerance).ln();
        let order = (ORDER_PER_DIGIT * digits + 1.0).round() as usize;
        StepPolicy::with_order(tolerance, order.clamp(*ORDERS.start(), *ORDERS.end()))
    }

    /// A given order, at least 2.
    pub fn with_order(tolerance: Tolerance, order: usize) -> StepPolicy {
        let order = order.max(2);
        StepPolicy {
            tolerance,
            order,
            units: [
                (tolerance.absolute / target(tolerance)).max(1e-100),
                tolerance.relative / target(tolerance),
            ],
            reach: (LAST_TERM * target(tolerance)).powf(1.0 / order as f64),
        }
    }

    /// p
    pub fn order(&self) -> usize {
        self.order
    }

    /// The error allowed in a step.
    pub fn tolerance(&self) -> Tolerance {
        self.tolerance
    }

    /// What a component x is measured in, without the tolerance itself: the sum of the first number
    /// and of the second times |x|.
    pub(super) fn units(&self) -> [f64; 2] {
        self.units
    }

    /// The step for coefficients of these sizes at the last order and the one before, in units
    /// of the component; infinite where both vanish.
    ///
    /// Both count, since every second coefficient of an odd or even motion vanishes.
    #[inline(always)]
    pub fn step(&self, last: f64, before: f64) -> f64 {
        let p = self.order as f64;
        self.reach * inverse_root(last, p).min(inverse_root(before, p - 1.0))
    }

    /// The last term over what is allowed, for a step of this length.
    pub fn error(&self, last: f64, before: f64, h: f64) -> f64 {
        let ratio = h.abs() / self.step(last, before);
        ratio.powi(self.order as i32)
    }
}

fn target(tolerance: Tolerance) -> f64 {
    let larger = tolerance.relative.max(tolerance.absolute);
    larger.clamp(f64::EPSILON / 8.0, 0.1)
}

/// About x^(−1/p), within a percent for p ≥ 2: a step size needs no more, and the same bits come out
/// on every machine. Without branches, so that lanes go through together.
#[inline(always)]
fn inverse_root(x: f64, p: f64) -> f64 {
    let root = exp2_roughly(log2_roughly(x) / -p);
    if x < f64::MIN_POSITIVE {
        f64::INFINITY
    } else {
        root
    }
}

/// 2^52: added to a smaller integer, it leaves it in the lowest bits.
const SHIFT: f64 = 4503599627370496.0;
const BIAS: f64 = 1023.0;

#[inline(always)]
fn log2_roughly(x: f64) -> f64 {
    const MANTISSA: u64 = (1 << 52) - 1;
    let bits = x.to_bits();
    let exponent = f64::from_bits(bits >> 52 | SHIFT.to_bits()) - (SHIFT + BIAS);
    let fraction = f64::from_bits(bits & MANTISSA | 1f64.to_bits()) - 1.0;
    // log2(1 + f), exact at both ends, within 0.009 between them.
    exponent + fraction * (1.3465 - 0.3465 * fraction)
}

#[inline(always)]
fn exp2_roughly(y: f64) -> f64 {
    let y = y.clamp(-1000.0, 1000.0);
    let whole = y.floor();
    let fraction = y - whole;
    let scale = f64::from_bits((whole + (SHIFT + BIAS)).to_bits() << 52);
    scale * (1.0 + fraction * (0.6565 + 0.3435 * fraction))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_within_a_percent() {
        for p in [2.0, 7.0, 19.0] {
            for k in -600..600 {
                let x = 1.37f64.powi(k);
                let ratio = inverse_root(x, p) / x.powf(-1.0 / p);
                assert!((ratio - 1.0).abs() < 0.01, "{x}^(-1/{p}): {ratio}");
            }
        }
        assert_eq!(inverse_root(0.0, 5.0), f64::INFINITY);
    }

    #[test]
    fn steps_of_a_geometric_series_stay_inside_its_radius() {
        for digits in [3, 6, 9, 12, 15] {
            let policy = StepPolicy::new(Tolerance::both(10f64.powi(-digits)));
            let p = policy.order() as i32;
            let radius = 3.0f64;
            let h = policy.step(radius.powi(-p), radius.powi(1 - p));
            assert!(h < radius);
            let last = (h / radius).powi(p);
            assert!(last < 10f64.powi(-digits), "{digits} digits: {last}");
            assert!(last > 1e-3 * 10f64.powi(-digits), "{digits} digits: {last}");
        }
    }
}
