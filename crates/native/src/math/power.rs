//! Real powers, to less than one unit in the last place: x^p = e^(p ln x), with ln x to more than working
//! precision.

use super::elementary::{Elementary, each, sum};
use super::exponential::exponential;
use super::logarithm::logarithm;

/// Beyond this the error of the logarithm, p times larger, is no longer small.
const LARGEST: f64 = 4.0;

/// x^p at each place.
pub(crate) fn power(x: &[f64], p: f64, y: &mut [f64]) {
    if p.abs() <= LARGEST {
        each(Power(p), [x], y);
    } else {
        for (x, y) in x.iter().zip(y) {
            *y = x.powf(p);
        }
    }
}

#[derive(Clone, Copy)]
struct Power(f64);

impl Elementary<1> for Power {
    #[inline(always)]
    fn formula(self, [x]: [f64; 1]) -> f64 {
        real_power(x, self.0)
    }

    fn library(self, [x]: [f64; 1]) -> f64 {
        x.powf(self.0)
    }

    #[inline(always)]
    fn holds(self, [x]: [f64; 1]) -> bool {
        (f64::MIN_POSITIVE..f64::INFINITY).contains(&x)
    }
}

/// x^p, with an exponent for each place.
#[derive(Clone, Copy)]
pub(crate) struct PowerOf;

impl Elementary<2> for PowerOf {
    #[inline(always)]
    fn formula(self, [x, p]: [f64; 2]) -> f64 {
        real_power(x, p)
    }

    fn library(self, [x, p]: [f64; 2]) -> f64 {
        x.powf(p)
    }

    #[inline(always)]
    fn holds(self, [x, p]: [f64; 2]) -> bool {
        Power(p).holds([x]) && p.abs() <= LARGEST
    }
}

/// e^(p ln x) for a positive normal number.
#[inline(always)]
fn real_power(x: f64, p: f64) -> f64 {
    let (high, low) = logarithm(x, 0.0);
    let (high, low) = sum(high, low);
    let product = p * high;
    let rest = p.mul_add(low, p.mul_add(high, -product));
    exponential(product, rest)
}
