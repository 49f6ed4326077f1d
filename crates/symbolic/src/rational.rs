//! Exact rational numbers: machine integers while they fit, big ones beyond.

use dashu::base::{Signed, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::str::FromStr;

/// A rational number of any size, always in lowest terms with a positive denominator.
///
/// ```
/// use rattleback_symbolic::Rational;
/// let third = Rational::new(2, 6);
/// assert_eq!(&third + &third, Rational::new(2, 3));
/// assert_eq!("1e-3".parse::<Rational>().unwrap(), Rational::new(1, 1000));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Rational(Repr);

// Canonical: a value that fits two machine integers is always `Small`.
#[derive(Clone, PartialEq, Eq)]
enum Repr {
    Small(i64, i64),
    Big(Box<RBig>),
}
use Repr::{Big, Small};

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn fits(x: i128) -> bool {
    x.unsigned_abs() <= i64::MAX as u128
}

impl Rational {
    /// Zero.
    pub const ZERO: Rational = Rational(Small(0, 1));
    /// One.
    pub const ONE: Rational = Rational(Small(1, 1));
    /// Minus one.
    pub const MINUS_ONE: Rational = Rational(Small(-1, 1));

    /// `numerator / denominator`. The denominator must not be zero.
    pub fn new(numerator: i64, denominator: i64) -> Self {
        Self::reduced(numerator.into(), denominator.into())
    }

    fn reduced(n: i128, d: i128) -> Self {
        debug_assert!(d != 0);
        if d == 1 && fits(n) {
            return Rational(Small(n as i64, 1));
        }
        let g = gcd(n.unsigned_abs(), d.unsigned_abs()) as i128;
        let (n, d) = if d < 0 {
            (-(n / g), -(d / g))
        } else {
            (n / g, d / g)
        };
        if fits(n) && fits(d) {
            Rational(Small(n as i64, d as i64))
        } else {
            Rational(Big(Box::new(RBig::from_parts(
                IBig::from(n),
                UBig::from(d.unsigned_abs()),
            ))))
        }
    }

    fn from_big(r: RBig) -> Self {
        let small = i64::try_from(r.numerator())
            .ok()
            .zip(i64::try_from(r.denominator()).ok());
        match small {
            Some((n, d)) if n != i64::MIN => Rational(Small(n, d)),
            _ => Rational(Big(Box::new(r))),
        }
    }

    /// The same value as a big rational of the `dashu` crate.
    pub fn to_big(&self) -> RBig {
        match &self.0 {
            Small(n, d) => RBig::from_parts(IBig::from(*n), UBig::from(d.unsigned_abs())),
            Big(r) => (**r).clone(),
        }
    }

    /// The numerator; it carries the sign.
    pub fn numerator(&self) -> IBig {
        match &self.0 {
            Small(n, _) => IBig::from(*n),
            Big(r) => r.numerator().clone(),
        }
    }

    /// The positive denominator.
    pub fn denominator(&self) -> UBig {
        match &self.0 {
            Small(_, d) => UBig::from(d.unsigned_abs()),
            Big(r) => r.denominator().clone(),
        }
    }

    /// `numerator / denominator` of big integers; the denominator must not be zero.
    pub fn from_parts(numerator: IBig, denominator: UBig) -> Self {
        Self::from_big(RBig::from_parts(numerator, denominator))
    }

    /// Numerator and denominator where both are machine integers.
    pub fn as_small(&self) -> Option<(i64, i64)> {
        match self.0 {
            Small(n, d) => Some((n, d)),
            Big(_) => None,
        }
    }

    /// The value as a machine integer, if it is one.
    pub fn as_integer(&self) -> Option<i64> {
        match self.0 {
            Small(n, 1) => Some(n),
            _ => None,
        }
    }

    /// Is it 0?
    pub fn is_zero(&self) -> bool {
        self.0 == Small(0, 1)
    }

    /// Is it 1?
    pub fn is_one(&self) -> bool {
        self.0 == Small(1, 1)
    }

    /// Is it an integer of any size?
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Small(_, d) => *d == 1,
            Big(r) => r.is_int(),
        }
    }

    /// Is it below zero?
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Small(n, _) => *n < 0,
            Big(r) => r.is_negative(),
        }
    }

    /// Is it above zero?
    pub fn is_positive(&self) -> bool {
        !self.is_zero() && !self.is_negative()
    }

    /// The absolute value.
    pub fn abs(&self) -> Self {
        if self.is_negative() {
            -self
        } else {
            self.clone()
        }
    }

    /// One over it; `None` for zero.
    pub fn recip(&self) -> Option<Self> {
        match &self.0 {
            Small(0, _) => None,
            Small(n, d) => Some(Self::reduced(i128::from(*d), i128::from(*n))),
            Big(r) => {
                let sign = if r.is_negative() {
                    -IBig::ONE
                } else {
                    IBig::ONE
                };
                let numerator = IBig::from(r.denominator().clone()) * sign;
                Some(Self::from_parts(
                    numerator,
                    r.numerator().clone().unsigned_abs(),
                ))
            }
        }
    }

    /// An integer power; `None` for zero to a negative power.
    pub fn pow(&self, exponent: i64) -> Option<Self> {
        let base = if exponent < 0 {
            self.recip()?
        } else {
            self.clone()
        };
        let mut e = exponent.unsigned_abs();
        let (mut result, mut square) = (Self::ONE, base);
        while e > 0 {
            if e & 1 == 1 {
                result = &result * &square;
            }
            e >>= 1;
            if e > 0 {
                square = &square * &square;
            }
        }
        Some(result)
    }

    /// The largest integer not above it.
    pub fn floor(&self) -> Self {
        match &self.0 {
            Small(n, d) => Rational(Small(n.div_euclid(*d), 1)),
            Big(r) => Self::from_parts(r.floor(), UBig::ONE),
        }
    }

    /// The nearest floating-point number.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            // Both operands are exact below 2^53, so the quotient is correctly rounded.
            Small(n, d) if n.unsigned_abs() < 1 << 53 && *d < 1 << 53 => *n as f64 / *d as f64,
            _ => self.to_big().to_f64().value(),
        }
    }

    /// The greatest common divisor of two rationals: the largest g with a/g and b/g integers.
    pub fn gcd(&self, other: &Self) -> Self {
        if self.is_zero() {
            return other.abs();
        }
        if other.is_zero() {
            return self.abs();
        }
        if let (Some((a, b)), Some((c, d))) = (self.as_small(), other.as_small()) {
            let g = gcd(a.unsigned_abs().into(), c.unsigned_abs().into()) as i128;
            let l = b as i128 / gcd(b as u128, d as u128) as i128 * d as i128;
            return Self::reduced(g, l);
        }
        use dashu::base::Gcd;
        let g = self
            .numerator()
            .unsigned_abs()
            .gcd(other.numerator().unsigned_abs());
        let (b, d) = (self.denominator(), other.denominator());
        let l = &b / (&b).gcd(&d) * d;
        Self::from_parts(IBig::from(g), l)
    }

    /// A number that orders and hashes alike on every machine.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut h = crate::hash::Mixer::default();
        match &self.0 {
            Small(n, d) => {
                h.write_u64(*n as u64);
                h.write_u64(*d as u64);
            }
            Big(r) => {
                h.write(&r.numerator().to_le_bytes());
                h.write(&r.denominator().to_le_bytes());
            }
        }
        h.finish()
    }
}

