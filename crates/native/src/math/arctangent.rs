//! The arctangent and the angle of a point, to less than 0.7 units in the last place.
//!
//! The point (b, a) of the first quadrant is turned back by k·π/4, k = 0, 1 or 2, to where its slope t is at
//! most tan(π/8); the angle is k·π/4 + arctan t, and the quotient t keeps its error.

use super::elementary::{Elementary, polynomial, select, sum};
use rattleback_symbolic::Function;

/// (arctan t − t)/t³ in powers of t², minimax on |t| ≤ tan(π/8) to 2^-59 of arctan t.
const HIGHER: [f64; 11] = [
    -0.333333333333332,
    0.19999999999954,
    -0.1428571428023966,
    0.11111110785674977,
    -0.09090897822618105,
    0.07692061382691415,
    -0.06663117404324206,
    0.05847986647500678,
    -0.050397427021928655,
    0.03807565009159044,
    -0.01791929375901072,
];

/// π/4 to working precision, and what that leaves over.
const EIGHTH: [f64; 2] = [std::f64::consts::FRAC_PI_4, 3.061616997868383e-17];
/// tan(π/8) and tan(3π/8).
const SLOPES: [f64; 2] = [0.41421356237309503, 2.414213562373095];

/// Arctangents beyond this are right angles.
const LARGEST: f64 = 1e30;

#[derive(Clone, Copy)]
pub(crate) struct Arctangent;

impl Elementary<1> for Arctangent {
    #[inline(always)]
    fn formula(self, [x]: [f64; 1]) -> f64 {
        let size = x.abs();
        let (k, t) = turned_back(select(size > LARGEST, LARGEST, size), 1.0);
        angle(k, t).copysign(x)
    }

    fn library(self, [x]: [f64; 1]) -> f64 {
        x.atan()
    }
}

/// The angle of the point (b, a), from −π to π.
#[derive(Clone, Copy)]
pub(crate) struct AngleOfPoint;

/// Between these sizes no product or sum here is lost.
const SIZES: std::ops::Range<f64> = 1e-140..1e140;

impl Elementary<2> for AngleOfPoint {
    #[inline(always)]
    fn formula(self, [a, b]: [f64; 2]) -> f64 {
        let (k, (t, rest)) = turned_back(a.abs(), b.abs());
        // Left of the vertical axis it is π less the angle to the right.
        let side = 1f64.copysign(b);
        let k = select(side < 0.0, 4.0 - k, k);
        angle(k, (side * t, side * rest)).copysign(a)
    }

    fn library(self, [a, b]: [f64; 2]) -> f64 {
        Function::Atan2.evaluate(&[a, b])
    }

    #[inline(always)]
    fn holds(self, [a, b]: [f64; 2]) -> bool {
        SIZES.contains(&a.abs()) && SIZES.contains(&b.abs())
    }
}

/// k and the slope t of the point (b, a) after turning it back, with what t leaves over.
#[inline(always)]
fn turned_back(a: f64, b: f64) -> (f64, (f64, f64)) {
    let (low, high) = (a < SLOPES[0] * b, a >= SLOPES[1] * b);
    let (difference, difference_rest) = two_sum(a, -b);
    let (total, total_rest) = two_sum(a, b);
    let mut k = select(high, 2.0, 1.0);
    let mut numerator = select(high, -b, difference);
    let mut denominator = select(high, a, total);
    let mut rests: f64 = select(high, 0.0, 1.0);
    k = select(low, 0.0, k);
    numerator = select(low, a, numerator);
    denominator = select(low, b, denominator);
    rests = select(low, 0.0, rests);
    let t = numerator / denominator;
    let error = (-t).mul_add(denominator, numerator);
    let from_rests = (-t).mul_add(total_rest, difference_rest);
    (k, (t, rests.mul_add(from_rests, error) / denominator))
}

/// k·π/4 + arctan(t + rest).
#[inline(always)]
fn angle(k: f64, (t, rest): (f64, f64)) -> f64 {
    let base = k * EIGHTH[0];
    let base_rest = k.mul_add(EIGHTH[1], k.mul_add(EIGHTH[0], -base));
    let z = t * t;
    let higher = (t * z).mul_add(polynomial(&HIGHER, z), (-z).mul_add(rest, rest));
    let (high, low) = sum(base, t);
    high + (low + (base_rest + higher))
}

/// a + b and what rounding took from it.
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let second = s - a;
    (s, (a - (s - second)) + (b - second))
}
