//! Zeros of a function of one variable: where it crosses, and where it turns back beyond zero.

/// The zero of g between a and b, where it has the values `ga` and `gb` of opposite signs (or `ga` is
/// 0), to within `tolerance`: the method of Oliveira & Takahashi (2020), which interpolates, truncates
/// and projects, and never needs more than one evaluation more than bisection. None at a pole or a jump, where the
/// sign changes without a zero: |g| grows towards a pole from both sides, and its change does not shrink towards a jump.
pub(super) fn locate<E>(
    (mut a, mut ga): (f64, f64),
    (mut b, mut gb): (f64, f64),
    tolerance: f64,
    mut g: impl FnMut(f64) -> Result<f64, E>,
) -> Result<Option<f64>, E> {
    if ga.is_infinite() || gb.is_infinite() {
        return Ok(None);
    }
    if ga == 0.0 || ga.is_nan() {
        return Ok(Some(a));
    }
    let largest = ga.abs().max(gb.abs());
    let is_long = b - a > LONG * tolerance;
    let change = (gb - ga).abs();
    let rising = if gb > 0.0 { 1.0 } else { -1.0 };
    let bisections = ((b - a) / (2.0 * tolerance)).log2().ceil().max(0.0);
    let mut radius = tolerance * (bisections + 1.0).exp2();
    let truncation = 0.2 / (b - a);
    while b - a > 2.0 * tolerance {
        let middle = 0.5 * (a + b);
        let secant = (gb * a - ga * b) / (gb - ga);
        let towards = (middle - secant).signum();
        let shift = truncation * (b - a) * (b - a);
        let truncated = if shift <= (middle - secant).abs() {
            secant + towards * shift
        } else {
            middle
        };
        let reach = radius - 0.5 * (b - a);
        let x = if (truncated - middle).abs() <= reach {
            truncated
        } else {
            middle - towards * reach
        };
        // Rounding may put x on an end, or make it not a number where g overflows.
        let x = if a < x && x < b { x } else { middle };
        let value = g(x)?;
        if value * rising > 0.0 {
            (b, gb) = (x, value);
        } else if value * rising < 0.0 {
            (a, ga) = (x, value);
        } else {
            return Ok(Some(x));
        }
        radius *= 0.5;
    }
    let is_pole = ga.abs().min(gb.abs()) > largest;
    let is_jump = is_long && (gb - ga).abs() > JUMP * change;
    Ok((!is_pole && !is_jump).then_some(0.5 * (a + b)))
}

/// A function jumps that keeps this part of its change...
const JUMP: f64 = 1e-1;
/// ...on an interval that shrinks by so much.
const LONG: f64 = 1e3;

/// The slope of an event function is taken over this part of an interval.
const NUDGE: f64 = 1.0 / 64.0;

/// A place between a and b at which g is on the other side of zero than at both: it crosses twice, and its signs at the
/// ends do not tell. It is looked for where g heads for zero at a and comes from it at b.
pub(super) fn turn<E>(
    (a, b): (f64, f64),
    mut g: impl FnMut(f64) -> Result<f64, E>,
) -> Result<Option<f64>, E> {
    let (first, last) = (g(a)?, g(b)?);
    let product = first * last;
    if product <= 0.0 || !product.is_finite() {
        return Ok(None);
    }
    let (side, nudge) = (first.signum(), NUDGE * (b - a));
    if side * (g(a + nudge)? - first) >= 0.0 || side * (last - g(b - nudge)?) <= 0.0 {
        return Ok(None);
    }
    below((a, side * first), (b, side * last), |x| Ok(side * g(x)?))
}

/// What is below zero by less than this part of the values at the ends touches it, to the accuracy of a motion.
const TOUCHES: f64 = 1e-10;
/// Shortenings of the interval in which the least value is looked for.
const MOST_CUTS: usize = 48;

