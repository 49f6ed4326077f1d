//! A path in the plane in bounded memory: a polyline that follows it within a tolerance, or the cells that it
//! passes through where it is too long for that.

use super::canvas::Canvas;
use super::range::Range;
use super::simplify::{Simplifier, simplify};
use super::{GAP, Point, is_gap};

/// Points that are kept.
const ROOM: usize = 1 << 15;
/// The finest tolerance, as a share of the path's extent: far below a pixel.
const FINEST: f64 = 1e-4;
/// The coarsest tolerance: together with those before it, less than half a pixel. Beyond that the path is drawn
/// in cells.
const COARSEST: f64 = 4e-4;

/// A path, at most some ten thousand points or a drawing of a fixed size, however many points come in.
#[derive(Clone, Debug)]
pub struct Curve {
    kept: Vec<Point>,
    /// None while everything is kept.
    simplifier: Option<Simplifier>,
    tolerance: f64,
    /// Which of x and y are angles.
    angle: [bool; 2],
    /// The drawings of a long path, one for each choice of angles to wrap; none while points are kept.
    canvases: Vec<Canvas>,
    ranges: [Range; 2],
    ends: Option<(Point, Point)>,
}

impl Default for Curve {
    fn default() -> Self {
        Curve {
            kept: Vec::new(),
            simplifier: None,
            tolerance: 0.5 * FINEST,
            angle: [false; 2],
            canvases: Vec::new(),
            ranges: [Range::EMPTY; 2],
            ends: None,
        }
    }
}

impl Curve {
    /// No points yet.
    pub fn new() -> Curve {
        Curve::default()
    }

    /// No points yet, and which of x and y are angles: these may be wrapped in the end.
    pub(crate) fn of_angles(angle: [bool; 2]) -> Curve {
        Curve {
            angle,
            ..Curve::default()
        }
    }

    /// Takes a point; one that is not finite breaks the path.
    pub fn push(&mut self, x: f64, y: f64) {
        let point = [x, y];
        if is_gap(point) {
            return self.take(GAP);
        }
        self.ranges = [0, 1].map(|axis: usize| self.ranges[axis].with(point[axis]));
        let first = self.ends.map_or(point, |(first, _)| first);
        self.ends = Some((first, point));
        self.take(point);
    }

    fn take(&mut self, point: Point) {
        if !self.canvases.is_empty() {
            return self.draw(point);
        }
        let kept = &mut self.kept;
        match &mut self.simplifier {
            Some(simplifier) => simplifier.push(point, &mut |p| kept.push(p)),
            None => kept.push(point),
        }
        if self.kept.len() >= ROOM {
            self.coarsen();
        }
    }

    fn draw(&mut self, point: Point) {
        for canvas in &mut self.canvases {
            canvas.push(point, self.ranges);
        }
    }

    /// Doubles the tolerance until a quarter of the room is free, or gives up the points for a drawing.
    fn coarsen(&mut self) {
        self.kept = self.points();
        while self.kept.len() > ROOM - ROOM / 4 {
            if self.tolerance >= COARSEST {
                return self.begin_drawing();
            }
            self.tolerance *= 2.0;
            self.kept = simplify(self.kept.iter().copied(), self.tolerances());
        }
        self.simplifier = Some(Simplifier::new(self.tolerances()));
    }

    /// Draws the points so far, and lets them go.
    fn begin_drawing(&mut self) {
        self.simplifier = None;
        let choices = [[false; 2], [true, false], [false, true], [true; 2]];
        let possible = |wrapped: &[bool; 2]| (0..2).all(|k| self.angle[k] || !wrapped[k]);
        let canvas = |wrapped: [bool; 2]| Canvas::new(self.ranges, wrapped);
        self.canvases = choices.into_iter().filter(possible).map(canvas).collect();
        for point in std::mem::take(&mut self.kept) {
            self.draw(point);
        }
    }

    fn tolerances(&self) -> Point {
        self.ranges
            .map(|range| self.tolerance * range.drawable().length())
    }

    /// The points to connect, with gaps; none of a path that is drawn in cells.
    pub(crate) fn points(&self) -> Vec<Point> {
        let mut points = self.kept.clone();
        if let Some(simplifier) = &self.simplifier {
            simplifier.clone().end(&mut |p| points.push(p));
        }
        points
    }

