//! Complex numbers, as far as elimination and eigenvalues need them.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// re + i·im.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    /// The real part.
    pub re: f64,
    /// The imaginary part.
    pub im: f64,
}

impl Complex {
    /// re + i·im.
    pub const fn new(re: f64, im: f64) -> Self {
        Complex { re, im }
    }

    /// re − i·im.
    pub const fn conjugate(self) -> Self {
        Complex::new(self.re, -self.im)
    }

    /// √(re² + im²).
    pub fn modulus(self) -> f64 {
        self.re.hypot(self.im)
    }
}

impl Add for Complex {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Complex::new(self.re + other.re, self.im + other.im)
    }
}

impl Sub for Complex {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Complex::new(self.re - other.re, self.im - other.im)
    }
}

impl Neg for Complex {
    type Output = Self;
    fn neg(self) -> Self {
        Complex::new(-self.re, -self.im)
    }
}

impl Mul for Complex {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Complex::new(
            self.re * other.re - self.im * other.im,
            self.re * other.im + self.im * other.re,
        )
    }
}

impl Mul<f64> for Complex {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Complex::new(self.re * factor, self.im * factor)
    }
}

impl Div for Complex {
    type Output = Self;
    /// Smith's quotient: the larger part of the divisor is divided out first, against overflow.
    fn div(self, other: Self) -> Self {
        if other.re.abs() >= other.im.abs() {
            let ratio = other.im / other.re;
            let scale = other.re + other.im * ratio;
            Complex::new(
                (self.re + self.im * ratio) / scale,
                (self.im - self.re * ratio) / scale,
            )
        } else {
            let ratio = other.re / other.im;
            let scale = other.re * ratio + other.im;
            Complex::new(
                (self.re * ratio + self.im) / scale,
                (self.im * ratio - self.re) / scale,
            )
        }
    }
}
/// `2`, `-0.5 + 3i`, six decimals at most.
impl std::fmt::Display for Complex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plain = |x: f64| {
            let text = format!("{x:.6}");
            let text = text.trim_end_matches('0').trim_end_matches('.').to_owned();
            if text == "-0" { "0".to_owned() } else { text }
        };
        match (plain(self.re), plain(self.im.abs())) {
            (re, im) if im == "0" => f.write_str(&re),
            (re, im) => {
                let sign = if self.im < 0.0 { '-' } else { '+' };
                write!(f, "{re} {sign} {im}i")
            }
        }
    }
}
