//! Events: where a function of time and state crosses zero.

/// Which crossings count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Direction {
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
    /// Both.
    #[default]
    Any,
}

impl Direction {
    /// Whether a crossing that starts on this side counts.
    fn counts_from(self, side: Side) -> bool {
        match self {
            Direction::Rising => side == Side::Negative,
            Direction::Falling => side == Side::Positive,
            Direction::Any => true,
        }
    }
}

type EventFunction<'a> = Box<dyn FnMut(f64, &[f64]) -> f64 + 'a>;

/// A function g(t, x) whose zero crossings are located.
pub struct Event<'a> {
    function: EventFunction<'a>,
    direction: Direction,
    terminal: bool,
}

impl<'a> Event<'a> {
    /// An event at every zero crossing of g(t, x). Where g is not a number it has no sign, and no
    /// crossing is seen.
    pub fn new(function: impl FnMut(f64, &[f64]) -> f64 + 'a) -> Self {
        Event {
            function: Box::new(function),
            direction: Direction::Any,
            terminal: false,
        }
    }

    /// Counts crossings in this direction of time's progress only.
    pub fn direction(mut self, direction: Direction) -> Self {
        self.direction = direction;
        self
    }

    /// Ends the motion at the first crossing.
    pub fn terminal(mut self) -> Self {
        self.terminal = true;
        self
    }

    /// Whether the motion ends at a crossing.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// g(t, x).
    pub fn value(&mut self, t: f64, x: &[f64]) -> f64 {
        (self.function)(t, x)
    }
}

impl std::fmt::Debug for Event<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Event")
            .field("direction", &self.direction)
            .field("terminal", &self.terminal)
            .finish_non_exhaustive()
    }
}

/// The sign of an event function, where it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Negative,
    Neither,
    Positive,
}

fn side(value: f64) -> Side {
    if value > 0.0 {
        Side::Positive
    } else if value < 0.0 {
        Side::Negative
    } else {
        Side::Neither
    }
}

/// What is known of one event function along the motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    /// The last value.
    value: f64,
    /// The side of the last value that had one: a motion that starts on zero, or touches it and
    /// turns back, does not cross.
    side: Side,
}

impl Watch {
    /// Starts with this value.
    pub fn new(value: f64) -> Self {
        Watch {
            value,
            side: side(value),
        }
    }

    /// Moves on to the next value. Where a crossing lies between, the value before is returned.
    pub fn advance(&mut self, value: f64, direction: Direction) -> Option<f64> {
        let (before, was, now) = (self.value, self.side, side(value));
        self.value = value;
        if now == Side::Neither || now == was {
            return None;
        }
        self.side = now;
        (was != Side::Neither && direction.counts_from(was)).then_some(before)
    }
}

impl Event<'_> {
    /// Moves the watch on to (t, x); see [`Watch::advance`].
    pub(crate) fn observe(&mut self, watch: &mut Watch, t: f64, x: &[f64]) -> Option<(f64, f64)> {
        let value = self.value(t, x);
        watch
            .advance(value, self.direction)
            .map(|before| (before, value))
    }
}

/// The zero of g between a and b, where it has the values `ga` and `gb` of opposite signs (or `ga` is
/// 0), to within `tolerance`: the method of Oliveira & Takahashi (2020), which interpolates, truncates
/// and projects, and never needs more than one evaluation more than bisection. None at a pole, where the
/// sign changes without a zero: |g| then grows towards it from both sides.
pub(crate) fn locate<E>(
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
    Ok((!is_pole).then_some(0.5 * (a + b)))
}

/// The slope of an event function is taken over this part of an interval.
const NUDGE: f64 = 1.0 / 64.0;

/// A place between a and b at which g is on the other side of zero than at both: it crosses twice, and its signs at the
/// ends do not tell. It is looked for where g heads for zero at a and comes from it at b.
pub(crate) fn turn<E>(
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
        let cases: [Case; 5] = [
            (0.0, 3.0, |x| x.cos(), std::f64::consts::FRAC_PI_2),
            (0.0, 1.0, |x| 0.3 - x, 0.3),
            (0.0, 1.0, |x| (x - 0.7).powi(3), 0.7),
            (-1.0, 1.0, |x| x.exp() - 1.5, 1.5_f64.ln()),
            (0.0, 1.0, |x| if x < 0.123 { -1e-8 } else { 1e9 }, 0.123),
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
    fn poles_are_no_zeros() {
        type Case = (f64, f64, fn(f64) -> f64);
        let cases: [Case; 4] = [
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

    #[test]
    fn starting_on_zero_or_touching_it_is_no_crossing() {
        let mut watch = Watch::new(0.0);
        assert_eq!(watch.advance(1.0, Direction::Any), None);
        assert_eq!(watch.advance(0.0, Direction::Any), None);
        assert_eq!(watch.advance(2.0, Direction::Any), None);
        assert_eq!(watch.advance(f64::NAN, Direction::Any), None);
        assert_eq!(watch.advance(1.0, Direction::Any), None);
        assert_eq!(watch.advance(-1.0, Direction::Rising), None);
        assert_eq!(watch.advance(1.0, Direction::Rising), Some(-1.0));
        assert_eq!(watch.advance(0.0, Direction::Falling), None);
        assert_eq!(watch.advance(-1.0, Direction::Falling), Some(0.0));
    }
}
