//! Inverse tangent, between -π/2 and π/2.

use super::canonical::odd;
use super::{Algebra, Elementary, Function, Image, Parity, Slope, Special};
use crate::meaning::directed::Directed;
use crate::meaning::enclosure::{Enclosed, Enclosures, Interval};
use crate::{Expr, Sign};

/// Inverse tangent, between -π/2 and π/2.
pub(super) struct Atan;

impl Elementary for Atan {
    const NAME: &'static str = "atan";
    const LATEX: &'static str = r"\arctan";
    const PARITY: Parity = Parity::Odd;

    fn apply(x: &[Expr]) -> Expr {
        odd(Function::Atan, &x[0], Some(Expr::pi() / 4))
    }
    fn derivative(_: usize, x: &[Expr]) -> Expr {
        (1 + &x[0] * &x[0]).recip()
    }
    fn float(x: f64, _: f64) -> f64 {
        x.atan()
    }
    fn enclose<D: Directed>(
        e: &Enclosures<D>,
        x: &Interval<D::Number>,
        _: &Enclosed<D>,
    ) -> Enclosed<D> {
        e.angle(x, &e.one()?)
    }
    fn image() -> Image {
        Image::Opaque(Special::Odd(2))
    }
    fn slope<A: Algebra>(a: &mut A, x: A::Node) -> Option<Slope<A::Node>> {
        // 1 + x²
        let (one, square) = (a.number(1), a.times(x, x));
        let divisor = a.plus(one, square);
        Some(Slope::Over {
            divisor,
            negative: false,
        })
    }
    fn sign(x: &[Sign]) -> Sign {
        x[0]
    }
}
