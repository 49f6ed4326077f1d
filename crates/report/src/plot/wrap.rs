//! Angles wrapped to one turn, with lines broken where they jump.

use std::f64::consts::{PI, TAU};

use super::range::Range;
use super::{GAP, Point, is_gap};

/// More turns than this would fill a plot with steep lines: then the angle is shown as it is.
const MOST_TURNS: f64 = 16.0;

/// Is an angle of this range easier to read wrapped?
pub(crate) fn worth_wrapping(range: Range) -> bool {
    let outside = range.low < -PI - 1e-9 || range.high > PI + 1e-9;
    let long = range.length() > TAU;
    outside && long && range.length() < MOST_TURNS * TAU
}

/// Wraps coordinate `axis` of a polyline to [−π, π]. Each crossing becomes a gap, with the line led
/// up to both edges.
pub(crate) fn wrapped(points: &[Point], axis: usize) -> Vec<Point> {
    let mut result = Vec::with_capacity(points.len());
    let mut previous = GAP;
    for &point in points {
        if !is_gap(previous) && !is_gap(point) {
            cross(previous, point, axis, &mut result);
        }
        result.push(shifted(point, axis, turn(point[axis.min(1)])));
        previous = point;
    }
    result
}

/// One point with these coordinates wrapped.
pub(crate) fn one(point: Point, axes: [bool; 2]) -> Point {
    [0, 1].map(|axis: usize| match axes[axis] {
        true => point[axis] - turn(point[axis]) * TAU,
        false => point[axis],
    })
}

/// The turn that an angle is in.
fn turn(angle: f64) -> f64 {
    (angle / TAU).round()
}

fn shifted(mut point: Point, axis: usize, turns: f64) -> Point {
    if let Some(angle) = point.get_mut(axis) {
        *angle -= turns * TAU;
    }
    point
}

/// The edges between two points that lie in different turns.
fn cross(from: Point, to: Point, axis: usize, result: &mut Vec<Point>) {
    let (a, b) = (from[axis.min(1)], to[axis.min(1)]);
    let step = (b - a).signum();
    let mut at = turn(a);
    while at != turn(b) && (turn(b) - at).abs() <= 2.0 * MOST_TURNS {
        let edge = (at + 0.5 * step) * TAU;
        let share = ((edge - a) / (b - a)).clamp(0.0, 1.0);
        let crossing = [0, 1].map(|k: usize| from[k] + share * (to[k] - from[k]));
        result.push(shifted(crossing, axis, at));
        result.push(GAP);
        at += step;
        result.push(shifted(crossing, axis, at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_turn_is_a_sawtooth() {
        let points: Vec<Point> = (0..=100)
            .map(|k| [f64::from(k), f64::from(k) * 0.1])
            .collect();
        let wrapped = wrapped(&points, 1);
        assert!(
            wrapped
                .iter()
                .filter(|p| !is_gap(**p))
                .all(|p| p[1].abs() <= PI + 1e-9)
        );
        assert_eq!(wrapped.iter().filter(|p| is_gap(**p)).count(), 2);
        let gap = wrapped.iter().position(|p| is_gap(*p)).unwrap();
        assert!((wrapped[gap - 1][1] - PI).abs() < 1e-9);
        assert!((wrapped[gap + 1][1] + PI).abs() < 1e-9);
        assert!((wrapped[gap - 1][0] - 10.0 * PI).abs() < 1e-9);
    }

    #[test]
    fn backwards_and_several_turns_at_once() {
        let wrapped = wrapped(&[[0.0, 0.0], [1.0, -4.0 * TAU]], 1);
        assert_eq!(wrapped.iter().filter(|p| is_gap(**p)).count(), 4);
        assert!(wrapped[wrapped.len() - 1][1].abs() < 1e-9);
    }

    #[test]
    fn only_some_ranges_are_wrapped() {
        assert!(!worth_wrapping(Range::new(-1.0, 3.0)));
        assert!(!worth_wrapping(Range::new(2.0, 5.0)));
        assert!(worth_wrapping(Range::new(0.0, 30.0)));
        assert!(!worth_wrapping(Range::new(0.0, 3000.0)));
    }
}
