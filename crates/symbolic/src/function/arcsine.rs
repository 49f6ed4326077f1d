//! Inverse sine, between -π/2 and π/2.

use super::canonical::odd;
use super::{Algebra, Elementary, Function, Image, Parity, Slope, Special};
use crate::meaning::directed::Directed;
use crate::meaning::enclosure::{Enclosed, Enclosures, Interval};
use crate::{Expr, Rational};

/// Inverse sine, between -π/2 and π/2.
pub(super) struct Asin;

impl Elementary for Asin {
    const NAME: &'static str = "asin";
    const LATEX: &'static str = r"\arcsin";
    const PARITY: Parity = Parity::Odd;

    fn apply(x: &[Expr]) -> Expr {
        odd(Function::Asin, &x[0], Some(Expr::pi() / 2))
    }
    fn derivative(_: usize, x: &[Expr]) -> Expr {
        (1 - &x[0] * &x[0]).powr(&Rational::new(-1, 2))
    }
    fn float(x: f64, _: f64) -> f64 {
        x.asin()
    }
    fn enclose<D: Directed>(
        e: &Enclosures<D>,
        x: &Interval<D::Number>,
        _: &Enclosed<D>,
    ) -> Enclosed<D> {
        e.inverse_sine(x)
    }
    fn image() -> Image {
        Image::Opaque(Special::Odd(1))
    }
    fn slope<A: Algebra>(a: &mut A, x: A::Node) -> Option<Slope<A::Node>> {
        // √(1 - x²)
        let (one, square) = (a.number(1), a.times(x, x));
        let rest = a.minus(one, square);
        let divisor = a.root(rest);
        Some(Slope::Over {
            divisor,
            negative: false,
        })
    }
}
