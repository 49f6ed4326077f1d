//! Other motions to a point in one dimension: past a caustic there are several.

use super::action::Data;
use super::map::MomentumMap;

/// Where motions that end at a point begin, as far as a scan saw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scan {
    /// What they begin with, nearly.
    pub found: Vec<f64>,
    /// Where was looked.
    pub range: (f64, f64),
    /// Was every part of it looked at so closely that the ends depend on the start there as a cubic does?
    pub is_resolved: bool,
}

/// A scan doubles its distance so often,
const DOUBLED: u32 = 7;
/// with so many motions each time,
const SCANNED: u32 = 16;
/// and takes no more steps than this where it looks closer; fewer of continuous ones, which take longer.
const TAKEN: usize = 60_000;
const CONTINUOUS: usize = 6000;
/// A cubic that misses the middle by less than this part of its values is as good as the function.
const CUBIC: f64 = 0.02;
/// Halvings of what a sign changes in, before it is left to Newton's method.
const HALVINGS: u32 = 6;
/// Parts of the whole range below which nothing is looked at more closely.
const NARROW: f64 = 1e-7;

/// By how much a motion misses the point, and how that changes with its start; none where there is no motion.
type Miss = Option<(f64, f64)>;

struct Looking<'a> {
    miss: &'a dyn Fn(f64) -> Miss,
    /// How many motions may still be taken.
    left: usize,
    scan: Scan,
}

impl MomentumMap {
    /// Scans in both directions from an origin, over doubling distances, for motions whose end passes a point; none in
    /// more dimensions than one.
    pub fn scan(
        &self,
        steps: usize,
        data: &Data<'_>,
        at: &[f64],
        (origin, size): (f64, f64),
    ) -> Option<Scan> {
        let [at] = at else {
            return None;
        };
        let miss = |u: f64| {
            let (end, spread) = self.shot(steps, data, &[u]).ok()?;
            let (value, slope) = (end.q[0] - at, spread[(0, 0)]);
            (value.is_finite() && slope.is_finite()).then_some((value, slope))
        };
        let distance = |i: u32| {
            let (turn, part) = (i / SCANNED, f64::from(i % SCANNED) / f64::from(SCANNED));
            size * (f64::from(2u32.pow(turn)) * (1.0 + part) - 1.0)
        };
        let far = distance(DOUBLED * SCANNED);
        let mut looking = Looking {
            miss: &miss,
            left: match self.is_exact() {
                true => CONTINUOUS,
                false => TAKEN,
            } / steps.max(1),
            scan: Scan {
                found: Vec::new(),
                range: (origin - far, origin + far),
                is_resolved: true,
            },
        };
        for side in [1.0, -1.0] {
            let mut before = (origin, looking.at(origin));
            for i in 1..=DOUBLED * SCANNED {
                let u = origin + side * distance(i);
                let after = (u, looking.at(u));
                looking.between(before, after, NARROW * far);
                before = after;
            }
        }
        Some(looking.scan)
    }
}

impl Looking<'_> {
    fn at(&mut self, u: f64) -> Miss {
        self.left = self.left.saturating_sub(1);
        (self.miss)(u)
    }

    /// Looks between two starts, closer where a cubic through both ends does not tell what is in the middle.
    fn between(&mut self, a: (f64, Miss), b: (f64, Miss), narrow: f64) {
        if a.1.is_none() && b.1.is_none() {
            return;
        }
        let is_narrow = (b.0 - a.0).abs() <= narrow;
        if is_narrow || self.left == 0 {
            // Where motions end there is an edge, and nothing is missing but what is on it.
            let on_edge = is_narrow && (a.1.is_none() || b.1.is_none());
            self.scan.is_resolved &= on_edge;
            if let (Some(_), Some(_)) = (a.1, b.1) {
                self.crossing(a, b);
            }
            return;
        }
        let middle = f64::midpoint(a.0, b.0);
        let m = (middle, self.at(middle));
        if let (Some(x), Some(y), Some(z)) = (a.1, m.1, b.1)
            && is_cubic(b.0 - a.0, x, y, z)
        {
            self.crossing(a, m);
            self.crossing(m, b);
            return;
        }
        self.between(a, m, narrow);
        self.between(m, b, narrow);
    }

    /// The start between two of which one ends before the point and one behind it.
    fn crossing(&mut self, mut a: (f64, Miss), mut b: (f64, Miss)) {
        for _ in 0..HALVINGS {
            let (Some((fa, _)), Some((fb, _))) = (a.1, b.1) else {
                return;
            };
            if fa * fb > 0.0 || fa == fb {
                return;
            }
            let middle = f64::midpoint(a.0, b.0);
            let m = (middle, self.at(middle));
            match m.1 {
                Some((fm, _)) if fa * fm <= 0.0 => b = m,
                _ => a = m,
            }
        }
        if let (Some((fa, _)), Some((fb, _))) = (a.1, b.1) {
            self.scan.found.push(a.0 - fa * (b.0 - a.0) / (fb - fa));
        }
    }
}

/// Does the cubic of Hermite through both ends meet the middle, without a turn that comes next to zero?
fn is_cubic(width: f64, a: (f64, f64), m: (f64, f64), b: (f64, f64)) -> bool {
    let predicted = f64::midpoint(a.0, b.0) + width * (a.1 - b.1) / 8.0;
    let slope = 1.5 * (b.0 - a.0) / width - (a.1 + b.1) / 4.0;
    let size = a.0.abs().max(b.0.abs()).max(m.0.abs());
    let close = (m.0 - predicted).abs() <= CUBIC * size
        && (m.1 - slope).abs() * width.abs() <= 8.0 * CUBIC * size;
    // A turn between two starts of one sign may touch zero twice.
    let turns = |x: (f64, f64), y: (f64, f64)| {
        let reach = width.abs() / 4.0 * x.1.abs().max(y.1.abs());
        x.0 * y.0 > 0.0 && x.1 * y.1 < 0.0 && x.0.abs().min(y.0.abs()) <= reach
    };
    close && !turns(a, m) && !turns(m, b)
}
