//! Polylines with fewer points that stay within a tolerance of the original.

use super::{GAP, Point, is_gap};

/// Drops points that lie within a tolerance of the line through those that stay.
///
/// From the last point kept, the directions in which a straight line passes all later points within
/// the tolerance form a cone. A point outside of it, or one that turns back, ends the segment.
#[derive(Clone, Debug)]
pub(crate) struct Simplifier {
    /// Along x and along y.
    tolerance: Point,
    anchor: Option<Point>,
    /// The latest point, not yet passed on.
    pending: Option<Point>,
    cone: Cone,
}

/// Directions around `axis`, from `low` to `high`, and the farthest that a point got; lengths in units
/// of the tolerance.
#[derive(Clone, Copy, Debug)]
struct Cone {
    axis: f64,
    low: f64,
    high: f64,
    reach: f64,
}

impl Cone {
    const OPEN: Cone = Cone {
        axis: 0.0,
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        reach: 0.0,
    };
}

impl Simplifier {
    pub fn new(tolerance: Point) -> Simplifier {
        Simplifier {
            tolerance,
            anchor: None,
            pending: None,
            cone: Cone::OPEN,
        }
    }

    /// Takes the next point and passes on those that stay.
    pub fn push(&mut self, point: Point, keep: &mut impl FnMut(Point)) {
        if is_gap(point) {
            if self.anchor.is_some() {
                self.end(keep);
                keep(GAP);
            }
            return;
        }
        let Some(anchor) = self.anchor else {
            self.anchor = Some(point);
            keep(point);
            return;
        };
        match self.narrowed(anchor, point) {
            Some(cone) => self.cone = cone,
            None => {
                let corner = self.pending.unwrap_or(anchor);
                keep(corner);
                self.anchor = Some(corner);
                self.cone = Cone::OPEN;
                self.cone = self.narrowed(corner, point).unwrap_or(Cone::OPEN);
            }
        }
        self.pending = Some(point);
    }

    /// Passes on the last point.
    pub fn end(&mut self, keep: &mut impl FnMut(Point)) {
        if let Some(last) = self.pending.take() {
            keep(last);
        }
        self.anchor = None;
        self.cone = Cone::OPEN;
    }

    /// The cone that also passes `point`, if there is one.
    fn narrowed(&self, anchor: Point, point: Point) -> Option<Cone> {
        let dx = (point[0] - anchor[0]) / self.tolerance[0];
        let dy = (point[1] - anchor[1]) / self.tolerance[1];
        let distance = dx.hypot(dy);
        if distance <= 1.0 {
            return (self.cone.reach <= 2.0).then_some(self.cone);
        }
        if distance < self.cone.reach - 1.0 {
            return None;
        }
        let angle = dy.atan2(dx);
        let half = (1.0 / distance).asin();
        let mut cone = self.cone;
        if cone.low == f64::NEG_INFINITY {
            cone.axis = angle;
            cone.low = -half;
            cone.high = half;
        } else {
            let turned = signed_angle(angle - cone.axis);
            if turned < cone.low || turned > cone.high {
                return None;
            }
            cone.low = cone.low.max(turned - half);
            cone.high = cone.high.min(turned + half);
        }
        cone.reach = cone.reach.max(distance);
        Some(cone)
    }
}

/// The same angle between −π and π.
fn signed_angle(angle: f64) -> f64 {
    use std::f64::consts::TAU;
    angle - TAU * (angle / TAU).round()
}

/// A whole polyline, simplified.
pub(crate) fn simplify(points: impl IntoIterator<Item = Point>, tolerance: Point) -> Vec<Point> {
    let mut kept = Vec::new();
    let mut simplifier = Simplifier::new(tolerance);
    for point in points {
        simplifier.push(point, &mut |p| kept.push(p));
    }
    simplifier.end(&mut |p| kept.push(p));
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance_to_segment(p: Point, a: Point, b: Point) -> f64 {
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let length2 = dx * dx + dy * dy;
        let along = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length2.max(1e-300);
        let s = along.clamp(0.0, 1.0);
        (p[0] - a[0] - s * dx).hypot(p[1] - a[1] - s * dy)
    }

    fn worst_distance(original: &[Point], kept: &[Point]) -> f64 {
        let nearest = |p: &Point| {
            kept.windows(2)
                .map(|w| distance_to_segment(*p, w[0], w[1]))
                .fold(f64::INFINITY, f64::min)
        };
        original.iter().map(nearest).fold(0.0, f64::max)
    }

    #[test]
    fn a_circle_needs_few_points() {
        let circle: Vec<Point> = (0..=10_000)
            .map(|k| f64::from(k) * 6e-4)
            .map(|s| [s.cos(), s.sin()])
            .collect();
        let kept = simplify(circle.iter().copied(), [1e-3; 2]);
        assert!((20..200).contains(&kept.len()), "{} points", kept.len());
        assert!(worst_distance(&circle, &kept) < 2.5e-3);
        assert_eq!((kept.first(), kept.last()), (circle.first(), circle.last()));
    }

    #[test]
    fn turning_points_stay() {
        // To and fro on a line: only the turning points matter, and all of them do.
        let swing: Vec<Point> = (0..4000)
            .map(|k| (f64::from(k) * 0.01).sin())
            .map(|x| [x, x])
            .collect();
        let kept = simplify(swing.iter().copied(), [1e-3; 2]);
        assert!(kept.len() < 60, "{} points", kept.len());
        let range = crate::plot::range::Range::of(kept.iter().map(|p| p[0]));
        assert!(range.low < -0.999 && range.high > 0.999);
    }

    #[test]
    fn gaps_are_kept_once() {
        let kept = simplify(
            [GAP, [0.0, 0.0], [1.0, 0.0], GAP, GAP, [2.0, 0.0]],
            [0.1; 2],
        );
        assert_eq!(kept.len(), 4);
        assert!(kept[2][0].is_nan());
        assert_eq!(kept[3], [2.0, 0.0]);
    }
}
