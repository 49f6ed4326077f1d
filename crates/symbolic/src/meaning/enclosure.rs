//! Programs over enclosures: every value lies between two numbers, rounded outward.
//!
//! Each function is taken on the branch that it really takes: roots and real powers of what may be negative,
//! logarithms of what may not be positive, inverse sines beyond 1 and angles across the cut have no
//! enclosure.

use super::careful;
use super::directed::{Directed, Toward};
use super::{Meaning, Numbers};
use crate::Rational;
use crate::function::Function;
use Toward::{Above, Below};
use std::convert::Infallible;

/// Between `low` and `high`, both included.
#[derive(Clone, Debug)]
pub(crate) struct Interval<N> {
    pub(crate) low: N,
    pub(crate) high: N,
}

/// Enclosures with ends of one kind; `None` where a value is undefined or not enclosed.
#[derive(Clone)]
pub(crate) struct Enclosures<D>(pub(crate) D);

/// An enclosure, where there is one.
pub(crate) type Enclosed<D> = Option<Interval<<D as Directed>::Number>>;

/// An exponent p/q.
pub(crate) enum Power {
    Integer(i64),
    /// √a to a power.
    Halves(i64),
    Real(Rational),
}

impl<D: Directed> Enclosures<D> {
    /// The interval where both ends are numbers.
    pub(super) fn between(&self, low: D::Number, high: D::Number) -> Enclosed<D> {
        let finite = self.0.is_finite(&low) && self.0.is_finite(&high);
        (finite && low <= high).then_some(Interval { low, high })
    }

    fn is_negative(&self, x: &D::Number) -> bool {
        *x < self.0.zero()
    }

    /// Is zero certainly not in it?
    pub(crate) fn excludes_zero(&self, x: &Interval<D::Number>) -> bool {
        let zero = self.0.zero();
        x.low > zero || x.high < zero
    }

    /// The ends as doubles, rounded outward.
    pub(crate) fn to_doubles(&self, x: &Interval<D::Number>) -> (f64, f64) {
        let d = &self.0;
        (d.to_double(&x.low, Below), d.to_double(&x.high, Above))
    }

    fn is_point(&self, x: &Interval<D::Number>) -> bool {
        x.low == x.high
    }

    pub(super) fn is_zero(&self, x: &Interval<D::Number>) -> bool {
        x.low == self.0.zero() && self.is_point(x)
    }

    fn negated(&self, x: &Interval<D::Number>) -> Interval<D::Number> {
        Interval {
            low: self.0.negate(&x.high),
            high: self.0.negate(&x.low),
        }
    }

    pub(crate) fn add(&self, a: &Interval<D::Number>, b: &Interval<D::Number>) -> Enclosed<D> {
        self.between(
            self.0.add(&a.low, &b.low, Below),
            self.0.add(&a.high, &b.high, Above),
        )
    }

    pub(crate) fn subtract(&self, a: &Interval<D::Number>, b: &Interval<D::Number>) -> Enclosed<D> {
        self.add(a, &self.negated(b))
    }

    pub(crate) fn multiply(&self, a: &Interval<D::Number>, b: &Interval<D::Number>) -> Enclosed<D> {
        let d = &self.0;
        let zero = d.zero();
        let below = |x: &D::Number, y: &D::Number| d.mul(x, y, Below);
        let above = |x: &D::Number, y: &D::Number| d.mul(x, y, Above);
        let signs = |x: &Interval<D::Number>| (x.low >= zero, x.high <= zero);
        // Which ends the least and the most come of, by the signs: not negative, not positive, or both.
        let (low, high) = match (signs(a), signs(b)) {
            ((true, _), (true, _)) => (below(&a.low, &b.low), above(&a.high, &b.high)),
            ((true, _), (_, true)) => (below(&a.high, &b.low), above(&a.low, &b.high)),
            ((true, _), _) => (below(&a.high, &b.low), above(&a.high, &b.high)),
            ((_, true), (true, _)) => (below(&a.low, &b.high), above(&a.high, &b.low)),
            ((_, true), (_, true)) => (below(&a.high, &b.high), above(&a.low, &b.low)),
            ((_, true), _) => (below(&a.low, &b.high), above(&a.low, &b.low)),
            (_, (true, _)) => (below(&a.low, &b.high), above(&a.high, &b.high)),
            (_, (_, true)) => (below(&a.high, &b.low), above(&a.low, &b.low)),
            _ => {
                let (low, other) = (below(&a.low, &b.high), below(&a.high, &b.low));
                let (high, another) = (above(&a.low, &b.low), above(&a.high, &b.high));
                (
                    if other < low { other } else { low },
                    if another > high { another } else { high },
                )
            }
        };
        self.between(low, high)
    }

