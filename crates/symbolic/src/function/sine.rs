//! Sine.

use super::{Algebra, Elementary, Image, Parity, Slope, turn};
use crate::Expr;
use crate::meaning::directed::Directed;
use crate::meaning::enclosure::{Enclosed, Enclosures, Interval};

/// Sine.
pub(super) struct Sin;

impl Elementary for Sin {
    const NAME: &'static str = "sin";
    const LATEX: &'static str = r"\sin";
    const PARITY: Parity = Parity::Odd;

    fn apply(x: &[Expr]) -> Expr {
        turn::sin(&x[0])
    }
    fn derivative(_: usize, x: &[Expr]) -> Expr {
        x[0].cos()
    }
    fn float(x: f64, _: f64) -> f64 {
        x.sin()
    }
    fn enclose<D: Directed>(
        e: &Enclosures<D>,
        x: &Interval<D::Number>,
        _: &Enclosed<D>,
    ) -> Enclosed<D> {
        e.wave(x, true)
    }
    fn image() -> Image {
        Image::Circle { sine: true }
    }
    fn slope<A: Algebra>(_: &mut A, _: A::Node) -> Option<Slope<A::Node>> {
        Some(Slope::Pair {
            sine: true,
            hyperbolic: false,
        })
    }
}
