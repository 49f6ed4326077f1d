//! Cosine.

use super::{Algebra, Elementary, Image, Parity, Slope, turn};
use crate::Expr;
use crate::meaning::directed::Directed;
use crate::meaning::enclosure::{Enclosed, Enclosures, Interval};

/// Cosine.
pub(super) struct Cos;

impl Elementary for Cos {
    const NAME: &'static str = "cos";
    const LATEX: &'static str = r"\cos";
    const PARITY: Parity = Parity::Even;

    fn apply(x: &[Expr]) -> Expr {
        turn::cos(&x[0])
    }
    fn derivative(_: usize, x: &[Expr]) -> Expr {
        -x[0].sin()
    }
    fn float(x: f64, _: f64) -> f64 {
        x.cos()
    }
    fn enclose<D: Directed>(
        e: &Enclosures<D>,
        x: &Interval<D::Number>,
        _: &Enclosed<D>,
    ) -> Enclosed<D> {
        e.wave(x, false)
    }
    fn image() -> Image {
        Image::Circle { sine: false }
    }
    fn slope<A: Algebra>(_: &mut A, _: A::Node) -> Option<Slope<A::Node>> {
        Some(Slope::Pair {
            sine: false,
            hyperbolic: false,
        })
    }
}
