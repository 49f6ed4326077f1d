//! Floating-point numbers with room for every exponent.
//!
//! 10^-320·(x₁ + 10)⋯(x₃₂₀ + 10) is about 1 near the origin, and 0·∞ in the order in which it stands. Products that
//! leave the range of floating-point numbers on the way are worked out here.

use std::f64::consts::LN_2;
use std::ops::{Add, Mul};

use crate::{Function, Rational};

/// mantissa·2^exponent, with 1 ≤ |mantissa| < 2 unless it is 0, infinite or not a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wide {
    mantissa: f64,
    exponent: i64,
}

/// The bits of a number's mantissa.
const MANTISSA: u32 = 52;
/// What is added to the exponent of a number that is not 0.
const BIAS: i64 = 1023;
/// Powers of two beyond this are multiplied by in parts.
const STRIDE: i64 = 1000;
/// Coefficients from here on may leave the range with few factors.
const EXTREME: u64 = 512;

impl Wide {
    /// A rational number, rounded once.
    ///
    /// ```
    /// use rattleback_symbolic::{Rational, Wide};
    /// let tiny = Rational::from(10).pow(-320).unwrap();
    /// let huge = Wide::from(10.0).powi(160);
    /// assert!(((Wide::of(&tiny) * huge * huge).to_f64() - 1.0).abs() < 1e-12);
    /// ```
    pub fn of(r: &Rational) -> Wide {
        let plain = r.to_f64();
        if plain.is_normal() || r.is_zero() {
            return Wide::from(plain);
        }
        let length = |bytes: usize| 8 * bytes as i64;
        let (n, d) = (r.numerator(), r.denominator());
        let exponent = length(n.to_le_bytes().len()) - length(d.to_le_bytes().len());
        let near_one = Rational::from(2).pow(-exponent).map(|two| r * &two);
        let near_one = near_one.map_or(f64::NAN, |near_one| near_one.to_f64());
        Wide::from(near_one).times_power_of_two(exponent)
    }

    /// Times 2^k.
    #[must_use]
    pub fn times_power_of_two(self, k: i64) -> Wide {
        let exponent = self.exponent.saturating_add(k);
        Wide { exponent, ..self }
    }

    /// The power of a whole number.
    #[must_use]
    pub fn powi(self, power: i64) -> Wide {
        let mut left = power.unsigned_abs();
        let (mut square, mut result) = (self, Wide::from(1.0));
        while left > 0 {
            if left & 1 == 1 {
                result = result * square;
            }
            square = square * square;
            left >>= 1;
        }
        match power < 0 {
            true => Wide::from(1.0 / result.mantissa)
                .times_power_of_two(result.exponent.saturating_neg()),
            false => result,
        }
    }

    /// The power of a number: (m·2^e)^r = m^r·2^(er), whose whole part is an exponent again.
    #[must_use]
    pub fn powf(self, power: f64) -> Wide {
        let exponent = self.exponent as f64 * power;
        let whole = exponent.floor();
        Wide::from(self.mantissa.powf(power) * (exponent - whole).exp2())
            .times_power_of_two(whole as i64)
    }

    /// Its size.
    #[must_use]
    pub fn size(self) -> Wide {
        let mantissa = self.mantissa.abs();
        Wide { mantissa, ..self }
    }

    /// exp x = 2^k·exp(x − k ln 2), with the nearest whole k.
    #[must_use]
    pub fn exp(self) -> Wide {
        let x = self.to_f64();
        let plain = x.exp();
        if plain.is_normal() || !x.is_finite() {
            return plain.into();
        }
        let k = (x / LN_2).round();
        Wide::from((x - k * LN_2).exp()).times_power_of_two(k as i64)
    }

    /// log(m·2^e) = log m + e log 2.
    #[must_use]
    pub fn ln(self) -> Wide {
        let x = self.to_f64();
        match x.is_normal() || self.mantissa <= 0.0 {
            true => x.ln().into(),
            false => (self.mantissa.ln() + self.exponent as f64 * LN_2).into(),
        }
    }

    /// sinh or cosh, which are ±e^|x|/2 where they leave the range.
    #[must_use]
    pub(crate) fn hyperbolic(self, function: fn(f64) -> f64) -> Wide {
        let plain = function(self.to_f64());
        if !plain.is_infinite() {
            return plain.into();
        }
        let size = self.size().exp() * Wide::from(0.5);
        match self.is_negative() {
            true => size * Wide::from(-1.0),
            false => size,
        }
    }

    /// The angle of the point (x, self): that of the point as many times nearer.
    #[must_use]
    pub(crate) fn angle(self, x: Wide) -> Wide {
        let farther = match (self.mantissa == 0.0, x.mantissa == 0.0) {
            (true, _) => x.exponent,
            (_, true) => self.exponent,
            _ => self.exponent.max(x.exponent),
        };
        let near = |v: Wide| v.times_power_of_two(farther.saturating_neg()).to_f64();
        Function::Atan2.evaluate(&[near(self), near(x)]).into()
    }

    /// The binary exponent of its size.
    pub fn exponent(self) -> i64 {
        self.exponent
    }

    /// As a coefficient, may it leave the range of floating-point numbers together with few factors?
    pub fn is_extreme(self) -> bool {
        self.mantissa.is_normal() && self.exponent.unsigned_abs() > EXTREME
    }

    /// Is it below 0?
    pub fn is_negative(self) -> bool {
        self.mantissa < 0.0
    }

    /// The floating-point number; 0 or infinite where it has no room.
    pub fn to_f64(self) -> f64 {
        // More than enough for either end.
        let mut left = self.exponent.clamp(-3 * STRIDE, 3 * STRIDE);
        let mut value = self.mantissa;
        while left != 0 {
            let part = left.clamp(-STRIDE, STRIDE);
            value *= power_of_two(part);
            left -= part;
        }
        value
    }
}

