//! Order and step size of the Taylor method.

use crate::control::Tolerance;

/// How the order follows from the tolerance, and the step from the last coefficients.
///
/// With a radius of convergence ρ the p-th term of the series at h = θρ is θ^p times the solution:
/// a step of order p reaches ρ ε^(1/p) for a tolerance ε. The best order is the one that costs least
/// per time, −ln ε/2 where the cost grows with p² (Jorba & Zou 2005) and more where it grows less.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepPolicy {
    tolerance: Tolerance,
    order: usize,
    /// The tolerance as (absolute, relative), over the larger of both.
    units: [f64; 2],
    /// The step over the radius of convergence.
    reach: f64,
    /// 1/p and 1/(p − 1).
    roots: [f64; 2],
}

/// The last term over the tolerance.
const LAST_TERM: f64 = 0.05;
/// Units of components are no smaller, also where only relative errors count.
const LEAST_UNIT: f64 = 1e-100;
/// Orders outside do not pay.
const ORDERS: std::ops::RangeInclusive<usize> = 4..=40;

impl StepPolicy {
    /// The order that costs least at this tolerance where a step of order p costs p(p + 20): a system
    /// of moderate size.
    pub fn new(tolerance: Tolerance) -> StepPolicy {
        StepPolicy::cheapest(tolerance, |p| (p * (p + 20)) as f64)
    }

    /// The order that costs least at this tolerance, with the cost of a step of order p.
    pub fn cheapest(tolerance: Tolerance, cost: impl Fn(usize) -> f64) -> StepPolicy {
        let per_time = |p: usize| cost(p) / StepPolicy::with_order(tolerance, p).reach;
        let best = ORDERS.min_by(|&p, &q| per_time(p).total_cmp(&per_time(q)));
        StepPolicy::with_order(tolerance, best.unwrap_or(*ORDERS.end()))
    }

    /// A given order, at least 2.
    pub fn with_order(tolerance: Tolerance, order: usize) -> StepPolicy {
        let order = order.max(2);
        StepPolicy {
            tolerance,
            order,
            units: [
                (tolerance.absolute / target(tolerance)).max(LEAST_UNIT),
                tolerance.relative / target(tolerance),
            ],
            reach: (LAST_TERM * target(tolerance)).powf(1.0 / order as f64),
            roots: [order, order - 1].map(|p| 1.0 / p as f64),
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

    /// The step over the radius of convergence.
    pub fn reach(&self) -> f64 {
        self.reach
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
        let [p, q] = self.roots;
        let exponent = (p * smallness(last)).min(q * smallness(before));
        let length = self.reach * exp2_roughly(exponent);
        if exponent < f64::INFINITY {
            length
        } else {
            f64::INFINITY
        }
    }

    /// The last term over what is allowed, for a step of this length where `step` is the longest.
    pub fn error(&self, step: f64, h: f64) -> f64 {
        (h.abs() / step).powi(self.order as i32)
    }
}

fn target(tolerance: Tolerance) -> f64 {
    let larger = tolerance.relative.max(tolerance.absolute);
    larger.clamp(f64::EPSILON / 8.0, 0.1)
}

/// −log2 x, infinite for 0. A step size needs no more than a percent of x^(−1/p), and the same bits
/// come out on every machine. Without branches, so that lanes go through together.
#[inline(always)]
fn smallness(x: f64) -> f64 {
    let logarithm = log2_roughly(x);
    if x < f64::MIN_POSITIVE {
        f64::INFINITY
    } else {
        -logarithm
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
    // Rounded to the nearest integer, which stands in the lowest bits.
    let shifted = y + (SHIFT + BIAS);
    let scale = f64::from_bits(shifted.to_bits() << 52);
    let f = std::f64::consts::LN_2 * (y - (shifted - (SHIFT + BIAS)));
    scale * (1.0 + f * (1.0 + f * (0.5 + f * (1.0 / 6.0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_within_a_percent() {
        for p in [2, 7, 19] {
            let policy = StepPolicy::with_order(Tolerance::both(1e-9), p);
            for k in -600..600 {
                let x = 1.37f64.powi(k);
                let exact = policy.reach() * x.powf(-1.0 / p as f64);
                let ratio = policy.step(x, 0.0) / exact;
                assert!((ratio - 1.0).abs() < 0.01, "{x}^(-1/{p}): {ratio}");
            }
            assert_eq!(policy.step(0.0, 0.0), f64::INFINITY);
        }
    }

    #[test]
    fn orders_grow_with_the_digits_and_with_what_does_not_depend_on_them() {
        let order = |digits: i32, fixed: f64| {
            let tolerance = Tolerance::both(10f64.powi(-digits));
            let cost = |p: usize| fixed + (p * p) as f64;
            StepPolicy::cheapest(tolerance, cost).order() as f64
        };
        // Without anything else, −ln(ε')/2 for the last term ε' (Jorba & Zou 2005).
        for digits in [6, 9, 12] {
            let ideal = (f64::from(digits) * 10f64.ln() - LAST_TERM.ln()) / 2.0;
            assert!((order(digits, 0.0) - ideal).abs() <= 1.0, "{digits} digits");
            assert!(order(digits, 200.0) > order(digits, 0.0));
        }
        assert!(order(12, 0.0) > order(6, 0.0));
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
