//! Elementary functions of dyadic numbers to any precision, in integers, with a bound for the error.
//!
//! A fixed-point number is an integer times 2^-w. Every step below is off by a few units of the last
//! place and is repeated at most a few thousand times, squarings double what they inherit: all of it stays
//! far below 2^24 units, and that is the radius claimed.

use dashu::base::{BitTest, Signed, SquareRoot, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use std::cell::RefCell;
use std::collections::HashMap;

/// The true value is within `radius` of `mid`, both times 2^exponent.
#[derive(Clone, Debug)]
pub(crate) struct Ball {
    pub(crate) mid: IBig,
    pub(crate) radius: IBig,
    pub(crate) exponent: isize,
}

/// m·2^e.
#[derive(Clone, Debug)]
pub(crate) struct Dyadic {
    pub(crate) m: IBig,
    pub(crate) e: isize,
}

/// Bits that are claimed as error.
const LOST: usize = 24;
/// Bits beyond those asked for.
const GUARD: usize = LOST + 8;
/// Arguments beyond 2^this are out of range.
const RANGE: isize = 2000;

impl Dyadic {
    /// The position of the leading bit: 2^(size-1) ≤ |x| < 2^size.
    fn size(&self) -> isize {
        self.m.bit_len() as isize + self.e
    }

    fn fixed(&self, w: usize) -> IBig {
        shifted(&self.m, self.e + w as isize)
    }

    fn is_zero(&self) -> bool {
        self.m == IBig::ZERO
    }
}

fn shifted(m: &IBig, k: isize) -> IBig {
    if k >= 0 {
        m << k as usize
    } else {
        m >> k.unsigned_abs()
    }
}

fn ball(mid: IBig, w: usize) -> Ball {
    Ball {
        mid,
        radius: IBig::ONE << LOST,
        exponent: -(w as isize),
    }
}

fn product(a: &IBig, b: &IBig, w: usize) -> IBig {
    (a * b) >> w
}

/// Σ (±1)^k x^(2k+1)/(2k+1) for |x| < 1: atan or artanh.
fn odd_series(x: &IBig, w: usize, alternating: bool) -> IBig {
    let square = product(x, x, w);
    let (mut power, mut sum, mut k) = (x.clone(), x.clone(), 1u32);
    while power.bit_len() > 1 {
        power = product(&power, &square, w);
        if alternating {
            power = -power;
        }
        sum += &power / IBig::from(2 * k + 1);
        k += 1;
    }
    sum
}

thread_local! {
    static CONSTANTS: RefCell<HashMap<(bool, usize), IBig>> = RefCell::default();
}

/// A constant at w bits, computed once.
fn constant(is_pi: bool, w: usize) -> IBig {
    CONSTANTS.with_borrow_mut(|known| {
        let value = known.entry((is_pi, w)).or_insert_with(|| {
            let one = IBig::ONE << w;
            let part = |n: u32, alternating| odd_series(&(&one / IBig::from(n)), w, alternating);
            match is_pi {
                // Machin: π/4 = 4 atan(1/5) - atan(1/239).
                true => part(5, true) * 16 - part(239, true) * 4,
                false => part(3, false) * 2,
            }
        });
        value.clone()
    })
}

fn pi_at(w: usize) -> IBig {
    constant(true, w)
}

fn log_two(w: usize) -> IBig {
    constant(false, w)
}

/// π.
pub(crate) fn pi(bits: usize) -> Ball {
    let w = bits + GUARD;
    ball(pi_at(w), w)
}

/// Bits for a small argument's own scale, so that its function keeps relative precision.
fn own_scale(x: &Dyadic) -> usize {
    (-x.size()).clamp(0, RANGE) as usize
}

/// (sin x, cos x); `None` where x is out of range.
pub(crate) fn sin_cos(x: &Dyadic, bits: usize) -> Option<(Ball, Ball)> {
    let size = x.size();
    if size > RANGE {
        return None;
    }
    let w = bits + GUARD + own_scale(x);
    // x - k π/2 with as many more bits as k has.
    let wide = w + size.max(0) as usize + 2;
    let half = pi_at(wide) >> 1usize;
    let x = x.fixed(wide);
    let nearest: IBig = &x * 2 + &half;
    let k = nearest.div_floor(&(&half * 2));
    let r = (x - &k * half) >> (wide - w);
    let one = IBig::ONE << w;
    // The terms of e^(ir) in turn.
    let (mut sine, mut cosine) = (IBig::ZERO, one.clone());
    let (mut term, mut n) = (one, 0u32);
    loop {
        n += 1;
        term = product(&term, &r, w) / IBig::from(n);
        if term.bit_len() <= 1 {
            break;
        }
        match n % 4 {
            0 => cosine += &term,
            1 => sine += &term,
            2 => cosine -= &term,
            _ => sine -= &term,
        }
    }
    let quarter = u8::try_from(&k - k.div_floor(&IBig::from(4)) * 4).ok()?;
    let (sine, cosine) = match quarter {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    };
    Some((ball(sine, w), ball(cosine, w)))
}

/// e^x; `None` where it is out of range.
pub(crate) fn exp(x: &Dyadic, bits: usize) -> Option<Ball> {
    const HALVINGS: usize = 8;
    let size = x.size();
    if size > 20 {
        return None;
    }
    let w = bits + GUARD;
    let wide = w + size.max(0) as usize + 2;
    let two = log_two(wide);
    let x = x.fixed(wide);
    let k = x.div_floor(&two);
    let r = (x - &k * two) >> (wide - w + HALVINGS);
    let one = IBig::ONE << w;
    let (mut sum, mut term, mut n) = (one.clone(), one, 0u32);
    loop {
        n += 1;
        term = product(&term, &r, w) / IBig::from(n);
        if term.bit_len() <= 1 {
            break;
        }
        sum += &term;
    }
    for _ in 0..HALVINGS {
        sum = product(&sum, &sum, w);
    }
    let mut value = ball(sum, w);
    value.exponent += isize::try_from(k).ok()?;
    Some(value)
}

/// log x for x > 0.
pub(crate) fn log(x: &Dyadic, bits: usize) -> Option<Ball> {
    if !x.m.is_positive() || x.is_zero() || x.size().abs() > 1 << 30 {
        return None;
    }
    // x = y 2^k with 1/2 ≤ y < 1, or 3/4 ≤ y < 3/2: the series wants y near 1.
    let mut k = x.size();
    let mut y = Dyadic {
        m: x.m.clone(),
        e: x.e - k,
    };
    let w = bits + GUARD + 32;
    if y.fixed(2) < IBig::from(3) {
        k -= 1;
        y.e += 1;
    }
    let one = IBig::ONE << w;
    let y = y.fixed(w);
    let t = ((&y - &one) << w) / (&y + &one);
    let value = odd_series(&t, w, false) * 2 + log_two(w) * IBig::from(k);
    Some(Ball {
        // log 2 is off by a few units, k times.
        radius: IBig::ONE << (LOST + 30),
        ..ball(value, w)
    })
}

/// The angle of the point (x, y) in fixed point, |x| or |y| about 1: -π < angle ≤ π.
fn angle(y: &IBig, x: &IBig, w: usize) -> IBig {
    let half = pi_at(w) >> 1usize;
    let slope = |a: &IBig, b: &IBig| arc(&((a << w) / b), w);
    if y.unsigned_abs() <= x.unsigned_abs() {
        let base = slope(y, x);
        match (x.is_negative(), y.is_negative()) {
            (false, _) => base,
            (true, false) => base + half * 2,
            (true, true) => base - half * 2,
        }
    } else {
        let rest = slope(x, y);
        match y.is_negative() {
            false => half - rest,
            true => -half - rest,
        }
    }
}

/// atan t for |t| ≤ 1: three times t → t/(1 + √(1 + t²)), which halves the angle.
fn arc(t: &IBig, w: usize) -> IBig {
    let one = IBig::ONE << w;
    let mut t = t.clone();
    for _ in 0..3 {
        let square = (&t * &t + (&one << w)).unsigned_abs();
        let root: UBig = square.sqrt();
        t = (&t << w) / (&one + IBig::from(root));
    }
    odd_series(&t, w, true) * 8
}

/// The angle of the point (x, y) ≠ 0, between -π and π.
pub(crate) fn atan2(y: &Dyadic, x: &Dyadic, bits: usize) -> Option<Ball> {
    let scale = match (y.is_zero(), x.is_zero()) {
        (true, true) => return None,
        (true, false) => x.size(),
        (false, true) => y.size(),
        (false, false) => x.size().max(y.size()),
    };
    let unit = |a: &Dyadic| Dyadic {
        m: a.m.clone(),
        e: a.e - scale,
    };
    let (y, x) = (unit(y), unit(x));
    let small = match y.is_zero() {
        true => 0,
        false => own_scale(&y),
    };
    let w = bits + GUARD + small;
    Some(ball(angle(&y.fixed(w), &x.fixed(w), w), w))
}

/// asin x for |x| ≤ 1: the angle of (√(1 - x²), x).
pub(crate) fn asin(x: &Dyadic, bits: usize) -> Option<Ball> {
    if x.is_zero() {
        return Some(ball(IBig::ZERO, bits + GUARD));
    }
    if x.size() > 1 {
        return None;
    }
    let w = bits + GUARD + own_scale(x);
    // 1 - x² exactly.
    let places = x.e.min(0).unsigned_abs();
    let whole = shifted(&x.m, x.e.max(0));
    let rest = (IBig::ONE << (2 * places)) - &whole * &whole;
    if rest.is_negative() {
        return None;
    }
    let shift = 2 * (w as isize - places as isize);
    let root: UBig = shifted(&rest, shift).unsigned_abs().sqrt();
    Some(ball(angle(&x.fixed(w), &IBig::from(root), w), w))
}

trait DivFloor {
    fn div_floor(&self, d: &IBig) -> IBig;
}

impl DivFloor for IBig {
    /// ⌊a/d⌋ for d > 0.
    fn div_floor(&self, d: &IBig) -> IBig {
        let q = self / d;
        if self.is_negative() && &q * d != *self {
            q - 1
        } else {
            q
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meaning::directed::{Directed, Toward};
    use crate::meaning::doubles::Doubles;
    use dashu::base::Abs;

    fn dyadic(x: f64) -> Dyadic {
        let (m, e) = Doubles.parts(&x).unwrap();
        Dyadic { m, e }
    }

    fn agrees(ball: &Ball, expected: f64, what: &str) {
        let low = Doubles.dyadic(&(&ball.mid - &ball.radius), ball.exponent, Toward::Below);
        let high = Doubles.dyadic(&(&ball.mid + &ball.radius), ball.exponent, Toward::Above);
        let room = 4.0 * f64::EPSILON * expected.abs() + 1e-300;
        assert!(
            low <= expected + room && expected - room <= high,
            "{what}: {low} {expected} {high}"
        );
        assert!(
            high - low <= 1e-15 * (1.0 + expected.abs()),
            "{what}: {low} {high}"
        );
    }

    #[test]
    fn functions_agree_with_the_machine() {
        let mut x = 1e-12;
        while x < 1e6 {
            for s in [x, -x] {
                let d = dyadic(s);
                let (sine, cosine) = sin_cos(&d, 64).unwrap();
                agrees(&sine, s.sin(), &format!("sin {s}"));
                agrees(&cosine, s.cos(), &format!("cos {s}"));
                if x < 600.0 {
                    agrees(&exp(&d, 64).unwrap(), s.exp(), &format!("exp {s}"));
                }
                for y in [0.0, 1.0, -1.0, 7.25, -1e-3] {
                    let at = atan2(&d, &dyadic(y), 64).unwrap();
                    agrees(&at, s.atan2(y), &format!("atan2 {s} {y}"));
                }
                if x <= 1.0 {
                    agrees(&asin(&d, 64).unwrap(), s.asin(), &format!("asin {s}"));
                }
            }
            agrees(&log(&dyadic(x), 64).unwrap(), x.ln(), &format!("log {x}"));
            x *= 1.37;
        }
        agrees(
            &asin(&dyadic(1.0), 64).unwrap(),
            std::f64::consts::FRAC_PI_2,
            "asin 1",
        );
        agrees(&pi(64), std::f64::consts::PI, "pi");
        assert!(asin(&dyadic(1.0f64.next_up()), 64).is_none());
        assert!(log(&dyadic(-1.0), 64).is_none() && log(&dyadic(0.0), 64).is_none());
    }

    /// Balls of different precisions for one value must meet.
    #[test]
    fn precisions_agree_with_each_other() {
        let meet = |a: &Ball, b: &Ball, what: &str| {
            let e = a.exponent.min(b.exponent);
            let at = |x: &IBig, own: isize| shifted(x, own - e);
            let gap = at(&a.mid, a.exponent) - at(&b.mid, b.exponent);
            let room = at(&a.radius, a.exponent) + at(&b.radius, b.exponent);
            assert!(gap.abs() <= room, "{what}");
        };
        for x in [1e-9, 0.1, 0.75, 0.999_999, 1.0, 1.5, 3.0, 22.0, 710.25] {
            let d = dyadic(x);
            for bits in [53, 100, 333, 1000] {
                let more = 2 * bits + 17;
                let (a, b) = (sin_cos(&d, bits).unwrap(), sin_cos(&d, more).unwrap());
                meet(&a.0, &b.0, "sin");
                meet(&a.1, &b.1, "cos");
                meet(&exp(&d, bits).unwrap(), &exp(&d, more).unwrap(), "exp");
                meet(&log(&d, bits).unwrap(), &log(&d, more).unwrap(), "log");
                let one = dyadic(1.0);
                let (a, b) = (atan2(&d, &one, bits), atan2(&d, &one, more));
                meet(&a.unwrap(), &b.unwrap(), "atan");
                if x <= 1.0 {
                    meet(&asin(&d, bits).unwrap(), &asin(&d, more).unwrap(), "asin");
                }
            }
        }
    }
}
