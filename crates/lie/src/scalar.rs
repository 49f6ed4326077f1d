//! The numbers that a group is written over: exact expressions or doubles.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A field with the few functions that exponentials need.
///
/// Functions of an angle θ are even and entire, or have their first pole at a full turn; doubles
/// compute them without cancellation near 0, expressions take their limit where θ is literally 0.
pub trait Scalar:
    Clone
    + Debug
    + PartialEq
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + for<'a> Add<&'a Self, Output = Self>
    + for<'a> Sub<&'a Self, Output = Self>
    + for<'a> Mul<&'a Self, Output = Self>
    + for<'a> Div<&'a Self, Output = Self>
{
    /// n/d.
    fn ratio(n: i64, d: i64) -> Self;
    /// √x.
    fn sqrt(&self) -> Self;
    /// The sine.
    fn sin(&self) -> Self;
    /// The cosine.
    fn cos(&self) -> Self;
    /// The angle of the point (x, self).
    fn atan2(&self, x: &Self) -> Self;

    /// c_k(θ) = Σ_j (−θ²)^j/(2j + k)!: cos θ, sin θ/θ, (1 − cos θ)/θ², (θ − sin θ)/θ³, …
    fn stumpff(order: u32, angle: &Self) -> Self;

    /// β(θ) = (1 − (θ/2) cot(θ/2))/θ² = 1/12 + θ²/720 + …
    fn cotangent_defect(angle: &Self) -> Self;

    /// dβ/d(θ²) = 1/720 + …
    fn cotangent_defect_slope(angle: &Self) -> Self;

    /// Whether it is zero: for doubles, beside 1 and up to rounding; for expressions, literally.
    fn is_negligible(&self) -> bool;

    /// Whether it is known to be less than the other one; without values nothing is known.
    fn is_known_below(&self, other: &Self) -> bool;

    /// 0.
    fn zero() -> Self {
        Self::ratio(0, 1)
    }
    /// 1.
    fn one() -> Self {
        Self::ratio(1, 1)
    }
    /// 1/2.
    fn half() -> Self {
        Self::ratio(1, 2)
    }
    /// 1 if the indices are the same, else 0.
    fn kronecker(i: usize, j: usize) -> Self {
        Self::ratio(i64::from(i == j), 1)
    }
    /// x².
    fn square(&self) -> Self {
        self.clone() * self
    }
}
