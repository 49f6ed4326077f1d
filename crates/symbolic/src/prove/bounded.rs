//! Floating-point numbers with a bound for their error.
//!
//! Every operation adds its own rounding, generously, to what it inherits. A bound that cannot be given
//! is infinite.

use crate::function::Function;

/// `|true value - value| ≤ error`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounded {
    pub(crate) value: f64,
    pub(crate) error: f64,
}

/// Twice the unit roundoff: room for the products of roundings that the first order leaves out.
const EPS: f64 = f64::EPSILON;

impl Bounded {
    pub(crate) fn new(value: f64, error: f64) -> Self {
        let error = error * (1.0 + 1e-9) + f64::MIN_POSITIVE;
        if value.is_finite() && error.is_finite() {
            Self { value, error }
        } else {
            Self::UNKNOWN
        }
    }

    pub(crate) const UNKNOWN: Self = Self {
        value: f64::NAN,
        error: f64::INFINITY,
    };

    /// A number without error.
    pub(crate) fn exact(value: f64) -> Self {
        Self { value, error: 0.0 }
    }

    /// The nearest float to a number.
    pub(crate) fn rounded(value: f64) -> Self {
        Self::new(value, value.abs() * EPS)
    }

    /// Was the bound lost, for instance outside a function's domain?
    pub(crate) fn is_unknown(self) -> bool {
        !self.error.is_finite() || self.value.is_nan()
    }

    /// Is the true value different from zero?
    pub(crate) fn is_nonzero(self) -> bool {
        self.error.is_finite() && self.value.abs() > self.error
    }

    fn low(self) -> f64 {
        self.value.abs() - self.error
    }

    fn high(self) -> f64 {
        self.value.abs() + self.error
    }

    pub(crate) fn plus(self, o: Self) -> Self {
        let value = self.value + o.value;
        Self::new(value, self.error + o.error + value.abs() * EPS)
    }

    pub(crate) fn times(self, o: Self) -> Self {
        let value = self.value * o.value;
        let inherited =
            self.value.abs() * o.error + o.value.abs() * self.error + self.error * o.error;
        Self::new(value, inherited + value.abs() * EPS)
    }

    pub(crate) fn integer_power(self, k: i32) -> Self {
        if k < 0 && self.low() <= 0.0 {
            return Self::UNKNOWN;
        }
        let value = self.value.powi(k);
        let degree = f64::from(k.unsigned_abs());
        let extreme = if k < 0 { self.low() } else { self.high() };
        let slope = degree * extreme.powi(k.saturating_sub(1));
        Self::new(
            value,
            slope * self.error + value.abs() * EPS * (2.0 * degree + 2.0),
        )
    }

    pub(crate) fn real_power(self, r: f64) -> Self {
        if self.value < 0.0 || self.low() <= 0.0 {
            let zero = self.value == 0.0 && self.error == 0.0 && r > 0.0;
            return if zero { self } else { Self::UNKNOWN };
        }
        let value = self.value.powf(r);
        let slope = |x: f64| r.abs() * x.powf(r - 1.0);
        let slope = slope(self.low()).max(slope(self.high()));
        let rounding = EPS * (4.0 + 2.0 * (r * self.value.ln()).abs());
        Self::new(value, slope * self.error + value.abs() * rounding)
    }

    /// A power with an exponent that is itself known within bounds: e^(r log x), unless it is an integer.
    fn power(self, r: Self) -> Self {
        let whole = r.error == 0.0 && r.value.fract() == 0.0 && r.value.abs() < 1000.0;
        if whole {
            return self.integer_power(r.value as i32);
        }
        if self.value == 0.0 && self.error == 0.0 && r.value > r.error {
            return self;
        }
        let log = Self::function(Function::Log, self, self);
        Self::function(Function::Exp, r.times(log), self)
    }

    /// A function of one or two arguments (the second is ignored by functions of one).
    pub(crate) fn function(f: Function, x: Self, second: Self) -> Self {
        if f == Function::Power {
            return x.power(second);
        }
        let value = f.evaluate(&[x.value, second.value]);
        let error = match f {
            Function::Sin | Function::Cos | Function::Atan | Function::Tanh => x.error,
            Function::Asin | Function::Acos if x.high() < 1.0 => {
                x.error / (1.0 - x.high() * x.high()).sqrt()
            }
            Function::Sinh => x.high().cosh() * x.error,
            Function::Cosh => x.high().sinh() * x.error,
            Function::Exp => (x.value + x.error).exp() * x.error,
            Function::Log if x.value > 0.0 && x.low() > 0.0 => x.error / x.low(),
            Function::Atan2 => atan2_error(x, second),
            _ => f64::INFINITY,
        };
        Self::new(value, error + 4.0 * EPS * (value.abs() + 1.0))
    }
}

/// The angle's gradient has length 1/radius; across the cut it jumps.
fn atan2_error(y: Bounded, x: Bounded) -> f64 {
    let radius = x.low().max(0.0).hypot(y.low().max(0.0));
    let near_cut = x.value - x.error <= 0.0 && y.low() <= 0.0;
    if radius == 0.0 || near_cut {
        return f64::INFINITY;
    }
    (x.error + y.error) / radius
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold_against_exact_cancellation() {
        // (1 + h)² - 1 - 2h = h², far below the rounding of its terms.
        let h = Bounded::rounded(1e-9);
        let sum = Bounded::exact(1.0).plus(h);
        let square = sum.integer_power(2);
        let rest = square
            .plus(Bounded::exact(-1.0))
            .plus(h.times(Bounded::exact(-2.0)));
        assert!((rest.value - 1e-18).abs() <= rest.error);
        assert!(!rest.is_nonzero());
        assert!(square.is_nonzero());
    }

    #[test]
    fn lost_domains_are_unknown() {
        let minus = Bounded::exact(-1.0);
        assert!(minus.real_power(0.5).is_unknown());
        assert!(Bounded::exact(0.0).integer_power(-1).is_unknown());
        assert!(Bounded::function(Function::Log, minus, minus).is_unknown());
        assert!(Bounded::function(Function::Asin, Bounded::exact(2.0), minus).is_unknown());
        let cut = Bounded::function(Function::Atan2, Bounded::new(0.0, 1e-20), minus);
        assert!(cut.is_unknown());
    }
}
