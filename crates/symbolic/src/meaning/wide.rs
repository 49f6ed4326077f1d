//! Programs over floating-point numbers with room for every exponent.

use super::floats::{Floats, Power};
use super::{Meaning, Numbers};
use crate::function::Function;
use crate::{Rational, Wide};
use std::convert::Infallible;

/// Floating-point numbers that neither products nor functions leave the range of.
#[derive(Clone)]
pub(crate) struct WideRange;

impl Numbers for WideRange {
    fn number(&self, r: &Rational) -> Wide {
        Wide::of(r)
    }
    fn exponent(&self, r: &Rational) -> Power {
        Floats.exponent(r)
    }
}

impl Meaning for WideRange {
    type Value = Wide;
    type Power = Power;
    type Call = Function;
    type Miss = Infallible;

    fn pi(&mut self) -> Wide {
        std::f64::consts::PI.into()
    }
    fn undefined(&mut self) -> Wide {
        f64::NAN.into()
    }
    fn plus(&mut self, a: &Wide, b: &Wide) -> Wide {
        *a + *b
    }
    fn times(&mut self, a: &Wide, b: &Wide) -> Wide {
        *a * *b
    }
    fn power(&mut self, _: usize, a: &Wide, r: &Power) -> Result<Wide, Infallible> {
        Ok(match r {
            Power::Integer(k) => a.powi((*k).into()),
            Power::Real(r) => a.powf(*r),
        })
    }
    fn function(&mut self, f: &Function, x: &Wide, y: &Wide) -> Result<Wide, Infallible> {
        Ok(f.wide_of(*x, *y))
    }
    fn form(&mut self, _: &Function) -> Result<Wide, Infallible> {
        Ok(self.undefined())
    }
}
