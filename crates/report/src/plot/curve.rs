//! A path in the plane in bounded memory: a polyline that follows it within a tolerance.

use super::range::Range;
use super::simplify::{Simplifier, simplify};
use super::{GAP, Point, is_gap};

/// Points that are kept.
const ROOM: usize = 1 << 15;
/// The finest tolerance, as a share of the path's extent: far below a pixel.
const FINEST: f64 = 1e-4;
/// The coarsest tolerance: about a pixel. Beyond that points are thinned instead.
const COARSEST: f64 = 2e-3;

/// A path, at most some ten thousand points however many come in.
#[derive(Clone, Debug)]
pub struct Curve {
    kept: Vec<Point>,
    /// None while everything is kept.
    simplifier: Option<Simplifier>,
    tolerance: f64,
    /// One of how many points is looked at.
    stride: u64,
    count: u64,
    x: Range,
    y: Range,
    ends: Option<(Point, Point)>,
}

impl Default for Curve {
    fn default() -> Self {
        Curve {
            kept: Vec::new(),
            simplifier: None,
            tolerance: 0.5 * FINEST,
            stride: 1,
            count: 0,
            x: Range::EMPTY,
            y: Range::EMPTY,
            ends: None,
        }
    }
}

impl Curve {
    /// No points yet.
    pub fn new() -> Curve {
        Curve::default()
    }

    /// Takes a point; one that is not finite breaks the path.
    pub fn push(&mut self, x: f64, y: f64) {
        let point = [x, y];
        if is_gap(point) {
            return self.take(GAP);
        }
        self.x = self.x.with(x);
        self.y = self.y.with(y);
        let first = self.ends.map_or(point, |(first, _)| first);
        self.ends = Some((first, point));
        if self.count.is_multiple_of(self.stride) {
            self.take(point);
        }
        self.count += 1;
    }

    fn take(&mut self, point: Point) {
        let kept = &mut self.kept;
        match &mut self.simplifier {
            Some(simplifier) => simplifier.push(point, &mut |p| kept.push(p)),
            None => kept.push(point),
        }
        if self.kept.len() >= ROOM {
            self.coarsen();
        }
    }

    /// Doubles the tolerance, or halves the points, until a quarter of the room is free.
    fn coarsen(&mut self) {
        self.kept = self.points();
        while self.kept.len() > ROOM - ROOM / 4 {
            if self.tolerance < COARSEST {
                self.tolerance *= 2.0;
                self.kept = simplify(self.kept.iter().copied(), self.tolerances());
            } else {
                self.stride = self.stride.saturating_mul(2);
                self.kept = self.kept.iter().copied().step_by(2).collect();
            }
        }
        self.simplifier = Some(Simplifier::new(self.tolerances()));
    }

    fn tolerances(&self) -> Point {
        [self.x, self.y].map(|range| self.tolerance * range.drawable().length())
    }

    /// The points to connect, with gaps.
    pub(crate) fn points(&self) -> Vec<Point> {
        let mut points = self.kept.clone();
        if let Some(simplifier) = &self.simplifier {
            simplifier.clone().end(&mut |p| points.push(p));
        }
        points
    }

    pub(crate) fn x_range(&self) -> Range {
        self.x
    }

    pub(crate) fn y_range(&self) -> Range {
        self.y
    }

    /// Where the path begins and ends.
    pub(crate) fn ends(&self) -> Option<(Point, Point)> {
        self.ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_turns_stay_smooth() {
        let mut curve = Curve::new();
        for k in 0..1_000_000_u32 {
            let s = f64::from(k) * 1e-3;
            curve.push(s.cos() * s, s.sin() * s);
        }
        let points = curve.points();
        assert!(points.len() <= ROOM + 1);
        // No point is farther from the spiral than about a pixel: the radius is the angle.
        for w in points.windows(2).filter(|w| w[0][0].hypot(w[0][1]) > 50.0) {
            let middle = 0.5 * (w[0][0] + w[1][0]).hypot(w[0][1] + w[1][1]);
            let ends = 0.5 * (w[0][0].hypot(w[0][1]) + w[1][0].hypot(w[1][1]));
            assert!((middle - ends).abs() < 8.0, "{w:?}");
        }
        assert_eq!(curve.ends().map(|e| e.0), Some([0.0, 0.0]));
    }

    #[test]
    fn noise_stays_in_the_room() {
        let mut curve = Curve::new();
        let mut state = 1_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 11) as f64
        };
        for _ in 0..500_000 {
            curve.push(random(), random());
        }
        assert!(curve.points().len() <= ROOM + 1);
        assert!(curve.points().len() > ROOM / 8);
    }
}