    /// 1/x where x excludes zero.
    pub(crate) fn reciprocal(&self, x: &Interval<D::Number>) -> Enclosed<D> {
        if !self.excludes_zero(x) {
            return None;
        }
        let one = self.0.one();
        self.between(
            self.0.div(&one, &x.high, Below),
            self.0.div(&one, &x.low, Above),
        )
    }

    fn integer_power(&self, x: &Interval<D::Number>, k: i64) -> Enclosed<D> {
        match k {
            0 => self.one(),
            1 => Some(x.clone()),
            _ if k < 0 => {
                let whole = self.integer_power(x, k.checked_neg()?)?;
                self.reciprocal(&whole)
            }
            _ => {
                // On sizes, which grow together; an even power forgets the sign.
                let size = self.size(x);
                let grown = Interval {
                    low: self.raised(&size.low, k, Below),
                    high: self.raised(&size.high, k, Above),
                };
                let odd = k % 2 != 0;
                let grown = match (odd, self.is_negative(&x.low), self.is_negative(&x.high)) {
                    (true, true, true) => self.negated(&grown),
                    (true, true, false) => {
                        let below = self.raised(&self.0.negate(&x.low), k, Above);
                        Interval {
                            low: self.0.negate(&below),
                            high: self.raised(&x.high, k, Above),
                        }
                    }
                    _ => grown,
                };
                self.between(grown.low, grown.high)
            }
        }
    }

    /// |x|.
    pub(crate) fn size(&self, x: &Interval<D::Number>) -> Interval<D::Number> {
        match (self.is_negative(&x.low), self.is_negative(&x.high)) {
            (_, true) => self.negated(x),
            (false, false) => x.clone(),
            (true, false) => {
                let below = self.0.negate(&x.low);
                let high = if below > x.high {
                    below
                } else {
                    x.high.clone()
                };
                let low = self.0.zero();
                Interval { low, high }
            }
        }
    }

    /// a^k for a ≥ 0 and k > 0, by squaring.
    fn raised(&self, a: &D::Number, k: i64, to: Toward) -> D::Number {
        let (mut square, mut rest) = (a.clone(), k);
        let mut result: Option<D::Number> = None;
        while rest > 0 {
            if rest % 2 == 1 {
                result = Some(match result {
                    Some(r) => self.0.mul(&r, &square, to),
                    None => square.clone(),
                });
            }
            rest /= 2;
            if rest > 0 {
                square = self.0.mul(&square, &square, to);
                if !self.0.is_finite(&square) {
                    return square;
                }
            }
        }
        result.unwrap_or_else(|| self.0.one())
    }

    /// √x where x is certainly not negative.
    fn square_root(&self, x: &Interval<D::Number>) -> Enclosed<D> {
        if self.is_negative(&x.low) {
            return None;
        }
        self.between(self.0.sqrt(&x.low, Below), self.0.sqrt(&x.high, Above))
    }

    /// The interval where both ends are numbers.
    fn finite(&self, x: Interval<D::Number>) -> Enclosed<D> {
        self.between(x.low, x.high)
    }

    /// An increasing function, from its values at the ends.
    pub(crate) fn increasing(
        &self,
        x: &Interval<D::Number>,
        f: impl Fn(&D::Number) -> Enclosed<D>,
    ) -> Enclosed<D> {
        let low = f(&x.low)?;
        let high = match self.is_point(x) {
            true => low.high,
            false => f(&x.high)?.high,
        };
        self.between(low.low, high)
    }

