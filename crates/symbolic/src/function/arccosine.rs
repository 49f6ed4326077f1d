//! Inverse cosine, between 0 and π.

use super::canonical::node;
use super::{Algebra, Elementary, Function, Image, Slope, Special};
use crate::meaning::directed::Directed;
use crate::meaning::enclosure::{Enclosed, Enclosures, Interval};
use crate::{Expr, Rational};

/// Inverse cosine, between 0 and π.
pub(super) struct Acos;

impl Elementary for Acos {
    const NAME: &'static str = "acos";
    const LATEX: &'static str = r"\arccos";

    fn apply(x: &[Expr]) -> Expr {
        match x[0].as_number().and_then(Rational::as_integer) {
            Some(0) => Expr::pi() / 2,
            Some(1) => Expr::zero(),
            Some(-1) => Expr::pi(),
            _ => node(Function::Acos, x),
        }
    }
    fn derivative(_: usize, x: &[Expr]) -> Expr {
        -(1 - &x[0] * &x[0]).powr(&Rational::new(-1, 2))
    }
    fn float(x: f64, _: f64) -> f64 {
        x.acos()
    }
    fn enclose<D: Directed>(
        e: &Enclosures<D>,
        x: &Interval<D::Number>,
        _: &Enclosed<D>,
    ) -> Enclosed<D> {
        // π/2 - asin x
        let right = e.halved(&e.circle()?)?;
        e.subtract(&right, &e.inverse_sine(x)?)
    }
    fn image() -> Image {
        Image::Complement(Function::Asin, Special::Odd(1))
    }
    fn slope<A: Algebra>(a: &mut A, x: A::Node) -> Option<Slope<A::Node>> {
        // √(1 - x²)
        let (one, square) = (a.number(1), a.times(x, x));
        let rest = a.minus(one, square);
        let divisor = a.root(rest);
        Some(Slope::Over {
            divisor,
            negative: true,
        })
    }
}
