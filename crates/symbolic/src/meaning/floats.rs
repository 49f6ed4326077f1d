//! Programs over floating-point numbers, rounded as the machine rounds.

use super::Meaning;
use crate::Rational;
use crate::function::Function;

/// Floating-point numbers; NaN where nothing is defined.
pub(crate) struct Floats;

/// An exponent as the machine takes it.
#[derive(Clone, Copy)]
pub(crate) enum Power {
    Integer(i32),
    Real(f64),
}

impl Meaning for Floats {
    type Value = f64;
    type Exponent = Power;

    fn number(&self, r: &Rational) -> f64 {
        r.to_f64()
    }
    fn pi(&self) -> f64 {
        std::f64::consts::PI
    }
    fn undefined(&self) -> f64 {
        f64::NAN
    }
    fn plus(&self, a: &f64, b: &f64) -> f64 {
        a + b
    }
    fn times(&self, a: &f64, b: &f64) -> f64 {
        a * b
    }
    fn exponent(&self, r: &Rational) -> Power {
        match r.as_integer().and_then(|k| i32::try_from(k).ok()) {
            Some(k) => Power::Integer(k),
            None => Power::Real(r.to_f64()),
        }
    }
    fn power(&self, a: &f64, r: &Power) -> f64 {
        match r {
            Power::Integer(k) => a.powi(*k),
            Power::Real(r) => a.powf(*r),
        }
    }
    fn function(&self, f: Function, x: &f64, y: &f64) -> f64 {
        f.evaluate(&[*x, *y])
    }
}