    /// sin x, or cos x: where its slope keeps one sign, between its values at the ends, else no further from one of them
    /// than the interval is wide.
    pub(crate) fn wave(&self, x: &Interval<D::Number>, is_sine: bool) -> Enclosed<D> {
        let one = self.0.one();
        let minus = self.0.negate(&one);
        let cut = |low: D::Number, high: D::Number| {
            self.between(
                if low < minus { minus.clone() } else { low },
                if high > one { one.clone() } else { high },
            )
        };
        // sin' = cos, cos' = -sin: a slope of cos has the sign of sin turned.
        let at = |x: &D::Number| {
            let [sine, cosine] = self.0.sin_cos(x)?;
            Some(match is_sine {
                true => (sine, cosine),
                false => (cosine, self.negated(&sine)),
            })
        };
        let (from, slope_from) = at(&x.low)?;
        if self.is_point(x) {
            return cut(from.low, from.high);
        }
        let width = self.0.add(&x.high, &self.0.negate(&x.low), Above);
        // Zeros of the slope are π apart: with the same sign at both ends there is none between.
        if width <= self.0.rational(&Rational::from(3), Below) {
            let (to, slope_to) = at(&x.high)?;
            let zero = self.0.zero();
            if slope_from.low > zero && slope_to.low > zero {
                return cut(from.low, to.high);
            }
            if slope_from.high < zero && slope_to.high < zero {
                return cut(to.low, from.high);
            }
        }
        cut(
            self.0.add(&from.low, &self.0.negate(&width), Below),
            self.0.add(&from.high, &width, Above),
        )
    }

    pub(crate) fn exponential(&self, x: &Interval<D::Number>) -> Enclosed<D> {
        self.increasing(x, |a| match self.0.exp(a) {
            Some(value) => self.finite(value),
            // Too far below zero to be worked out: between 0 and what is above.
            None if self.is_negative(a) => {
                let far_below = self.0.rational(&Rational::from(-1024), Above);
                self.between(self.0.zero(), self.0.exp(&far_below)?.high)
            }
            None => None,
        })
    }

    pub(crate) fn logarithm(&self, x: &Interval<D::Number>) -> Enclosed<D> {
        self.increasing(x, |a| self.finite(self.0.log(a)?))
    }

    pub(crate) fn inverse_sine(&self, x: &Interval<D::Number>) -> Enclosed<D> {
        self.increasing(x, |a| self.finite(self.0.asin(a)?))
    }

    pub(crate) fn halved(&self, x: &Interval<D::Number>) -> Enclosed<D> {
        let half = self.number(&Rational::new(1, 2))?;
        self.multiply(x, &half)
    }

    /// (e^x ± e^-x)/2.
    pub(crate) fn hyperbolic(&self, a: &D::Number, minus: bool) -> Enclosed<D> {
        let x = self.between(a.clone(), a.clone())?;
        let (up, down) = (self.exponential(&x)?, self.exponential(&self.negated(&x))?);
        let sum = match minus {
            true => self.subtract(&up, &down)?,
            false => self.add(&up, &down)?,
        };
        self.halved(&sum)
    }

    /// 1 - 2/(e^2x + 1), by e^-2|x|, which stays in range.
    pub(crate) fn hyperbolic_tangent(&self, a: &D::Number) -> Enclosed<D> {
        if *a > self.0.zero() {
            let mirrored = self.hyperbolic_tangent(&self.0.negate(a))?;
            return Some(self.negated(&mirrored));
        }
        let x = self.between(a.clone(), a.clone())?;
        let one = self.one()?;
        let grown = self.exponential(&self.add(&x, &x)?)?;
        let part = self.reciprocal(&self.add(&grown, &one)?)?;
        self.subtract(&one, &self.add(&part, &part)?)
    }

    /// The angle of the points of a box that does not reach the cut y = 0, x ≤ 0: its extremes are at
    /// corners.
    pub(crate) fn angle(&self, y: &Interval<D::Number>, x: &Interval<D::Number>) -> Enclosed<D> {
        let zero = self.0.zero();
        let crosses = y.low <= zero && y.high >= zero && x.low <= zero;
        let on_cut = self.is_zero(y) && x.high < zero;
        if crosses && !on_cut {
            return None;
        }
        let mut all: Enclosed<D> = None;
        let ys = [&y.low, &y.high];
        let xs = [&x.low, &x.high];
        for b in &ys[..if self.is_point(y) { 1 } else { 2 }] {
            for a in &xs[..if self.is_point(x) { 1 } else { 2 }] {
                let corner = self.finite(self.0.atan2(b, a)?)?;
                all = Some(match all {
                    None => corner,
                    Some(hull) => Interval {
                        low: if corner.low < hull.low {
                            corner.low
                        } else {
                            hull.low
                        },
                        high: if corner.high > hull.high {
                            corner.high
                        } else {
                            hull.high
                        },
                    },
                });
            }
        }
        all
    }

