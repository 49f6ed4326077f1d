//! Hyperbolic tangent.

use super::canonical::odd;
use super::{Algebra, Elementary, Function, Image, Parity, Slope};
use crate::meaning::directed::Directed;
use crate::meaning::enclosure::{Enclosed, Enclosures, Interval};
use crate::{Expr, Sign};

/// Hyperbolic tangent.
pub(super) struct Tanh;

impl Elementary for Tanh {
    const NAME: &'static str = "tanh";
    const LATEX: &'static str = r"\tanh";
    const PARITY: Parity = Parity::Odd;

    fn apply(x: &[Expr]) -> Expr {
        odd(Function::Tanh, &x[0], None)
    }
    fn derivative(_: usize, x: &[Expr]) -> Expr {
        1 - x[0].tanh().powi(2)
    }
    fn float(x: f64, _: f64) -> f64 {
        x.tanh()
    }
    fn enclose<D: Directed>(
        e: &Enclosures<D>,
        x: &Interval<D::Number>,
        _: &Enclosed<D>,
    ) -> Enclosed<D> {
        e.increasing(x, |a| e.hyperbolic_tangent(a))
    }
    fn image() -> Image {
        Image::HyperbolicQuotient
    }
    fn slope<A: Algebra>(_: &mut A, _: A::Node) -> Option<Slope<A::Node>> {
        Some(Slope::OneMinusSquare)
    }
    fn sign(x: &[Sign]) -> Sign {
        x[0]
    }
}
