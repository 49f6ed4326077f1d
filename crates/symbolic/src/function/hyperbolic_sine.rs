//! Hyperbolic sine.

use super::canonical::odd;
use super::{Algebra, Elementary, Function, Image, Parity, Slope};
use crate::meaning::directed::Directed;
use crate::meaning::enclosure::{Enclosed, Enclosures, Interval};
use crate::{Expr, Sign, Wide};

/// Hyperbolic sine.
pub(super) struct Sinh;

impl Elementary for Sinh {
    const NAME: &'static str = "sinh";
    const LATEX: &'static str = r"\sinh";
    const PARITY: Parity = Parity::Odd;

    fn apply(x: &[Expr]) -> Expr {
        odd(Function::Sinh, &x[0], None)
    }
    fn derivative(_: usize, x: &[Expr]) -> Expr {
        x[0].cosh()
    }
    fn float(x: f64, _: f64) -> f64 {
        x.sinh()
    }
    fn wide(x: Wide, _: Wide) -> Wide {
        x.hyperbolic(f64::sinh)
    }
    fn enclose<D: Directed>(
        e: &Enclosures<D>,
        x: &Interval<D::Number>,
        _: &Enclosed<D>,
    ) -> Enclosed<D> {
        e.increasing(x, |a| e.hyperbolic(a, true))
    }
    fn image() -> Image {
        Image::Hyperbolic { sine: true }
    }
    fn slope<A: Algebra>(_: &mut A, _: A::Node) -> Option<Slope<A::Node>> {
        Some(Slope::Pair {
            sine: true,
            hyperbolic: true,
        })
    }
    fn sign(x: &[Sign]) -> Sign {
        x[0]
    }
}