    /// The drawing of a long path with these angles wrapped.
    pub(crate) fn canvas(&self, wrapped: [bool; 2]) -> Option<&Canvas> {
        let of_angles = [0, 1].map(|axis: usize| wrapped[axis] && self.angle[axis]);
        let mut canvases = self.canvases.iter();
        canvases.find(|canvas| canvas.wrapped == of_angles)
    }

    pub(crate) fn ranges(&self) -> [Range; 2] {
        self.ranges
    }

    /// Where the path begins and ends.
    pub(crate) fn ends(&self) -> Option<(Point, Point)> {
        self.ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that is drawn: the points and, densely, the lines between them.
    fn drawn(curve: &Curve) -> Vec<Point> {
        let points = match curve.canvas([false; 2]) {
            Some(canvas) => canvas.lines(),
            None => curve.points(),
        };
        let between = |w: &[Point]| {
            let (a, b) = (w[0], w[1]);
            (0..=16).map(move |k| {
                let share = f64::from(k) / 16.0;
                [0, 1].map(|axis: usize| a[axis] + share * (b[axis] - a[axis]))
            })
        };
        let lines = points.windows(2).flat_map(between);
        lines.filter(|p| !is_gap(*p)).collect()
    }

    /// Less than a pixel of a panel of this extent.
    fn pixel(extent: f64) -> f64 {
        extent / 400.0
    }

    #[test]
    fn thousands_of_turns_stay_on_the_circle() {
        for turns in [10.0, 400.0, 1600.0, 20_000.0] {
            let mut curve = Curve::new();
            for k in 0..=400_000_u32 {
                let s = std::f64::consts::TAU * turns * f64::from(k) / 400_000.0;
                curve.push(s.cos(), s.sin());
            }
            // Rows are up to 18 degrees apart, so that the polygon itself lies that far inside.
            let sag = 1.0 - (std::f64::consts::PI * turns / 400_000.0).cos();
            let drawn = drawn(&curve);
            assert!(drawn.len() > 300);
            for [x, y] in drawn {
                let off = (x.hypot(y) - 1.0).abs();
                assert!(off < pixel(2.0) + sag, "{turns} turns: {x} {y}");
            }
            assert_eq!(curve.ends().map(|e| e.0), Some([1.0, 0.0]));
        }
    }

    #[test]
    fn a_decaying_spiral_is_followed() {
        let mut curve = Curve::new();
        let decay = |s: f64| (-s / 3000.0).exp();
        for k in 0..1_000_000_u32 {
            let s = f64::from(k) * 0.02;
            curve.push(decay(s) * s.cos(), decay(s) * s.sin());
        }
        assert!(curve.canvas([false; 2]).is_some());
        // The outer turns are two parts in a thousand apart, about a cell: what is drawn at an angle lies near
        // one of them. The innermost one ends at exp(−20/3).
        let innermost = (-20.0_f64 / 3.0).exp();
        let mut nearest = f64::INFINITY;
        for [x, y] in drawn(&curve) {
            let r = x.hypot(y);
            nearest = nearest.min(r);
            assert!(r < 1.0 + pixel(2.0));
        }
        assert!((nearest - innermost).abs() < pixel(2.0), "{nearest}");
    }

    #[test]
    fn a_widening_path_with_few_turns_keeps_its_gaps_between_turns() {
        let mut curve = Curve::new();
        for k in 0..1_000_000_u32 {
            let s = f64::from(k) * 6e-5;
            curve.push(s.cos() * s, s.sin() * s);
        }
        for [x, y] in drawn(&curve).into_iter().filter(|p| p[0].hypot(p[1]) > 1.0) {
            // The radius is the angle.
            let turn = (x.hypot(y) - y.atan2(x)) / std::f64::consts::TAU;
            let off = (turn - turn.round()).abs() * std::f64::consts::TAU;
            assert!(off < pixel(120.0), "{x} {y}");
        }
    }

    #[test]
    fn noise_fills_its_square() {
        let mut curve = Curve::new();
        let mut state = 1_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 11) as f64
        };
        for _ in 0..100_000 {
            curve.push(random(), random());
        }
        assert!(curve.points().is_empty());
        let lines = curve.canvas([false; 2]).map(Canvas::lines).unwrap();
        assert!(lines.len() < 3 * 2048 * 100, "{}", lines.len());
    }
}
