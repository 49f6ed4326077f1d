//! Where a number vanishes or turns along a step.

use super::cubic::cubic;

/// Into how many parts a step is divided.
pub(super) const PROBES: usize = 8;
/// A place is found to this part of a step.
const CLOSE: f64 = 1e-15;
/// Sections that find it.
const SECTIONS: usize = 80;
/// (√5 − 1)/2
const GOLDEN: f64 = 0.618_033_988_749_894_8;

/// A number along a step: at both ends and at equal parts between them, and its change per step at the ends.
#[derive(Clone, Debug)]
pub(super) struct Course {
    values: Vec<f64>,
    slopes: [f64; 2],
}

impl Course {
    /// With these values, two at least.
    pub(super) fn of(values: Vec<f64>, slopes: [f64; 2]) -> Self {
        Self { values, slopes }
    }

    /// As the cubic has it between the ends.
    pub(super) fn between(ends: [f64; 2], slopes: [f64; 2]) -> Self {
        Self::along(&mut |s| cubic(ends, slopes, s), PROBES, slopes)
    }

    /// As a function of the part has it, at so many parts.
    pub(super) fn along(g: &mut impl FnMut(f64) -> f64, parts: usize, slopes: [f64; 2]) -> Self {
        let values = (0..=parts).map(|k| g(k as f64 / parts as f64));
        Self::of(values.collect(), slopes)
    }

    /// The least and the largest value.
    pub(super) fn range(&self) -> (f64, f64) {
        let values = || self.values.iter().copied();
        let least = values().fold(f64::INFINITY, f64::min);
        (least, values().fold(f64::NEG_INFINITY, f64::max))
    }

    /// Does it seem to vanish or to turn inside?
    pub(super) fn has_places(&self) -> bool {
        let (least, largest) = self.range();
        let [begin, end] = self.slopes;
        let rises = self.values.windows(2).any(|g| g[1] > g[0]) || begin > 0.0 || end > 0.0;
        let falls = self.values.windows(2).any(|g| g[1] < g[0]) || begin < 0.0 || end < 0.0;
        let turns = rises && falls || begin * end == 0.0;
        let is_finite = self.values.iter().all(|g| g.is_finite());
        is_finite && (turns || least * largest <= 0.0)
    }

    /// The parts of the step at which the function that has this course vanishes or turns, in order.
    pub(super) fn places(&self, g: &mut impl FnMut(f64) -> f64) -> Vec<f64> {
        let (values, slopes) = (&self.values, self.slopes);
        let last = values.len() - 1;
        let at = |k: usize| k as f64 / last as f64;
        let mut found = Vec::new();
        for k in 1..=last {
            let (a, b) = (values[k - 1], values[k]);
            if a * b <= 0.0 && a != b {
                found.push(zero(g, at(k - 1), at(k)));
            }
        }
        for k in 0..=last {
            let around = [k.saturating_sub(1), (k + 1).min(last)];
            for sign in [1.0, -1.0] {
                let is_least = around.iter().all(|&i| sign * values[k] <= sign * values[i]);
                // What is least at an end goes on falling beyond it, unless its slope says that it turns before.
                let turns = match k {
                    0 => sign * slopes[0] <= 0.0,
                    _ if k == last => sign * slopes[1] >= 0.0,
                    _ => true,
                };
                if is_least && turns {
                    found.push(least(&mut |theta| sign * g(theta), around.map(at)));
                }
            }
        }
        found.sort_by(f64::total_cmp);
        found.dedup();
        found
    }
}

/// Where a function changes its sign.
fn zero(g: &mut impl FnMut(f64) -> f64, mut from: f64, mut to: f64) -> f64 {
    let begin = g(from);
    if begin == 0.0 {
        return from;
    }
    let is_negative = begin < 0.0;
    for _ in 0..SECTIONS {
        let middle = f64::midpoint(from, to);
        if (g(middle) < 0.0) == is_negative {
            from = middle;
        } else {
            to = middle;
        }
        if to - from < CLOSE {
            break;
        }
    }
    f64::midpoint(from, to)
}

/// Where a function is least, by golden sections.
fn least(g: &mut impl FnMut(f64) -> f64, [mut from, mut to]: [f64; 2]) -> f64 {
    let mut inner = [to - GOLDEN * (to - from), from + GOLDEN * (to - from)];
    let mut values = inner.map(&mut *g);
    for _ in 0..SECTIONS {
        if values[0] <= values[1] {
            to = inner[1];
            inner = [to - GOLDEN * (to - from), inner[0]];
            values = [g(inner[0]), values[0]];
        } else {
            from = inner[0];
            inner = [inner[1], from + GOLDEN * (to - from)];
            values = [values[1], g(inner[1])];
        }
        if to - from < CLOSE {
            break;
        }
    }
    f64::midpoint(from, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places of a function on [0, 1] with these slopes at the ends.
    fn places(g: impl Fn(f64) -> f64, slopes: [f64; 2]) -> Vec<f64> {
        let mut g = g;
        Course::along(&mut g, PROBES, slopes).places(&mut g)
    }

    #[test]
    fn zeros_and_turns_are_found() {
        for centre in [0.0, 1e-9, 0.25, 0.437_651_23, 0.9999, 1.0] {
            let near = |found: &[f64]| found.iter().any(|p| (p - centre).abs() < 1e-12);
            let line = places(|s| s - centre, [1.0; 2]);
            let is_it = |p: &f64| near(&[*p]);
            assert!(
                !line.is_empty() && line.iter().all(is_it),
                "{centre}: {line:?}"
            );
            let slopes = [2.0 * centre, 2.0 * (centre - 1.0)];
            let square = places(|s| -(s - centre).powi(2), slopes);
            assert!(near(&square), "{centre}: {square:?}");
        }
    }

    #[test]
    fn a_cubic_tells_whether_to_look() {
        let parabola = |c: f64| {
            Course::between([c * c, (1.0 - c).powi(2)], [-2.0 * c, 2.0 * (1.0 - c)]).has_places()
        };
        assert!(parabola(0.3) && !parabola(1.3));
        let line = |c: f64| Course::between([-c, 1.0 - c], [1.0, 1.0]).has_places();
        assert!(line(0.3) && !line(1.3));
    }
}
