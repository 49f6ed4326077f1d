//! Doubles as scalars.

use crate::scalar::Scalar;
use crate::stumpff;

/// What rounding leaves of zero beside 1.
const NEGLIGIBLE: f64 = 16.0 * f64::EPSILON;

impl Scalar for f64 {
    fn ratio(n: i64, d: i64) -> Self {
        n as f64 / d as f64
    }
    fn sqrt(&self) -> Self {
        f64::sqrt(*self)
    }
    fn sin(&self) -> Self {
        f64::sin(*self)
    }
    fn cos(&self) -> Self {
        f64::cos(*self)
    }
    fn atan2(&self, x: &Self) -> Self {
        f64::atan2(*self, *x)
    }
    fn stumpff(order: u32, angle: &Self) -> Self {
        stumpff::stumpff(order, *angle)
    }
    fn cotangent_defect(angle: &Self) -> Self {
        stumpff::cotangent_defect(*angle)
    }
    fn cotangent_defect_slope(angle: &Self) -> Self {
        stumpff::cotangent_defect_slope(*angle)
    }
    fn is_negligible(&self) -> bool {
        self.abs() <= NEGLIGIBLE
    }
    fn is_known_below(&self, other: &Self) -> bool {
        self < other
    }
}
