//! A power, arguments in the order base, exponent; a number as exponent makes it a product.

use super::{Elementary, Image};
use crate::meaning::directed::Directed;
use crate::meaning::enclosure::{Enclosed, Enclosures, Interval};
use crate::power::power;
use crate::{Expr, Sign, Wide};

/// A power, arguments in the order base, exponent; a number as exponent makes it a product.
pub(super) struct Power;

impl Elementary for Power {
    const NAME: &'static str = "pow";
    const LATEX: &'static str = r"\operatorname{pow}";
    const ARGUMENTS: usize = 2;

    fn apply(x: &[Expr]) -> Expr {
        power(&x[0], &x[1])
    }
    fn derivative(k: usize, x: &[Expr]) -> Expr {
        let (base, exponent) = (&x[0], &x[1]);
        match k {
            0 => exponent * base.pow(&(exponent - 1)),
            _ => base.pow(exponent) * base.log(),
        }
    }
    fn float(x: f64, y: f64) -> f64 {
        x.powf(y)
    }
    fn wide(x: Wide, y: Wide) -> Wide {
        let plain = x.to_f64().powf(y.to_f64());
        match plain.is_normal() {
            true => plain.into(),
            false => x.powf(y.to_f64()),
        }
    }
    fn enclose<D: Directed>(
        e: &Enclosures<D>,
        x: &Interval<D::Number>,
        y: &Enclosed<D>,
    ) -> Enclosed<D> {
        e.variable_power(x, y.as_ref()?)
    }
    fn image() -> Image {
        Image::None("a power of a number that is not positive")
    }
    fn sign(x: &[Sign]) -> Sign {
        match x[0] {
            base @ (Sign::Positive | Sign::NonNegative) => base,
            base if base.is_nonzero() => Sign::NonZero,
            _ => Sign::Unknown,
        }
    }
}
