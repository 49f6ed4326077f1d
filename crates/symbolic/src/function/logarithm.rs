//! Natural logarithm.

use super::canonical::node;
use super::{Algebra, Elementary, Function, Image, Slope};
use crate::meaning::directed::Directed;
use crate::meaning::enclosure::{Enclosed, Enclosures, Interval};
use crate::node::Kind;
use crate::{Expr, Sign, Wide};

/// Natural logarithm.
pub(super) struct Log;

impl Elementary for Log {
    const NAME: &'static str = "log";
    const LATEX: &'static str = r"\log";

    fn apply(x: &[Expr]) -> Expr {
        log(&x[0])
    }
    fn derivative(_: usize, x: &[Expr]) -> Expr {
        x[0].recip()
    }
    fn float(x: f64, _: f64) -> f64 {
        x.ln()
    }
    fn wide(x: Wide, _: Wide) -> Wide {
        x.ln()
    }
    fn enclose<D: Directed>(
        e: &Enclosures<D>,
        x: &Interval<D::Number>,
        _: &Enclosed<D>,
    ) -> Enclosed<D> {
        e.logarithm(x)
    }
    fn image() -> Image {
        Image::Logarithm
    }
    fn slope<A: Algebra>(_: &mut A, x: A::Node) -> Option<Slope<A::Node>> {
        let divisor = x;
        Some(Slope::Over {
            divisor,
            negative: false,
        })
    }
}

fn log(x: &Expr) -> Expr {
    match x.kind() {
        Kind::Number(r) if r.is_one() => Expr::zero(),
        Kind::Number(r) if !r.is_positive() => Expr::undefined(),
        Kind::Function(Function::Exp, u) => u[0].clone(),
        Kind::Function(Function::Power, u) if u[0].sign() == Sign::Positive => &u[1] * u[0].log(),
        _ => node(Function::Log, std::slice::from_ref(x)),
    }
}
