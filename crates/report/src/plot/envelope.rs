//! A function of time in bounded memory: extremes over stretches of samples.

use super::range::Range;
use super::{GAP, Point};

/// Stretches that are kept; two per pixel column of a wide figure.
const STRETCHES: usize = 2048;

/// Consecutive samples, by their first, lowest, highest and last one. A line through these four
/// covers the same pixels as the line through all of them, once a stretch is as narrow as a pixel.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    first: Point,
    low: Point,
    high: Point,
    last: Point,
    /// Is the line broken behind the last one?
    torn: bool,
}

impl Stretch {
    fn join(self, next: Stretch) -> Stretch {
        Stretch {
            first: self.first,
            low: if next.low[1] < self.low[1] {
                next.low
            } else {
                self.low
            },
            high: if next.high[1] > self.high[1] {
                next.high
            } else {
                self.high
            },
            last: next.last,
            torn: next.torn,
        }
    }
}

/// Samples of a function of time, at most a few thousand numbers however many come in.
///
/// Each stretch covers the same number of samples; when there is no room left, neighbours join.
#[derive(Clone, Debug)]
pub struct Envelope {
    stretches: Vec<Stretch>,
    /// Samples per stretch.
    width: u64,
    /// Samples in the last stretch.
    filled: u64,
    x: Range,
    y: Range,
}

impl Default for Envelope {
    fn default() -> Self {
        Envelope {
            stretches: Vec::new(),
            width: 1,
            filled: 1,
            x: Range::EMPTY,
            y: Range::EMPTY,
        }
    }
}

impl Envelope {
    /// No samples yet.
    pub fn new() -> Envelope {
        Envelope::default()
    }

    /// Takes a sample; one that is not finite breaks the line.
    pub fn push(&mut self, x: f64, y: f64) {
        let point = [x, y];
        if super::is_gap(point) {
            if let Some(last) = self.stretches.last_mut() {
                last.torn = true;
            }
            return;
        }
        self.x = self.x.with(x);
        self.y = self.y.with(y);
        let sample = Stretch {
            first: point,
            low: point,
            high: point,
            last: point,
            torn: false,
        };
        match self.stretches.last_mut() {
            Some(last) if self.filled < self.width && !last.torn => {
                *last = last.join(sample);
                self.filled += 1;
            }
            _ => {
                if self.stretches.len() >= 2 * STRETCHES {
                    self.halve();
                }
                self.stretches.push(sample);
                self.filled = 1;
            }
        }
    }

    /// Joins neighbours: within unbroken parts, and across breaks only where nothing else makes room.
    fn halve(&mut self) {
        self.join_neighbours(false);
        if self.stretches.len() > STRETCHES + STRETCHES / 2 {
            self.join_neighbours(true);
        }
        self.width = self.width.saturating_mul(2);
    }

    fn join_neighbours(&mut self, across: bool) {
        let mut kept = 0;
        let mut next = 0;
        while let Some(mut stretch) = self.stretches.get(next).copied() {
            next += 1;
            if let Some(neighbour) = self.stretches.get(next).filter(|_| across || !stretch.torn) {
                stretch = stretch.join(*neighbour);
                next += 1;
            }
            if let Some(place) = self.stretches.get_mut(kept) {
                *place = stretch;
            }
            kept += 1;
        }
        self.stretches.truncate(kept);
    }

    /// The points to connect, with gaps.
    pub(crate) fn points(&self) -> Vec<Point> {
        let mut points = Vec::with_capacity(4 * self.stretches.len());
        for stretch in &self.stretches {
            let mut middle = [stretch.low, stretch.high];
            middle.sort_by(|a, b| a[0].total_cmp(&b[0]));
            for point in [stretch.first, middle[0], middle[1], stretch.last] {
                if points.last() != Some(&point) {
                    points.push(point);
                }
            }
            if stretch.torn {
                points.push(GAP);
            }
        }
        points
    }

    /// The highest point of every stretch: what errors are judged by.
    pub(crate) fn peaks(&self) -> Vec<Point> {
        let mut points = Vec::with_capacity(self.stretches.len());
        for stretch in &self.stretches {
            points.push(stretch.high);
            if stretch.torn {
                points.push(GAP);
            }
        }
        points
    }

    pub(crate) fn x_range(&self) -> Range {
        self.x
    }

    pub(crate) fn y_range(&self) -> Range {
        self.y
    }

    /// The positive values that matter on a logarithmic axis: dips towards zero between larger
    /// values do not, nor do the lowest few.
    pub(crate) fn positive_range(&self) -> Range {
        const FEW: usize = 50;
        let peaks = self.stretches.iter().map(|stretch| stretch.high[1]);
        let mut peaks: Vec<f64> = peaks.filter(|y| *y > 0.0).collect();
        peaks.sort_by(f64::total_cmp);
        let lowest = peaks.get(peaks.len() / FEW).copied();
        Range::of(lowest.into_iter().chain(peaks.last().copied()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_and_extremes_survive() {
        let mut envelope = Envelope::new();
        for k in 0..1_000_000_u32 {
            let spike = if k == 654_321 { 7.0 } else { 0.0 };
            envelope.push(f64::from(k), f64::from(k).sin() + spike);
        }
        assert!(envelope.stretches.len() <= 2 * STRETCHES);
        let points = envelope.points();
        let top = points.iter().filter(|p| p[1] > 3.0).collect::<Vec<_>>();
        assert_eq!(top.len(), 1);
        assert_eq!(top[0][0], 654_321.0);
        assert!(points.windows(2).all(|w| w[0][0] <= w[1][0]));
        assert_eq!(points.last(), Some(&[999_999.0, 999_999.0_f64.sin()]));
    }

    #[test]
    fn few_samples_are_kept_as_they_are() {
        let mut envelope = Envelope::new();
        for (x, y) in [
            (0.0, 1.0),
            (1.0, f64::NAN),
            (2.0, 3.0),
            (3.0, f64::INFINITY),
        ] {
            envelope.push(x, y);
        }
        let points = envelope.points();
        assert_eq!(points.len(), 4);
        assert_eq!((points[0], points[2]), ([0.0, 1.0], [2.0, 3.0]));
        assert!(points[1][0].is_nan() && points[3][0].is_nan());
    }

    #[test]
    fn a_long_gap_stays_open() {
        let mut envelope = Envelope::new();
        for k in 0..100_000_u32 {
            let y = if (40_000..60_000).contains(&k) {
                f64::NAN
            } else {
                1.0
            };
            envelope.push(f64::from(k), y);
        }
        let points = envelope.points();
        let gap = points.iter().position(|p| p[0].is_nan()).unwrap();
        assert_eq!(points[gap - 1][0], 39_999.0);
        assert_eq!(points[gap + 1][0], 60_000.0);
    }

    #[test]
    fn gaps_everywhere_do_not_break_the_bound() {
        let mut envelope = Envelope::new();
        for k in 0..100_000_u32 {
            envelope.push(f64::from(k), if k % 2 == 0 { 1.0 } else { f64::NAN });
        }
        assert!(envelope.stretches.len() <= 2 * STRETCHES);
    }
}
