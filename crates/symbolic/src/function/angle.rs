//! Angle of the point (x, y), arguments in the order y, x.

use super::canonical::node;
use super::{Elementary, Function, Image, Special};
use crate::meaning::directed::Directed;
use crate::meaning::enclosure::{Enclosed, Enclosures, Interval};
use crate::{Expr, Sign, Wide};

/// Angle of the point (x, y), arguments in the order y, x.
pub(super) struct Atan2;

impl Elementary for Atan2 {
    const NAME: &'static str = "atan2";
    const LATEX: &'static str = r"\operatorname{atan2}";
    const ARGUMENTS: usize = 2;

    fn apply(x: &[Expr]) -> Expr {
        let (y, x) = (&x[0], &x[1]);
        if y.is_zero() && x.is_zero() {
            return Expr::undefined();
        }
        if y.is_zero() && x.sign() == Sign::Positive {
            return Expr::zero();
        }
        node(Function::Atan2, &[y.clone(), x.clone()])
    }
    fn derivative(k: usize, x: &[Expr]) -> Expr {
        let (y, x) = (&x[0], &x[1]);
        let radius2 = y * y + x * x;
        if k == 0 { x / radius2 } else { -y / radius2 }
    }
    /// Zero has no sign: −0 would put points of the negative axis below it, at −π.
    fn float(y: f64, x: f64) -> f64 {
        (y + 0.0).atan2(x)
    }
    fn wide(y: Wide, x: Wide) -> Wide {
        y.angle(x)
    }
    fn enclose<D: Directed>(
        e: &Enclosures<D>,
        x: &Interval<D::Number>,
        y: &Enclosed<D>,
    ) -> Enclosed<D> {
        e.angle(x, y.as_ref()?)
    }
    fn image() -> Image {
        Image::Opaque(Special::None)
    }
}
