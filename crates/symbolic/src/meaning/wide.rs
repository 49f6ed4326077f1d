//! Programs over floating-point numbers with room for every exponent.

use super::Meaning;
use super::floats::{Floats, Power};
use crate::function::Function;
use crate::{Rational, Wide};

/// Floating-point numbers that no product leaves the range of; functions are taken in range.
pub(crate) struct WideRange;

impl Meaning for WideRange {
    type Value = Wide;
    type Exponent = Power;

    fn number(&self, r: &Rational) -> Wide {
        Wide::of(r)
    }
    fn pi(&self) -> Wide {
        std::f64::consts::PI.into()
    }
    fn undefined(&self) -> Wide {
        f64::NAN.into()
    }
    fn plus(&self, a: &Wide, b: &Wide) -> Wide {
        *a + *b
    }
    fn times(&self, a: &Wide, b: &Wide) -> Wide {
        *a * *b
    }
    fn exponent(&self, r: &Rational) -> Power {
        Floats.exponent(r)
    }
    fn power(&self, a: &Wide, r: &Power) -> Wide {
        match r {
            Power::Integer(k) => a.powi((*k).into()),
            Power::Real(r) => a.powf(*r),
        }
    }
    fn function(&self, f: Function, x: &Wide, y: &Wide) -> Wide {
        f.evaluate(&[x.to_f64(), y.to_f64()]).into()
    }
}
