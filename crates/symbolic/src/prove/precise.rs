//! Constants whose digits floating-point arithmetic loses, with all of them.

use crate::meaning::directed::Directed;
use crate::meaning::doubles::Doubles;
use crate::meaning::enclosure::{Enclosures, Interval};
use crate::meaning::multiple::Multiple;
use crate::meaning::{Lowered, Numbers};
use crate::work::count_work;
use crate::{Expr, Rational, Symbol};

/// A value whose enclosure by doubles is wider than this part of it may have lost digits.
const WIDE: f64 = 1e-11;
/// An enclosure narrower than this part of the value gives a double.
const NARROW: f64 = 1e-15;
/// Bits of further enclosures.
const PRECISIONS: [usize; 4] = [128, 256, 512, 1024];

/// The values of expressions at values of all their symbols, for those of which doubles may have lost digits and more
/// bits give them back: 1 + 1e-20 - 1 is 1e-20. Nothing for all others.
///
/// ```
/// use rattleback_symbolic::{Expr, Rational, precise};
/// let tiny = Expr::from(Rational::from(10).pow(-20).unwrap());
/// let lost = ((1 + &tiny).sqrt() - 1) / &tiny;
/// assert_eq!(precise(&[], &[lost, Expr::from(2).sqrt()]), [Some(0.5), None]);
/// ```
pub fn precise(at: &[(Symbol, f64)], all: &[Expr]) -> Vec<Option<f64>> {
    let mut found = vec![None; all.len()];
    let symbols: Vec<Symbol> = at.iter().map(|(s, _)| s.clone()).collect();
    let exact: Option<Vec<Rational>> = at.iter().map(|(_, x)| dyadic(*x)).collect();
    let (Ok(lowered), Some(exact)) = (Lowered::new(&symbols, all), exact) else {
        return found;
    };
    let narrow = enclosed(&lowered, Enclosures(Doubles), &exact);
    let is_wide = |ends: &Option<(f64, f64)>| ends.is_none_or(|e| width(e) > WIDE);
    let mut open: Vec<usize> = (0..all.len()).filter(|&i| is_wide(&narrow[i])).collect();
    for bits in PRECISIONS {
        if open.is_empty() {
            break;
        }
        let ends = enclosed(&lowered, Enclosures(Multiple { bits }), &exact);
        open.retain(|&i| {
            found[i] = ends[i]
                .filter(|e| width(*e) <= NARROW)
                .map(|(low, high)| low + 0.5 * (high - low));
            found[i].is_none()
        });
    }
    found
}

/// By how much the value of an expression may be off at values of all its symbols, by the rounding of doubles alone;
/// nothing where it has no enclosure.
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, rounding};
/// let x = Symbol::variable("x");
/// let e = Expr::from(&x).cos() * Expr::from(2).sqrt();
/// assert!(rounding(&[(x, 1.0)], &e).is_some_and(|r| 0.0 < r && r < 1e-14));
/// ```
pub fn rounding(at: &[(Symbol, f64)], e: &Expr) -> Option<f64> {
    let symbols: Vec<Symbol> = at.iter().map(|(s, _)| s.clone()).collect();
    let exact: Vec<Rational> = at.iter().map(|(_, x)| dyadic(*x)).collect::<Option<_>>()?;
    let lowered = Lowered::new(&symbols, std::slice::from_ref(e)).ok()?;
    let (low, high) = enclosed(&lowered, Enclosures(Doubles), &exact).pop()??;
    Some(high - low)
}

/// How wide an enclosure is, as a part of what it encloses.
fn width((low, high): (f64, f64)) -> f64 {
    let least = low.abs().min(high.abs());
    // Doubles have no room for more digits of numbers beyond their range.
    let is_normal = low.is_normal() && high.is_normal();
    match (low > 0.0 || high < 0.0) && is_normal {
        // Neighbouring doubles are narrow.
        true if high <= low.next_up() => 0.0,
        true => (high - low) / least,
        false if low == high => 0.0,
        false => f64::INFINITY,
    }
}

fn enclosed<D: Directed>(
    lowered: &Lowered,
    meaning: Enclosures<D>,
    at: &[Rational],
) -> Vec<Option<(f64, f64)>> {
    let program = lowered.prepare(meaning);
    count_work(program.len() as u64);
    let inputs: Vec<Option<Interval<D::Number>>> =
        at.iter().map(|r| program.meaning().number(r)).collect();
    let values = program.evaluate(&inputs).into_iter();
    let ends = |v: Interval<D::Number>| program.meaning().to_doubles(&v);
    values.map(|v| v.map(ends)).collect()
}

/// A double as the number that it is.
fn dyadic(x: f64) -> Option<Rational> {
    if !x.is_finite() {
        return None;
    }
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (digits, power) = match exponent {
        0 => (fraction, -1074),
        _ => (fraction | (1 << 52), exponent - 1075),
    };
    let size = &Rational::from(digits) * &Rational::from(2).pow(power)?;
    Some(if x < 0.0 { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_what_they_are() {
        for x in [0.0, 1.0, -0.1, 1e300, 5e-324, 2.5e-310, f64::MAX] {
            assert_eq!(dyadic(x).map(|r| r.to_f64()), Some(x));
        }
        assert_eq!(dyadic(f64::NAN), None);
    }

    #[test]
    fn lost_digits_are_found_also_with_values_put_in() {
        let a = Symbol::constant("a");
        let e = Expr::from(&a);
        let at = [(a, 1e-18)];
        let one = |f: Expr| precise(&at, &[f]).pop().flatten();
        assert_eq!(one((1 + &e).log() / &e), Some(1.0));
        let curved = one((e.cos() - 1) / e.powi(2));
        assert!(curved.is_some_and(|x| (x + 0.5).abs() < 1e-15));
        assert_eq!(one(e.sin() + 1), None);
        // What is zero stays as it is.
        assert_eq!(one(Expr::pi().sin()), None);
    }
}