/// A place between a and b at which g, which is positive there and falls from a and rises to b, is negative: golden
/// sections on the way to its least value. None where it stays above zero or touches it.
fn below<E>(
    (mut a, ga): (f64, f64),
    (mut b, gb): (f64, f64),
    mut g: impl FnMut(f64) -> Result<f64, E>,
) -> Result<Option<f64>, E> {
    let part = 0.5 * (5.0f64.sqrt() - 1.0);
    let touches = -TOUCHES * ga.max(gb);
    let (mut left, mut right) = (b - part * (b - a), a + part * (b - a));
    let (mut at_left, mut at_right) = (g(left)?, g(right)?);
    for _ in 0..MOST_CUTS {
        if at_left < touches {
            return Ok(Some(left));
        }
        if at_right < touches {
            return Ok(Some(right));
        }
        if at_left < at_right {
            (b, right, at_right) = (right, left, at_left);
            left = b - part * (b - a);
            at_left = g(left)?;
        } else {
            (a, left, at_left) = (left, right, at_right);
            right = a + part * (b - a);
            at_right = g(right)?;
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    #[test]
    fn what_comes_back_is_seen_on_the_other_side() {
        let find = |least: f64| {
            let g = |x: f64| (x - 0.3).powi(2) + least;
            below((0.0, g(0.0)), (1.0, g(1.0)), |x| Ok::<_, Infallible>(g(x)))
        };
        let inside = |least: f64| find(least).ok().flatten();
        assert!(inside(-1e-3).is_some_and(|x| (x - 0.3).powi(2) < 1e-3));
        assert!(inside(-1e-8).is_some_and(|x| (x - 0.3).powi(2) < 1e-8));
        assert!(inside(-1e-15).is_none() && inside(1e-3).is_none());
    }

    fn zero(a: f64, b: f64, tolerance: f64, g: impl Fn(f64) -> f64) -> (f64, u32) {
        let mut calls = 0;
        let counted = |x: f64| {
            calls += 1;
            Ok::<_, Infallible>(g(x))
        };
        let found = locate((a, g(a)), (b, g(b)), tolerance, counted).unwrap();
        (found.unwrap_or(f64::NAN), calls)
    }

    #[test]
    fn zeros_are_located_to_the_tolerance() {
        type Case = (f64, f64, fn(f64) -> f64, f64);
        let cases: [Case; 4] = [
            (0.0, 3.0, |x| x.cos(), std::f64::consts::FRAC_PI_2),
            (0.0, 1.0, |x| 0.3 - x, 0.3),
            (0.0, 1.0, |x| (x - 0.7).powi(3), 0.7),
            (-1.0, 1.0, |x| x.exp() - 1.5, 1.5_f64.ln()),
        ];
        for (a, b, g, expected) in cases {
            for tolerance in [1e-3, 1e-9, 1e-15] {
                let (found, calls) = zero(a, b, tolerance, g);
                // A triple root is only as sharp as the cube root of round-off allows.
                assert!(
                    (found - expected).abs() <= 2.0 * tolerance.max(1e-15),
                    "{found}"
                );
                let bisections = ((b - a) / (2.0 * tolerance)).log2().ceil();
                // One more than bisection, and one for rounding.
                assert!(f64::from(calls) <= bisections + 2.0, "{calls} evaluations");
            }
        }
    }

    #[test]
    fn poles_and_jumps_are_no_zeros() {
        type Case = (f64, f64, fn(f64) -> f64);
        let cases: [Case; 6] = [
            (0.0, 1.0, |x| if x < 0.123 { -1e-8 } else { 1e9 }),
            (0.0, 1.0, |x| if x < 0.123 { 0.14 } else { -6.14 }),
            (1.0, 2.0, f64::tan),
            (-1.0, 1.0, |x| 1.0 / x),
            (-1.0, 2.0, |x| 1.0 / x),
            (-0.3, 1.0, |x| x.signum() * x.abs().powf(-0.2)),
        ];
        for (a, b, g) in cases {
            let (found, _) = zero(a, b, 1e-15, g);
            assert!(found.is_nan(), "{found} between {a} and {b}");
        }
    }

    #[test]
    fn smooth_zeros_take_few_evaluations() {
        let (_, calls) = zero(0.0, 3.0, 1e-15, f64::cos);
        assert!(calls < 15, "{calls}");
    }
}