/// 2^k for a normal number.
fn power_of_two(k: i64) -> f64 {
    f64::from_bits(((k + BIAS) as u64) << MANTISSA)
}

impl From<f64> for Wide {
    fn from(value: f64) -> Wide {
        if value == 0.0 || !value.is_finite() {
            return Wide {
                mantissa: value,
                exponent: 0,
            };
        }
        // Numbers too small to be normal are made so first.
        let (value, behind) = match value.is_normal() {
            true => (value, 0),
            false => (value * power_of_two(64), -64),
        };
        let exponent = ((value.to_bits() >> MANTISSA) & 0x7ff) as i64 - BIAS;
        Wide {
            mantissa: value * power_of_two(-exponent / 2) * power_of_two(-exponent + exponent / 2),
            exponent: exponent + behind,
        }
    }
}

impl Mul for Wide {
    type Output = Wide;

    fn mul(self, other: Wide) -> Wide {
        let exponent = self.exponent.saturating_add(other.exponent);
        Wide::from(self.mantissa * other.mantissa).times_power_of_two(exponent)
    }
}

impl Add for Wide {
    type Output = Wide;

    fn add(self, other: Wide) -> Wide {
        let is_larger = other.mantissa == 0.0 || self.exponent >= other.exponent;
        let (large, small) = match is_larger && self.mantissa != 0.0 {
            true => (self, other),
            false => (other, self),
        };
        let shifted = small.times_power_of_two(large.exponent.saturating_neg());
        Wide::from(large.mantissa + shifted.to_f64()).times_power_of_two(large.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for x in [
            0.0,
            -0.0,
            1.0,
            -3.5,
            f64::MAX,
            f64::MIN_POSITIVE,
            5e-324,
            -1.2e-310,
            f64::INFINITY,
        ] {
            assert_eq!(Wide::from(x).to_f64().to_bits(), x.to_bits(), "{x}");
        }
        assert!(Wide::from(f64::NAN).to_f64().is_nan());
    }

    #[test]
    fn odd_functions_of_tiny_numbers_keep_their_digits() {
        use crate::Function;
        let tiny = Wide::from(1.2345).times_power_of_two(-1060);
        for f in [
            Function::Sin,
            Function::Sinh,
            Function::Tanh,
            Function::Asin,
            Function::Atan,
        ] {
            let back = f.wide(&[tiny]).times_power_of_two(1060).to_f64();
            assert_eq!(back, 1.2345, "{}", f.name());
        }
    }

    #[test]
    fn products_in_range_are_those_of_floating_point_numbers() {
        let mut x = 0.7;
        for _ in 0..1000 {
            x = (x * 5.3 + 0.1) % 3.0;
            let y = (x - 1.5) * 1e7;
            assert_eq!((Wide::from(x) * Wide::from(y)).to_f64(), x * y);
            assert_eq!((Wide::from(x) + Wide::from(y)).to_f64(), x + y);
            let power = Wide::from(x).powf(1.7).to_f64();
            assert!((power / x.powf(1.7) - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn rationals_beyond_the_range_keep_their_digits() {
        for power in [-400, -321, -308, 309, 400, 5000, -5000] {
            let number = Rational::from(10).pow(power).unwrap() * Rational::new(-7, 3);
            let back = Wide::of(&number) * Wide::from(10.0).powi(-power);
            let error = (back.to_f64() + 7.0 / 3.0).abs();
            assert!(error < 1e-12, "{power}: off by {error}");
        }
        assert_eq!(Wide::of(&Rational::ZERO).to_f64(), 0.0);
        let huge = Wide::from(10.0).powi(400);
        assert_eq!(huge + Wide::from(0.0), huge);
        assert_eq!((huge + huge * Wide::from(-1.0)).to_f64(), 0.0);
        assert!(((huge.powf(0.5) * Wide::from(10.0).powi(-200)).to_f64() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn functions_of_numbers_beyond_the_range_keep_their_digits() {
        let huge = Wide::from(10.0).powi(400);
        let near = |x: Wide, y: f64| {
            let x = x.to_f64();
            assert!((x - y).abs() < 1e-12 * (1.0 + y.abs()), "{x}, not {y}");
        };
        let inverse = Wide::from(-800.0).exp();
        near(Wide::from(800.0).exp() * inverse, 1.0);
        near(huge.ln(), 400.0 * 10f64.ln());
        near(huge.powi(-1).ln(), -400.0 * 10f64.ln());
        near((huge * Wide::from(2.0)).angle(huge), 2f64.atan());
        near(huge.powi(-1).angle(huge.powi(-1)), 1f64.atan());
        near(Wide::from(-800.0).hyperbolic(f64::sinh) * inverse, -0.5);
        near(Wide::from(800.0).hyperbolic(f64::cosh) * inverse, 0.5);
        assert!(Wide::from(-1.0).ln().to_f64().is_nan());
        assert_eq!(Wide::from(0.0).ln().to_f64(), f64::NEG_INFINITY);
        assert_eq!(Wide::from(f64::INFINITY).exp().to_f64(), f64::INFINITY);
    }

    #[test]
    fn what_has_no_room_is_zero_or_infinite() {
        assert_eq!(Wide::from(2.0).powi(5000).to_f64(), f64::INFINITY);
        assert_eq!(Wide::from(-2.0).powi(5001).to_f64(), f64::NEG_INFINITY);
        assert_eq!(Wide::from(2.0).powi(-5000).to_f64(), 0.0);
        assert_eq!(Wide::from(2.0).powi(i64::MAX).to_f64(), f64::INFINITY);
    }
}
