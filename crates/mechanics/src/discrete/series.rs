//! Expressions whose exponentials are written as polynomials, without a singularity at rest.
//!
//! sin θ/θ and its kin are even entire functions of the angle θ of a step. As quotients they have no value at
//! θ = 0 and lose digits near it; as polynomials in θ² they are what a program should compute. The terms left
//! out are far below the last place of a double for |θ| ≤ [`LONGEST_TURN`]; rounding costs a few units of it.

use rattleback_lie::Scalar;
use rattleback_symbolic::{Expr, Rational};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A step may turn by at most this angle: half a turn.
pub const LONGEST_TURN: f64 = std::f64::consts::PI;

/// π^34/34! < 10^-21.
const TERMS: u32 = 17;

/// An expression that takes even functions of an angle as polynomials.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Series(pub Expr);

/// c_k(θ) = Σ_j (−θ²)^j/(2j + k)! by Horner's rule in θ².
fn stumpff(order: u32, square: &Expr) -> Expr {
    (0..TERMS).rev().fold(Expr::zero(), |sum, j| {
        // 1/((2j + 1 + k)(2j + 2 + k)) carries one term to the next.
        let next = i64::from(2 * j + 1 + order) * i64::from(2 * j + 2 + order);
        Expr::one() - square * sum / next
    }) * reciprocal_factorial(order)
}

fn reciprocal_factorial(k: u32) -> Expr {
    let factors = (2..=i64::from(k)).map(|j| Expr::from(&Rational::new(1, j)));
    Expr::product(factors)
}

/// dc_k/d(θ²) = −(c_{k+1} − k c_{k+2})/2.
fn stumpff_slope(order: u32, square: &Expr) -> Expr {
    let k = i64::from(order);
    (k * stumpff(order + 2, square) - stumpff(order + 1, square)) / 2
}

impl Scalar for Series {
    fn ratio(n: i64, d: i64) -> Self {
        Series(Expr::ratio(n, d))
    }
    fn sqrt(&self) -> Self {
        Series(self.0.sqrt())
    }
    fn sin(&self) -> Self {
        Series(self.0.sin())
    }
    fn cos(&self) -> Self {
        Series(self.0.cos())
    }
    fn atan2(&self, x: &Self) -> Self {
        Series(self.0.atan2(&x.0))
    }
    fn stumpff(order: u32, angle: &Self) -> Self {
        Series(stumpff(order, &angle.0.powi(2)))
    }
    /// β = (c₂ − c₃)/(4 c₁) at θ/2.
    fn cotangent_defect(angle: &Self) -> Self {
        let quarter = angle.0.powi(2) / 4;
        let c = |k| stumpff(k, &quarter);
        Series((c(2) - c(3)) / (4 * c(1)))
    }
    /// dβ/d(θ²) by the quotient rule, with a quarter of the slopes at θ/2.
    fn cotangent_defect_slope(angle: &Self) -> Self {
        let quarter = angle.0.powi(2) / 4;
        let (c, slope) = (|k| stumpff(k, &quarter), |k| stumpff_slope(k, &quarter));
        let above = (slope(2) - slope(3)) * c(1) - (c(2) - c(3)) * slope(1);
        Series(above / (16 * c(1).powi(2)))
    }
    fn is_negligible(&self) -> bool {
        self.0.is_zero()
    }
    fn is_known_below(&self, other: &Self) -> bool {
        self.0.is_known_below(&other.0)
    }
}

macro_rules! arithmetic {
    ($($operator:ident $method:ident),*) => {$(
        impl $operator for Series {
            type Output = Series;
            fn $method(self, other: Series) -> Series {
                Series($operator::$method(self.0, other.0))
            }
        }
        impl<'a> $operator<&'a Series> for Series {
            type Output = Series;
            fn $method(self, other: &'a Series) -> Series {
                Series($operator::$method(self.0, &other.0))
            }
        }
    )*};
}

arithmetic!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Series {
    type Output = Series;
    fn neg(self) -> Series {
        Series(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_symbolic::Symbol;

    #[test]
    fn polynomials_are_the_functions_up_to_half_a_turn() {
        let angle = Symbol::variable("a");
        let series = Series(Expr::from(&angle));
        for theta in [1e-9, 0.3, 1.7, 3.0, LONGEST_TURN] {
            let at = |e: &Series| e.0.evaluate(&[(angle.clone(), theta)]).unwrap();
            // Truncation leaves less than 1e-21; rounding of terms up to θ²/2 a few units in the last place of 1.
            let close = |found: f64, exact: f64| {
                assert!((found - exact).abs() < 2e-15, "{theta}: {found} {exact}");
            };
            for k in 0..=5 {
                close(at(&Series::stumpff(k, &series)), f64::stumpff(k, &theta));
            }
            close(
                at(&Series::cotangent_defect(&series)),
                f64::cotangent_defect(&theta),
            );
            close(
                at(&Series::cotangent_defect_slope(&series)),
                f64::cotangent_defect_slope(&theta),
            );
        }
    }
}
