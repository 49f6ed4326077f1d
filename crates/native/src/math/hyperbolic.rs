//! The hyperbolic sine, cosine and tangent, to less than 0.9 units in the last place.
//!
//! With p = e^|x|/2 and n = e^−|x|/2 to more than working precision, cosh x = p + n and
//! sinh x = ±(p − n), except near 0, where the difference is a polynomial. tanh x = ±(1 − 2/(e^2|x| + 1)),
//! with a polynomial near 0 as well.

use super::elementary::{Elementary, polynomial, power_of_two, select, sum};
use super::exponential::mantissa;

/// (sinh x − x)/x³ in powers of x², minimax on |x| ≤ 1 to 2^-63 of sinh x.
const SINE: [f64; 7] = [
    0.16666666666666669,
    0.008333333333333146,
    0.00019841269841433493,
    2.75573191565365e-06,
    2.5052123225259334e-08,
    1.6057252625979e-10,
    7.758972547421386e-13,
];
/// Where that polynomial serves.
const NEAR: f64 = 1.0;
/// Beyond this both are infinite.
const LARGEST: f64 = 711.0;

/// (tanh x − x)/x³ in powers of x², minimax on |x| ≤ 0.55 to 2^-57 of tanh x.
const TANGENT: [f64; 11] = [
    -0.3333333333333333,
    0.13333333333332711,
    -0.053968253967430574,
    0.021869488493509705,
    -0.008863234394188381,
    0.0035921103308874,
    -0.0014556614480413898,
    0.0005889341689363808,
    -0.00023462915056605586,
    8.510397452944019e-05,
    -2.059640009075377e-05,
];
/// Where that polynomial serves: beyond, the tangent is more than half.
const NEAR_TANGENT: f64 = 0.55;
/// Beyond this the tangent is 1.
const LARGEST_TANGENT: f64 = 20.0;

#[derive(Clone, Copy)]
pub(crate) struct HyperbolicSine;

impl Elementary<1> for HyperbolicSine {
    #[inline(always)]
    fn formula(self, [x]: [f64; 1]) -> f64 {
        let size = x.abs();
        let far = halves_combined(size, -1.0);
        let z = size * size;
        let near = (size * z).mul_add(polynomial(&SINE, z), size);
        let y = select(size < NEAR, near, far);
        y.copysign(x)
    }

    fn library(self, [x]: [f64; 1]) -> f64 {
        x.sinh()
    }
}

#[derive(Clone, Copy)]
pub(crate) struct HyperbolicCosine;

impl Elementary<1> for HyperbolicCosine {
    #[inline(always)]
    fn formula(self, [x]: [f64; 1]) -> f64 {
        halves_combined(x.abs(), 1.0)
    }

    fn library(self, [x]: [f64; 1]) -> f64 {
        x.cosh()
    }
}

#[derive(Clone, Copy)]
pub(crate) struct HyperbolicTangent;

impl Elementary<1> for HyperbolicTangent {
    #[inline(always)]
    fn formula(self, [x]: [f64; 1]) -> f64 {
        let size = x.abs();
        let z = size * size;
        let near = (size * z).mul_add(polynomial(&TANGENT, z), size);
        let y = select(size < NEAR_TANGENT, near, far_tangent(size));
        y.copysign(x)
    }

    fn library(self, [x]: [f64; 1]) -> f64 {
        x.tanh()
    }
}

/// 1 − 2/(e^2|x| + 1), where the sum and the quotient keep their errors.
#[inline(always)]
fn far_tangent(size: f64) -> f64 {
    let size = select(size > LARGEST_TANGENT, LARGEST_TANGENT, size);
    let (q, high, low) = mantissa(2.0 * size, 0.0);
    let (high, low) = sum(high, low);
    let scale = power_of_two(q);
    let (total, lost) = sum(high * scale, 1.0);
    let lost = low.mul_add(scale, lost);
    let inverse = 1.0 / total;
    let rest = (-inverse).mul_add(lost, (-inverse).mul_add(total, 1.0));
    let (high, low) = sum(1.0, -2.0 * inverse);
    high + (-2.0 * inverse).mul_add(rest, low)
}

/// p + sign·n.
#[inline(always)]
fn halves_combined(size: f64, sign: f64) -> f64 {
    let size = select(size > LARGEST, LARGEST, size);
    // e^|x| = 2^q (high + low), with low small enough for its square to vanish.
    let (q, high, low) = mantissa(size, 0.0);
    let (high, low) = sum(high, low);
    let inverse = 1.0 / high;
    let rest = (-inverse).mul_add(high, 1.0);
    let inverse_low = inverse * (-inverse).mul_add(low, rest);
    // 2^−2q, by a factor that is a normal number for every q; their product need not be.
    let back = power_of_two(4.0 - q);
    let back = sign / 256.0 * back * back;
    let (high, lost) = sum(high, inverse * back);
    let both = high + (lost + inverse_low.mul_add(back, low));
    // In two parts: e^|x| may be infinite where its half is not.
    both * power_of_two(q - 2.0) * 2.0
}
