//! Expressions as scalars.

use crate::scalar::Scalar;
use rattleback_symbolic::{Expr, Rational};

impl Scalar for Expr {
    fn ratio(n: i64, d: i64) -> Self {
        Expr::ratio(n, d)
    }
    fn sqrt(&self) -> Self {
        Expr::sqrt(self)
    }
    fn sin(&self) -> Self {
        Expr::sin(self)
    }
    fn cos(&self) -> Self {
        Expr::cos(self)
    }
    fn atan2(&self, x: &Self) -> Self {
        Expr::atan2(self, x)
    }

    /// (−1)^m (f(θ) − its Taylor polynomial below θ^k)/θ^k, with f = cos for even k, else sin.
    fn stumpff(order: u32, angle: &Self) -> Self {
        if angle.is_zero() {
            return reciprocal_factorial(order);
        }
        let (parity, pairs) = (order % 2, order / 2);
        let function = if parity == 0 {
            angle.cos()
        } else {
            angle.sin()
        };
        let polynomial = Expr::sum((0..pairs).map(|j| {
            let power = 2 * j + parity;
            alternating(j) * reciprocal_factorial(power) * angle.powi(power.into())
        }));
        alternating(pairs) * (function - polynomial) * angle.powi(-i64::from(order))
    }

    fn cotangent_defect(angle: &Self) -> Self {
        if angle.is_zero() {
            return Expr::ratio(1, 12);
        }
        let half = angle / 2;
        (1 - &half * half.cot()) / angle.powi(2)
    }

    /// With α = (θ/2) cot(θ/2): ((α + θ²/(4 sin²(θ/2)))/2 − 1)/θ⁴, since
    /// dα/d(θ²) = (α − θ²/(4 sin²(θ/2)))/(2θ²).
    fn cotangent_defect_slope(angle: &Self) -> Self {
        if angle.is_zero() {
            return Expr::ratio(1, 720);
        }
        let half = angle / 2;
        let (alpha, stretch) = (&half * half.cot(), (&half / half.sin()).powi(2));
        ((alpha + stretch) / 2 - 1) / angle.powi(4)
    }

    fn is_negligible(&self) -> bool {
        self.is_zero()
    }

    fn is_known_below(&self, other: &Self) -> bool {
        let numbers: [Option<&Rational>; 2] = [self.as_number(), other.as_number()];
        matches!(numbers, [Some(a), Some(b)] if a < b)
    }
}

fn alternating(j: u32) -> i64 {
    if j.is_multiple_of(2) { 1 } else { -1 }
}

/// 1/k!.
fn reciprocal_factorial(k: u32) -> Expr {
    Expr::product((2..=i64::from(k)).map(|j| Expr::ratio(1, j)))
}