impl Hash for Rational {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.fingerprint());
    }
}

impl From<i64> for Rational {
    fn from(n: i64) -> Self {
        Self::reduced(n.into(), 1)
    }
}

impl From<IBig> for Rational {
    fn from(n: IBig) -> Self {
        Self::from_parts(n, UBig::ONE)
    }
}

impl Add for &Rational {
    type Output = Rational;
    fn add(self, o: Self) -> Rational {
        match (&self.0, &o.0) {
            (Small(a, 1), Small(c, 1)) => Rational::reduced(*a as i128 + *c as i128, 1),
            (Small(a, b), Small(c, d)) => {
                // a d + c b can pass 2^127 only if both products are near it: then go big.
                let (a, b, c, d) = (*a as i128, *b as i128, *c as i128, *d as i128);
                match (a * d).checked_add(c * b) {
                    Some(n) => Rational::reduced(n, b * d),
                    None => Rational::from_big(self.to_big() + o.to_big()),
                }
            }
            _ => Rational::from_big(self.to_big() + o.to_big()),
        }
    }
}

impl Mul for &Rational {
    type Output = Rational;
    fn mul(self, o: Self) -> Rational {
        match (&self.0, &o.0) {
            (Small(a, b), Small(c, d)) => {
                Rational::reduced(*a as i128 * *c as i128, *b as i128 * *d as i128)
            }
            _ => Rational::from_big(self.to_big() * o.to_big()),
        }
    }
}

impl Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        match &self.0 {
            Small(n, d) => Rational(Small(-n, *d)),
            Big(r) => Rational::from_big(-(**r).clone()),
        }
    }
}

impl Sub for &Rational {
    type Output = Rational;
    fn sub(self, o: Self) -> Rational {
        self + &-o
    }
}

/// Division; dividing by zero is a caller's error and panics like integer division.
impl Div for &Rational {
    type Output = Rational;
    fn div(self, o: Self) -> Rational {
        let inverse = o.recip().expect("division of a rational by zero");
        #[allow(clippy::suspicious_arithmetic_impl)] // a/b = a·(1/b)
        let quotient = self * &inverse;
        quotient
    }
}

macro_rules! by_value {
    ($($op:ident $f:ident),*) => {$(
        impl $op for Rational {
            type Output = Rational;
            fn $f(self, o: Self) -> Rational { (&self).$f(&o) }
        }
    )*};
}
by_value!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        -&self
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}

