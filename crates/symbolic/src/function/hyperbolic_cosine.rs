//! Hyperbolic cosine.

use super::canonical::{absolute, node};
use super::{Algebra, Elementary, Function, Image, Parity, Slope};
use crate::meaning::directed::Directed;
use crate::meaning::enclosure::{Enclosed, Enclosures, Interval};
use crate::{Expr, Sign, Wide};

/// Hyperbolic cosine.
pub(super) struct Cosh;

impl Elementary for Cosh {
    const NAME: &'static str = "cosh";
    const LATEX: &'static str = r"\cosh";
    const PARITY: Parity = Parity::Even;

    fn apply(x: &[Expr]) -> Expr {
        if x[0].is_zero() {
            return Expr::one();
        }
        node(Function::Cosh, &[absolute(&x[0]).1])
    }
    fn derivative(_: usize, x: &[Expr]) -> Expr {
        x[0].sinh()
    }
    fn float(x: f64, _: f64) -> f64 {
        x.cosh()
    }
    fn wide(x: Wide, _: Wide) -> Wide {
        x.size().hyperbolic(f64::cosh)
    }
    fn enclose<D: Directed>(
        e: &Enclosures<D>,
        x: &Interval<D::Number>,
        _: &Enclosed<D>,
    ) -> Enclosed<D> {
        e.increasing(&e.size(x), |a| e.hyperbolic(a, false))
    }
    fn image() -> Image {
        Image::Hyperbolic { sine: false }
    }
    fn slope<A: Algebra>(_: &mut A, _: A::Node) -> Option<Slope<A::Node>> {
        Some(Slope::Pair {
            sine: false,
            hyperbolic: true,
        })
    }
    fn sign(_: &[Sign]) -> Sign {
        Sign::Positive
    }
}
