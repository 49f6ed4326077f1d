//! Numbers of many bits with directed rounding.

use super::directed::{Directed, Toward};
use super::doubles::Doubles;
use crate::Rational;
use dashu::float::round::mode::{Down, Up};
use dashu::float::{Context, Repr};
use dashu::integer::IBig;

/// Binary floats of so many bits.
#[derive(Clone)]
pub(crate) struct Multiple {
    /// The precision.
    pub(crate) bits: usize,
}

/// Applies an operation of a context that rounds to that side; what fails is infinite.
macro_rules! rounded {
    ($self:expr, $to:expr, $operation:ident($($x:expr),*)) => {
        match $to {
            Toward::Below => Context::<Down>::new($self.bits)
                .$operation::<2>($($x),*)
                .map_or(Repr::infinity(), |r| r.value().into_repr()),
            Toward::Above => Context::<Up>::new($self.bits)
                .$operation::<2>($($x),*)
                .map_or(Repr::infinity(), |r| r.value().into_repr()),
        }
    };
}

impl Directed for Multiple {
    type Number = Repr<2>;

    fn bits(&self) -> usize {
        self.bits
    }

    fn rational(&self, r: &Rational, to: Toward) -> Repr<2> {
        let numerator = Repr::new(r.numerator(), 0);
        let denominator = Repr::new(IBig::from(r.denominator()), 0);
        rounded!(self, to, div(&numerator, &denominator))
    }

    fn dyadic(&self, m: &IBig, e: isize, to: Toward) -> Repr<2> {
        let exact = Repr::new(m.clone(), e);
        rounded!(self, to, add(&exact, &Repr::zero()))
    }

    fn parts(&self, x: &Repr<2>) -> Option<(IBig, isize)> {
        x.is_finite()
            .then(|| (x.significand().clone(), x.exponent()))
    }

    fn add(&self, a: &Repr<2>, b: &Repr<2>, to: Toward) -> Repr<2> {
        rounded!(self, to, add(a, b))
    }
    fn mul(&self, a: &Repr<2>, b: &Repr<2>, to: Toward) -> Repr<2> {
        rounded!(self, to, mul(a, b))
    }
    fn div(&self, a: &Repr<2>, b: &Repr<2>, to: Toward) -> Repr<2> {
        rounded!(self, to, div(a, b))
    }
    fn sqrt(&self, a: &Repr<2>, to: Toward) -> Repr<2> {
        rounded!(self, to, sqrt(a))
    }
    fn negate(&self, a: &Repr<2>) -> Repr<2> {
        -a.clone()
    }
    fn is_finite(&self, a: &Repr<2>) -> bool {
        a.is_finite()
    }
    fn to_double(&self, a: &Repr<2>, to: Toward) -> f64 {
        match self.parts(a) {
            Some((m, e)) => Doubles.dyadic(&m, e, to),
            None => f64::INFINITY,
        }
    }
    fn zero(&self) -> Repr<2> {
        Repr::zero()
    }
    fn one(&self) -> Repr<2> {
        Repr::one()
    }
}