impl Ord for Rational {
    fn cmp(&self, o: &Self) -> Ordering {
        match (&self.0, &o.0) {
            (Small(a, b), Small(c, d)) => (*a as i128 * *d as i128).cmp(&(*c as i128 * *b as i128)),
            _ => self.to_big().cmp(&o.to_big()),
        }
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(n, 1) => write!(f, "{n}"),
            Small(n, d) => write!(f, "{n}/{d}"),
            Big(r) => write!(f, "{r}"),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a number, or one whose exponent is beyond reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// Not of the form `12`, `0.25`, `1e-3` or `1/3`.
    #[error("`{0}` is not a number")]
    Malformed(String),
    /// The decimal exponent would need more digits than we are willing to store.
    #[error("the exponent of `{0}` is beyond ±{max}", max = MAX_EXPONENT)]
    Exponent(String),
}

const MAX_EXPONENT: i64 = 4096;

/// Reads `12`, `-3`, `0.25`, `1.5e-3` and `2/3`, exactly.
impl FromStr for Rational {
    type Err = NumberError;
    fn from_str(text: &str) -> Result<Self, NumberError> {
        let malformed = || NumberError::Malformed(text.chars().take(40).collect());
        if let Some((n, d)) = text.split_once('/') {
            let (n, d): (Rational, Rational) = (n.parse()?, d.parse()?);
            return Ok(&n * &d.recip().ok_or_else(malformed)?);
        }
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((m, e)) => (m, e.parse::<i64>().map_err(|_| malformed())?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let unsigned = whole.strip_prefix(['-', '+']).unwrap_or(whole);
        let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if (unsigned.is_empty() && fraction.is_empty()) || !digits(unsigned) || !digits(fraction) {
            return Err(malformed());
        }
        let n =
            IBig::from_str_radix(&format!("0{unsigned}{fraction}"), 10).map_err(|_| malformed())?;
        let n = if whole.starts_with('-') { -n } else { n };
        let shift = exponent - fraction.len() as i64;
        if exponent.abs() > MAX_EXPONENT {
            return Err(NumberError::Exponent(text.chars().take(40).collect()));
        }
        let ten = UBig::from(10u8).pow(shift.unsigned_abs() as usize);
        Ok(if shift < 0 {
            Self::from_parts(n, ten)
        } else {
            Self::from(n * IBig::from(ten))
        })
    }
}

/// The exact q-th root of a non-negative integer split as `outside * inside^(1/q)` with small prime
/// factors taken out of the radical.
pub(crate) fn extract_root(n: &UBig, q: u32) -> (UBig, UBig) {
    let (mut outside, mut inside, mut rest) = (UBig::ONE, UBig::ONE, n.clone());
    for p in SMALL_PRIMES {
        let prime = UBig::from(*p);
        let mut multiplicity = 0u32;
        while rest > UBig::ONE && (&rest % &prime).is_zero() {
            rest /= &prime;
            multiplicity += 1;
        }
        outside *= prime.pow((multiplicity / q) as usize);
        inside *= prime.pow((multiplicity % q) as usize);
    }
    let root = rest.nth_root(q as usize);
    if root.pow(q as usize) == rest {
        (outside * root, inside)
    } else {
        (outside, inside * rest)
    }
}

pub(crate) const SMALL_PRIMES: &[u32] = &[
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_canonical_across_the_machine_limit() {
        let big = Rational::from(i64::MAX);
        let beyond = &big + &Rational::ONE;
        assert!(beyond.as_small().is_none());
        assert_eq!(&beyond - &Rational::ONE, big);
        assert_eq!((&beyond * &beyond.recip().unwrap()), Rational::ONE);
        let tiny = Rational::new(1, i64::MAX);
        assert_eq!(&(&tiny + &tiny) - &tiny, tiny);
        let sum = &Rational::new(i64::MAX, i64::MAX - 1) + &Rational::new(i64::MAX - 1, i64::MAX);
        assert!(sum > Rational::from(2) && sum.to_f64() == 2.0);
    }

    #[test]
    fn reads_decimals_exactly() {
        for (text, value) in [
            ("0.25", Rational::new(1, 4)),
            ("-1.5e-3", Rational::new(-3, 2000)),
            ("12e2", Rational::from(1200)),
            (".5", Rational::new(1, 2)),
            ("2/3", Rational::new(2, 3)),
        ] {
            assert_eq!(text.parse::<Rational>().unwrap(), value, "{text}");
        }
        for text in ["", "-", "1..2", "1e", "x", "1/0", "1e99999999"] {
            assert!(text.parse::<Rational>().is_err(), "{text}");
        }
    }

    #[test]
    fn roots_leave_square_free_radicands() {
        let (o, i) = extract_root(&UBig::from(360u32), 2);
        assert_eq!((o, i), (UBig::from(6u8), UBig::from(10u8)));
        let (o, i) = extract_root(&UBig::from(101u32 * 101), 2);
        assert_eq!((o, i), (UBig::from(101u8), UBig::ONE));
    }

    #[test]
    fn gcd_divides_both() {
        let (a, b) = (Rational::new(3, 4), Rational::new(5, 6));
        assert_eq!(a.gcd(&b), Rational::new(1, 12));
    }
}
