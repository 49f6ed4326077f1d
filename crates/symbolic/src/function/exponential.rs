//! Exponential.

use super::canonical::node;
use super::{Algebra, Elementary, Function, Image, Slope};
use crate::meaning::directed::Directed;
use crate::meaning::enclosure::{Enclosed, Enclosures, Interval};
use crate::node::Kind;
use crate::power::logarithmic_term;
use crate::{Expr, Rational, Sign, Wide};

/// Exponential.
pub(super) struct Exp;

impl Elementary for Exp {
    const NAME: &'static str = "exp";
    const LATEX: &'static str = r"\exp";

    fn apply(x: &[Expr]) -> Expr {
        exp(&x[0])
    }
    fn derivative(_: usize, x: &[Expr]) -> Expr {
        x[0].exp()
    }
    fn float(x: f64, _: f64) -> f64 {
        x.exp()
    }
    fn wide(x: Wide, _: Wide) -> Wide {
        x.exp()
    }
    fn enclose<D: Directed>(
        e: &Enclosures<D>,
        x: &Interval<D::Number>,
        _: &Enclosed<D>,
    ) -> Enclosed<D> {
        e.exponential(x)
    }
    fn image() -> Image {
        Image::Exponential
    }
    fn slope<A: Algebra>(_: &mut A, _: A::Node) -> Option<Slope<A::Node>> {
        Some(Slope::Itself)
    }
    fn sign(_: &[Sign]) -> Sign {
        Sign::Positive
    }
}

/// exp(Σ eᵢ log uᵢ + rest) = Π uᵢ^eᵢ · exp(rest).
fn exp(x: &Expr) -> Expr {
    if x.is_zero() {
        return Expr::one();
    }
    let (mut powers, mut rest) = (Vec::new(), Vec::new());
    let (constant, terms) = match x.kind() {
        Kind::Sum(c, terms) => (c.clone(), terms.to_vec()),
        _ => {
            let (c, core) = x.split_coefficient();
            (Rational::ZERO, vec![(core, c)])
        }
    };
    for (t, c) in terms {
        match logarithmic_term(&t) {
            Some((u, e)) => powers.push(u.pow(&(e * Expr::from(c)))),
            None => rest.push((t, c)),
        }
    }
    if powers.is_empty() {
        return node(Function::Exp, std::slice::from_ref(x));
    }
    rest.push((constant.into(), Rational::ONE));
    powers.push(exp(&Expr::linear_combination(rest)));
    Expr::product(powers)
}