    /// e^(r log x) for x > 0.
    fn real_power(&self, x: &Interval<D::Number>, r: &Interval<D::Number>) -> Enclosed<D> {
        let zero = self.0.zero();
        if self.is_zero(x) && r.low > zero {
            return Some(x.clone());
        }
        if x.low <= zero {
            return None;
        }
        self.exponential(&self.multiply(r, &self.logarithm(x)?)?)
    }

    /// x^r with an exponent that is known within bounds: any base for an integer, else a positive one.
    pub(crate) fn variable_power(
        &self,
        x: &Interval<D::Number>,
        r: &Interval<D::Number>,
    ) -> Enclosed<D> {
        match self.as_integer(r) {
            Some(k) => self.integer_power(x, k),
            None => self.real_power(x, r),
        }
    }

    fn as_integer(&self, r: &Interval<D::Number>) -> Option<i64> {
        if !self.is_point(r) {
            return None;
        }
        let (m, e) = self.0.parts(&r.low)?;
        let whole = Rational::from(m);
        let scale = Rational::from(2).pow(i64::try_from(e).ok()?)?;
        (&whole * &scale).as_integer().filter(|k| k.abs() < 1000)
    }
}

impl<D: Directed> Enclosures<D> {
    /// π.
    pub(crate) fn circle(&self) -> Enclosed<D> {
        self.finite(careful::pi(&self.0))
    }

    /// a·b.
    pub(super) fn product(&self, a: &Enclosed<D>, b: &Enclosed<D>) -> Enclosed<D> {
        self.multiply(a.as_ref()?, b.as_ref()?)
    }

    /// a^r.
    fn raise(&self, a: &Enclosed<D>, r: &Power) -> Enclosed<D> {
        let a = a.as_ref()?;
        match r {
            Power::Integer(k) => self.integer_power(a, *k),
            Power::Halves(k) => self.integer_power(&self.square_root(a)?, *k),
            Power::Real(r) => self.real_power(a, &self.number(r)?),
        }
    }

    /// One.
    pub(crate) fn one(&self) -> Enclosed<D> {
        self.between(self.0.one(), self.0.one())
    }
}

impl<D: Directed> Numbers for Enclosures<D> {
    fn number(&self, r: &Rational) -> Enclosed<D> {
        self.between(self.0.rational(r, Below), self.0.rational(r, Above))
    }
    fn exponent(&self, r: &Rational) -> Power {
        if let Some(k) = r.as_integer() {
            return Power::Integer(k);
        }
        match (r * &Rational::from(2)).as_integer() {
            Some(k) => Power::Halves(k),
            None => Power::Real(r.clone()),
        }
    }
}

impl<D: Directed> Meaning for Enclosures<D> {
    type Value = Enclosed<D>;
    type Power = Power;
    type Call = Function;
    type Miss = Infallible;

    fn pi(&mut self) -> Enclosed<D> {
        self.circle()
    }
    fn undefined(&mut self) -> Enclosed<D> {
        None
    }
    fn plus(&mut self, a: &Enclosed<D>, b: &Enclosed<D>) -> Enclosed<D> {
        self.add(a.as_ref()?, b.as_ref()?)
    }
    fn times(&mut self, a: &Enclosed<D>, b: &Enclosed<D>) -> Enclosed<D> {
        self.product(a, b)
    }
    fn power(&mut self, _: usize, a: &Enclosed<D>, r: &Power) -> Result<Enclosed<D>, Infallible> {
        Ok(self.raise(a, r))
    }
    fn function(
        &mut self,
        f: &Function,
        x: &Enclosed<D>,
        y: &Enclosed<D>,
    ) -> Result<Enclosed<D>, Infallible> {
        Ok(x.as_ref().and_then(|x| f.enclose(self, x, y)))
    }
    fn form(&mut self, _: &Function) -> Result<Enclosed<D>, Infallible> {
        Ok(None)
    }
}
