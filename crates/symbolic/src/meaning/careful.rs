//! Functions at numbers of any kind, worked out in integers and rounded outward.

use super::directed::{Directed, Toward};
use super::elementary::{self, Ball, Dyadic};
use super::enclosure::Interval;

type Value<D> = Option<Interval<<D as Directed>::Number>>;

fn exact<D: Directed>(d: &D, x: &D::Number) -> Option<Dyadic> {
    d.parts(x).map(|(m, e)| Dyadic { m, e })
}

fn outward<D: Directed>(d: &D, b: &Ball) -> Interval<D::Number> {
    Interval {
        low: d.dyadic(&(&b.mid - &b.radius), b.exponent, Toward::Below),
        high: d.dyadic(&(&b.mid + &b.radius), b.exponent, Toward::Above),
    }
}

/// π.
pub(super) fn pi<D: Directed>(d: &D) -> Interval<D::Number> {
    outward(d, &elementary::pi(d.bits()))
}

pub(super) fn sin_cos<D: Directed>(d: &D, x: &D::Number) -> Option<[Interval<D::Number>; 2]> {
    let (sine, cosine) = elementary::sin_cos(&exact(d, x)?, d.bits())?;
    Some([outward(d, &sine), outward(d, &cosine)])
}

pub(super) fn exp<D: Directed>(d: &D, x: &D::Number) -> Value<D> {
    elementary::exp(&exact(d, x)?, d.bits()).map(|b| outward(d, &b))
}

pub(super) fn log<D: Directed>(d: &D, x: &D::Number) -> Value<D> {
    elementary::log(&exact(d, x)?, d.bits()).map(|b| outward(d, &b))
}

pub(super) fn asin<D: Directed>(d: &D, x: &D::Number) -> Value<D> {
    elementary::asin(&exact(d, x)?, d.bits()).map(|b| outward(d, &b))
}

pub(super) fn atan2<D: Directed>(d: &D, y: &D::Number, x: &D::Number) -> Value<D> {
    elementary::atan2(&exact(d, y)?, &exact(d, x)?, d.bits()).map(|b| outward(d, &b))
}
