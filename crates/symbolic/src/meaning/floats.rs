//! Programs over floating-point numbers, rounded as the machine rounds.

use super::{Meaning, Numbers};
use crate::Rational;
use crate::function::Function;
use std::convert::Infallible;

/// Floating-point numbers; NaN where nothing is defined.
#[derive(Clone)]
pub(crate) struct Floats;

/// An exponent as the machine takes it.
#[derive(Clone, Copy)]
pub(crate) enum Power {
    Integer(i32),
    Real(f64),
}

impl Numbers for Floats {
    fn number(&self, r: &Rational) -> f64 {
        r.to_f64()
    }
    fn exponent(&self, r: &Rational) -> Power {
        match r.as_integer().and_then(|k| i32::try_from(k).ok()) {
            Some(k) => Power::Integer(k),
            None => Power::Real(r.to_f64()),
        }
    }
}

impl Meaning for Floats {
    type Value = f64;
    type Power = Power;
    type Call = Function;
    type Miss = Infallible;

    fn pi(&mut self) -> f64 {
        std::f64::consts::PI
    }
    fn undefined(&mut self) -> f64 {
        f64::NAN
    }
    fn plus(&mut self, a: &f64, b: &f64) -> f64 {
        a + b
    }
    fn times(&mut self, a: &f64, b: &f64) -> f64 {
        a * b
    }
    fn power(&mut self, _: usize, a: &f64, r: &Power) -> Result<f64, Infallible> {
        Ok(match r {
            Power::Integer(k) => a.powi(*k),
            Power::Real(r) => a.powf(*r),
        })
    }
    fn function(&mut self, f: &Function, x: &f64, y: &f64) -> Result<f64, Infallible> {
        Ok(f.float(*x, *y))
    }
    fn form(&mut self, _: &Function) -> Result<f64, Infallible> {
        Ok(self.undefined())
    }
}
