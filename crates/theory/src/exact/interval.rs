//! Coefficients of series as enclosures, rounded outward.

use super::jets::Scalar;
use rattleback_symbolic::{Enclosure, Rational, enclose};

/// A real number between two floating-point ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval(pub(crate) Enclosure);

impl Interval {
    /// The hull of results, each rounded to nearest; `None` where one of them is no finite number.
    fn around(results: &[f64]) -> Self {
        let low = results.iter().copied().fold(f64::INFINITY, f64::min);
        let high = results.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let finite = results.iter().all(|x| x.is_finite());
        // What has left the range of numbers may be anything.
        Self(match finite {
            true => Enclosure {
                low: low.next_down(),
                high: high.next_up(),
            },
            false => Enclosure {
                low: f64::NEG_INFINITY,
                high: f64::INFINITY,
            },
        })
    }
}

impl Scalar for Interval {
    fn of(r: &Rational) -> Option<Self> {
        enclose(&r.into()).map(Self)
    }
    fn plus(self, other: Self) -> Self {
        Self::around(&[self.0.low + other.0.low, self.0.high + other.0.high])
    }
    fn times(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self::around(&[
            a.low * b.low,
            a.low * b.high,
            a.high * b.low,
            a.high * b.high,
        ])
    }
    fn inverse(self) -> Option<Self> {
        let is_nonzero = self.0.excludes_zero();
        is_nonzero.then(|| Self::around(&[self.0.low.recip(), self.0.high.recip()]))
    }
    fn root(self) -> Option<Self> {
        let exists = self.0.low >= 0.0;
        exists.then(|| Self::around(&[self.0.low.sqrt(), self.0.high.sqrt()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_enclose() {
        let third = Interval::of(&Rational::new(1, 3)).unwrap();
        let three = third.inverse().unwrap();
        assert!(three.0.low < 3.0 && three.0.high > 3.0);
        let zero = third.plus(third.negative().unwrap());
        assert!(!zero.0.excludes_zero() && zero.inverse().is_none());
        let huge = Interval::of(&Rational::from(10).pow(200).unwrap()).unwrap();
        assert!(!huge.times(huge).0.excludes_zero());
        assert!(third.negative().unwrap().root().is_none());
    }
}
