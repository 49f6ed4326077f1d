//! Numbers whose operations round the way that they are told: the ends of enclosures.

use super::careful;
use super::enclosure::Interval;
use crate::Rational;
use dashu::integer::IBig;

/// Where a result that has no exact representation goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Toward {
    /// Not above the true value.
    Below,
    /// Not below the true value.
    Above,
}

/// Arithmetic with directed rounding. A result that is out of range is not finite.
pub(crate) trait Directed: Clone {
    /// A number.
    type Number: Clone + PartialOrd;
    /// Bits that functions are computed to.
    fn bits(&self) -> usize;
    /// An exact number, rounded.
    fn rational(&self, r: &Rational, to: Toward) -> Self::Number;
    /// m·2^e, rounded.
    fn dyadic(&self, m: &IBig, e: isize, to: Toward) -> Self::Number;
    /// (m, e) with the number m·2^e; `None` for what is not finite.
    fn parts(&self, x: &Self::Number) -> Option<(IBig, isize)>;
    /// a + b.
    fn add(&self, a: &Self::Number, b: &Self::Number, to: Toward) -> Self::Number;
    /// a·b.
    fn mul(&self, a: &Self::Number, b: &Self::Number, to: Toward) -> Self::Number;
    /// a/b for b ≠ 0.
    fn div(&self, a: &Self::Number, b: &Self::Number, to: Toward) -> Self::Number;
    /// √a for a ≥ 0.
    fn sqrt(&self, a: &Self::Number, to: Toward) -> Self::Number;
    /// -a, exactly.
    fn negate(&self, a: &Self::Number) -> Self::Number;
    /// Is it a number?
    fn is_finite(&self, a: &Self::Number) -> bool;
    /// The nearest double on that side.
    fn to_double(&self, a: &Self::Number, to: Toward) -> f64;
    /// Zero.
    fn zero(&self) -> Self::Number;
    /// One.
    fn one(&self) -> Self::Number;
    /// sin x and cos x; `None` where x is out of range.
    fn sin_cos(&self, x: &Self::Number) -> Option<[Interval<Self::Number>; 2]> {
        careful::sin_cos(self, x)
    }
    /// e^x; `None` where it is out of range.
    fn exp(&self, x: &Self::Number) -> Option<Interval<Self::Number>> {
        careful::exp(self, x)
    }
    /// log x; `None` but for x > 0.
    fn log(&self, x: &Self::Number) -> Option<Interval<Self::Number>> {
        careful::log(self, x)
    }
    /// asin x; `None` beyond 1.
    fn asin(&self, x: &Self::Number) -> Option<Interval<Self::Number>> {
        careful::asin(self, x)
    }
    /// The angle of the point (x, y) ≠ 0, between -π and π.
    fn atan2(&self, y: &Self::Number, x: &Self::Number) -> Option<Interval<Self::Number>> {
        careful::atan2(self, y, x)
    }
}
