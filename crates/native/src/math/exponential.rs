//! The exponential, to less than 0.8 units in the last place.
//!
//! x = q·ln 2 + r + e with q the nearest integer, |r| ≤ ln(2)/2 and e what rounding took from r. Then
//! eˣ = 2^q (1 + e)(1 + r + r²·P(r)), where 1 + r keeps its rounding error.

use super::elementary::{Elementary, LN_2, ROUNDER, polynomial, power_of_two, select, sum};

/// (eʳ − 1 − r)/r², minimax on |r| ≤ ln(2)/2 to 2^-60 of eʳ.
const HIGHER: [f64; 11] = [
    0.5,
    0.16666666666666682,
    0.041666666666666095,
    0.008333333333317034,
    0.001388888888911563,
    0.0001984126989638381,
    2.480158692662916e-05,
    2.75572348619124e-06,
    2.7557581851776425e-07,
    2.5112036845017758e-08,
    2.082662595790663e-09,
];

/// Beyond these bounds the result is 0 or infinite.
const BOUNDS: [f64; 2] = [-746.0, 710.0];

#[derive(Clone, Copy)]
pub(crate) struct Exponential;

impl Elementary<1> for Exponential {
    #[inline(always)]
    fn formula(self, [x]: [f64; 1]) -> f64 {
        exponential(x, 0.0)
    }

    fn library(self, [x]: [f64; 1]) -> f64 {
        x.exp()
    }
}

/// e^(x + rest), where rest is of the size of x's rounding error.
#[inline(always)]
pub(super) fn exponential(x: f64, rest: f64) -> f64 {
    let x = select(x < BOUNDS[0], BOUNDS[0], x);
    let x = select(x > BOUNDS[1], BOUNDS[1], x);
    let (q, high, low) = mantissa(x, rest);
    // In two halves: 2^q itself may be no number.
    let half = q.mul_add(0.5, ROUNDER) - ROUNDER;
    (high + low) * power_of_two(half) * power_of_two(q - half)
}

/// e^(x + rest) = 2^q (high + low), where high + low is known to more than working precision.
#[inline(always)]
pub(super) fn mantissa(x: f64, rest: f64) -> (f64, f64, f64) {
    let q = x.mul_add(std::f64::consts::LOG2_E, ROUNDER) - ROUNDER;
    let near = (-q).mul_add(LN_2[0], x);
    let r = (-q).mul_add(LN_2[1], near);
    let e = rest + (-q).mul_add(LN_2[1], near - r);
    let (high, lost) = sum(1.0, r);
    let higher = r * r * polynomial(&HIGHER, r);
    // e^(r + e) = e^r (1 + e)
    (q, high, lost + (high + higher).mul_add(e, higher))
}
