//! Doubles with directed rounding: the neighbour on the right side of what the machine rounds to nearest.

use super::careful;
use super::directed::{Directed, Toward};
use super::enclosure::Interval;
use super::quick::{self, Near};
use crate::Rational;
use dashu::base::{BitTest, Signed, UnsignedAbs};
use dashu::integer::IBig;

/// IEEE doubles.
#[derive(Clone)]
pub(crate) struct Doubles;

/// Below this size the error of a product may itself be rounded.
const SMALL: f64 = 1e-250;
/// Above what is taken for too small to be told from zero.
const TINY: f64 = 1e-250;

/// `nearest` moved by one place where its error `true - nearest` asks for it.
fn directed(nearest: f64, error: f64, to: Toward) -> f64 {
    match to {
        Toward::Below if error < 0.0 => nearest.next_down(),
        Toward::Above if error > 0.0 => nearest.next_up(),
        _ => nearest,
    }
}

/// One place further, whatever the error.
fn widened(nearest: f64, to: Toward) -> f64 {
    match to {
        Toward::Below => nearest.next_down(),
        Toward::Above => nearest.next_up(),
    }
}

impl Near {
    /// Between which doubles the value lies.
    fn interval(self) -> Interval<f64> {
        Interval {
            low: (self.value - self.off).next_down(),
            high: (self.value + self.off).next_up(),
        }
    }
}

impl Directed for Doubles {
    type Number = f64;

    fn bits(&self) -> usize {
        64
    }

    fn rational(&self, r: &Rational, to: Toward) -> f64 {
        const EXACT: u64 = 1 << 53;
        match r.as_small() {
            Some((n, d)) if n.unsigned_abs() < EXACT && d.unsigned_abs() < EXACT => {
                self.div(&(n as f64), &(d as f64), to)
            }
            // The conversion is off by less than two places.
            _ => widened(widened(r.to_f64(), to), to),
        }
    }

    fn dyadic(&self, m: &IBig, e: isize, to: Toward) -> f64 {
        // The leading 53 bits, and whether something was cut off.
        let size = m.unsigned_abs();
        let cut = size.bit_len().saturating_sub(53);
        let head = &size >> cut;
        let exact = (&head << cut) == size;
        let negative = m.is_negative();
        let away = negative == (to == Toward::Below);
        let size = e.saturating_add((cut + head.bit_len()) as isize);
        let size_of = |value: f64| if negative { -value } else { value };
        if size > 1000 {
            return size_of(if away { f64::INFINITY } else { f64::MAX });
        }
        if head.is_zero() || size < -900 {
            return size_of(if away && !head.is_zero() { TINY } else { 0.0 });
        }
        // Exact: 53 bits, far from both ends of the range.
        let (head, scale) = (head.to_f64().value(), e + cut as isize);
        let half = scale / 2;
        let value = head * 2f64.powi(half as i32) * 2f64.powi((scale - half) as i32);
        size_of(if !exact && away {
            value.next_up()
        } else {
            value
        })
    }

    fn parts(&self, x: &f64) -> Option<(IBig, isize)> {
        if !x.is_finite() {
            return None;
        }
        let bits = x.to_bits();
        let fraction = bits & ((1 << 52) - 1);
        let (m, e) = match (bits >> 52 & 0x7ff) as isize {
            0 => (fraction, -1074),
            biased => (fraction | 1 << 52, biased - 1075),
        };
        let m = IBig::from(m);
        Some((if *x < 0.0 { -m } else { m }, e))
    }

    fn add(&self, a: &f64, b: &f64, to: Toward) -> f64 {
        // Knuth's two-sum: the error is exact.
        let s = a + b;
        let t = s - a;
        directed(s, (a - (s - t)) + (b - t), to)
    }

    fn mul(&self, a: &f64, b: &f64, to: Toward) -> f64 {
        let p = a * b;
        if p.abs() < SMALL && *a != 0.0 && *b != 0.0 {
            return widened(p, to);
        }
        directed(p, a.mul_add(*b, -p), to)
    }

    fn div(&self, a: &f64, b: &f64, to: Toward) -> f64 {
        let q = a / b;
        if *a == 0.0 {
            return q;
        }
        if q.abs() < SMALL || a.abs() < SMALL || !q.is_finite() {
            return widened(q, to);
        }
        // a - q b has the sign of the error times that of b.
        directed(q, (-q).mul_add(*b, *a) * b.signum(), to)
    }

    fn sqrt(&self, a: &f64, to: Toward) -> f64 {
        let r = a.sqrt();
        if *a == 0.0 {
            return 0.0;
        }
        if *a < SMALL {
            return widened(r, to).max(0.0);
        }
        directed(r, (-r).mul_add(r, *a), to)
    }

    fn negate(&self, a: &f64) -> f64 {
        -a
    }
    fn is_finite(&self, a: &f64) -> bool {
        a.is_finite()
    }
    fn to_double(&self, a: &f64, _: Toward) -> f64 {
        *a
    }
    fn zero(&self) -> f64 {
        0.0
    }
    fn one(&self) -> f64 {
        1.0
    }
    fn sin_cos(&self, x: &f64) -> Option<[Interval<f64>; 2]> {
        let quickly = quick::sin_cos(*x).map(|both| both.map(Near::interval));
        quickly.or_else(|| careful::sin_cos(self, x))
    }
    fn exp(&self, x: &f64) -> Option<Interval<f64>> {
        let quickly = quick::exp(*x).map(Near::interval);
        quickly.or_else(|| careful::exp(self, x))
    }
    fn log(&self, x: &f64) -> Option<Interval<f64>> {
        let quickly = quick::log(*x).map(Near::interval);
        quickly.or_else(|| careful::log(self, x))
    }
    fn asin(&self, x: &f64) -> Option<Interval<f64>> {
        let quickly = quick::asin(*x).map(Near::interval);
        quickly.or_else(|| careful::asin(self, x))
    }
    fn atan2(&self, y: &f64, x: &f64) -> Option<Interval<f64>> {
        let quickly = quick::atan2(*y, *x).map(Near::interval);
        quickly.or_else(|| careful::atan2(self, y, x))
    }
}
