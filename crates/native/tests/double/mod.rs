//! Numbers to about twice the working precision, to hold functions against.
#![allow(dead_code)]

use rattleback_testing::Random;

/// A sum of two numbers without overlap.
pub type Double = (f64, f64);

pub fn two_sum(a: f64, b: f64) -> Double {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

pub fn add(a: Double, b: Double) -> Double {
    let (s, e) = two_sum(a.0, b.0);
    two_sum(s, e + a.1 + b.1)
}

pub fn mul(a: Double, b: Double) -> Double {
    let p = a.0 * b.0;
    let e = a.0.mul_add(b.0, -p) + a.0 * b.1 + a.1 * b.0;
    two_sum(p, e)
}

pub fn div(a: Double, b: f64) -> Double {
    let q = a.0 / b;
    let rest = (-q).mul_add(b, a.0) + a.1;
    two_sum(q, rest / b)
}

/// π/2 in four parts of 53 bits.
pub const HALF_PI: [f64; 4] = [
    std::f64::consts::FRAC_PI_2,
    6.123233995736766e-17,
    -1.4973849048591698e-33,
    4.320574262296449e-50,
];

/// sin and cos to about twice the working precision: reduction in double-double, then Taylor series.
pub fn sine_and_cosine(x: f64) -> (Double, Double) {
    let q = (x / HALF_PI[0]).round();
    let mut r = (x, 0.0);
    for part in HALF_PI {
        r = add(r, mul((-q, 0.0), (part, 0.0)));
    }
    let z = mul(r, r);
    let series = |first: Double, k0: u32| {
        let (mut sum, mut term, mut k) = (first, first, k0);
        while term.0.abs() > 1e-40 {
            let next = mul(term, z);
            term = div((-next.0, -next.1), f64::from((k + 1) * (k + 2)));
            sum = add(sum, term);
            k += 2;
        }
        sum
    };
    let (s, c) = (series(r, 1), series((1.0, 0.0), 0));
    match (q as i64).rem_euclid(4) {
        0 => (s, c),
        1 => (c, minus(s)),
        2 => (minus(s), minus(c)),
        _ => (minus(c), s),
    }
}

/// The error in units in the last place of the exact value.
pub fn ulps(found: f64, exact: Double) -> f64 {
    let size = exact.0.abs();
    let unit = f64::from_bits(size.to_bits() + 1) - size;
    (((found - exact.0) - exact.1) / unit).abs()
}

pub fn minus(a: Double) -> Double {
    (-a.0, -a.1)
}

/// ln 2 in three parts.
const LN_2: [f64; 3] = [
    std::f64::consts::LN_2,
    2.3190468138462996e-17,
    5.707708438416212e-34,
];

/// e^(x), by the Taylor series after taking out powers of two.
pub fn exponential(x: Double) -> Double {
    let q = (x.0 / LN_2[0]).round();
    let mut r = x;
    for part in LN_2 {
        r = add(r, mul((-q, 0.0), (part, 0.0)));
    }
    let (mut sum, mut term, mut k) = ((1.0, 0.0), (1.0, 0.0), 1.0);
    while k < 40.0 {
        term = div(mul(term, r), k);
        sum = add(sum, term);
        k += 1.0;
    }
    // In two steps, for results near the ends of the range.
    let half = (q / 2.0).trunc() as i32;
    let scale = |x: f64| x * 2f64.powi(half) * 2f64.powi(q as i32 - half);
    (scale(sum.0), scale(sum.1))
}

/// ln x, by one step of Newton's method from the working precision.
pub fn logarithm(x: f64) -> Double {
    let guess = x.ln();
    let ratio = mul((x, 0.0), exponential((-guess, 0.0)));
    let rest = add(ratio, (-1.0, 0.0));
    let square = mul(rest, rest);
    add(add((guess, 0.0), rest), (-0.5 * square.0, 0.0))
}

/// The angle of the point (b, a), from the working precision: the sine of the difference is the
/// difference.
pub fn angle(a: f64, b: f64) -> Double {
    let guess = a.atan2(b);
    let (s, c) = sine_and_cosine(guess);
    let across = add(mul((a, 0.0), c), minus(mul((b, 0.0), s)));
    let along = add(mul((b, 0.0), c), mul((a, 0.0), s));
    add((guess, 0.0), div(across, along.0))
}

/// The arcsine of a number that is not next to ±1.
pub fn arcsine(x: f64) -> Double {
    let guess = x.asin();
    let (s, c) = sine_and_cosine(guess);
    add((guess, 0.0), div(add((x, 0.0), minus(s)), c.0))
}

/// The arccosine of a number that is not next to ±1.
pub fn arccosine(x: f64) -> Double {
    let guess = x.acos();
    let (s, c) = sine_and_cosine(guess);
    add((guess, 0.0), div(add(c, (-x, 0.0)), s.0))
}

/// A reproducible sequence over [0, 1).
pub fn uniform() -> impl Iterator<Item = f64> {
    let mut random = Random::new(0);
    std::iter::repeat_with(move || random.unit())
}
