//! How well the polynomial of a step satisfies the equations.
//!
//! The step size trusts the last coefficients. Poles show in them, but where a field goes over into another
//! one (a root that passes zero, a switch or a pulse made of exponentials) or where the last coefficients
//! vanish by chance, they know nothing of what comes; the rates do. Where a field may turn in this way, and what
//! its roots and exponentials are made of varies much in a step, the rates are asked at several places of the
//! step, and it is no large part of the motion.

use crate::control::Tolerance;

/// Steps that grow by more than this are looked at, whatever the field: the last coefficients may vanish by
/// chance.
pub(super) const LEAP: f64 = 4.0;
/// Where a field may turn, the rates are asked at so many places of a step, its end the last of them.
pub(super) const WITNESSES: u32 = 8;
/// What the polynomial may miss of the change in a step, in units of the tolerance: many times what the last
/// coefficients leave of it where they can be trusted.
const ALLOWED: f64 = 20.0;
/// What rounding may take, of the component itself and of the largest one.
const ROUNDING: [f64; 2] = [1e-12, 1e-13];

/// h (p'(h) − f) over what is allowed, for a component x with rate f where the largest component and change
/// together are `largest`.
#[inline(always)]
pub(super) fn defect(
    tolerance: Tolerance,
    h: f64,
    [slope, rate, x]: [f64; 3],
    largest: f64,
) -> f64 {
    let size = x.abs() + (h * rate).abs();
    let tolerated = ALLOWED * (tolerance.absolute + tolerance.relative * x.abs());
    let rounding = ROUNDING[0] * size + ROUNDING[1] * largest;
    (h * (slope - rate)).abs() / (tolerated + rounding + f64::MIN_POSITIVE)
}

/// The larger number; one that is not a number wins.
#[inline(always)]
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if b <= a || a.is_nan() { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_number_is_kept() {
        for numbers in [
            [f64::NAN, 1.0, 2.0],
            [1.0, f64::NAN, 2.0],
            [1.0, 2.0, f64::NAN],
        ] {
            assert!(numbers.into_iter().fold(0.0, larger).is_nan());
        }
        assert_eq!([1.0, 3.0, 2.0].into_iter().fold(0.0, larger), 3.0);
    }
}
