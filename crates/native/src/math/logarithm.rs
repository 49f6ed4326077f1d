//! The natural logarithm, to less than 0.7 units in the last place.
//!
//! x = 2^k (1 + f) with 1 + f between √½ and √2. With s = f/(2 + f) and h = f²/2,
//! ln(1 + f) = 2 artanh s = (f − h) + s(h + R(s²)), where f − h keeps its rounding error.

use super::elementary::{Elementary, LN_2, polynomial, select, sum};

/// R(z)/z for R = 2 artanh(√z)/√z − 2, minimax for √z ≤ (√2 − 1)/(√2 + 1) to 2^-59 of the logarithm.
const HIGHER: [f64; 7] = [
    0.6666666666666734,
    0.3999999999941432,
    0.28571428742474875,
    0.22222198563486162,
    0.18183564866616236,
    0.15314035837086304,
    0.1479610542007874,
];

const MANTISSA_BITS: u64 = (1 << 52) - 1;
const ROOT_HALF_BITS: u64 = std::f64::consts::FRAC_1_SQRT_2.to_bits();
/// 2^52, whose low bits take an integer.
const TWO_52: f64 = 4503599627370496.0;
/// 2^54 makes a normal number of what is smaller.
const LIFT: f64 = 54.0;
const TWO_54: f64 = 18014398509481984.0;

#[derive(Clone, Copy)]
pub(crate) struct Logarithm;

impl Elementary<1> for Logarithm {
    #[inline(always)]
    fn formula(self, [x]: [f64; 1]) -> f64 {
        let subnormal = x < f64::MIN_POSITIVE;
        let lift = select(subnormal, LIFT, 0.0);
        let (high, low) = logarithm(select(subnormal, x * TWO_54, x), lift);
        let y = select(x < f64::INFINITY, high + low, x);
        let at_most_zero = select(x == 0.0, f64::NEG_INFINITY, f64::NAN);
        select(x > 0.0, y, at_most_zero)
    }

    fn library(self, [x]: [f64; 1]) -> f64 {
        x.ln()
    }
}

/// ln(x/2^lift) for a positive normal number, in two parts of which the second is the smaller and known to
/// working precision.
#[inline(always)]
pub(super) fn logarithm(x: f64, lift: f64) -> (f64, f64) {
    // Counted from √½, so that the exponent changes there.
    let bits = (x.to_bits()).wrapping_add(1f64.to_bits() - ROOT_HALF_BITS);
    let k = f64::from_bits(bits >> 52 | TWO_52.to_bits()) - (TWO_52 + 1023.0) - lift;
    let f = f64::from_bits((bits & MANTISSA_BITS) + ROOT_HALF_BITS) - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let half = 0.5 * f;
    let main = (-half).mul_add(f, f);
    let lost = (-half).mul_add(f, f - main);
    let higher = z.mul_add(polynomial(&HIGHER, z), half * f);
    let (high, low) = sum(k * LN_2[0], main);
    (high, low + k.mul_add(LN_2[1], s.mul_add(higher, lost)))
}
