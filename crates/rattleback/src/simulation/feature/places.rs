//! Where a number vanishes or turns along a step.

use super::cubic::cubic;

/// Probes of a step between its ends.
const PROBES: usize = 8;
/// A place is found to this part of a step.
const CLOSE: f64 = 1e-15;
/// Sections that find it.
const SECTIONS: usize = 80;
/// (√5 − 1)/2
const GOLDEN: f64 = 0.618_033_988_749_894_8;

/// A number at both ends of a step, and its change per step there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    pub(super) values: [f64; 2],
    pub(super) slopes: [f64; 2],
}

impl Ends {
    /// The range of the number, if it seems to vanish or turn inside: by the cubic that has its values and slopes.
    pub(super) fn range(&self) -> Option<(f64, f64)> {
        let probe = |k: usize| cubic(self.values, self.slopes, k as f64 / PROBES as f64);
        let probes: [f64; PROBES + 1] = std::array::from_fn(probe);
        if !probes.iter().all(|g| g.is_finite()) {
            return None;
        }
        let least = probes.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = probes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let rises = probes.windows(2).any(|g| g[1] > g[0]);
        let falls = probes.windows(2).any(|g| g[1] < g[0]);
        let turns = rises && falls || self.slopes[0] * self.slopes[1] <= 0.0;
        (turns || least * largest <= 0.0).then_some((least, largest))
    }
}

/// Parts of a step at which a function of them, with these slopes at the ends, vanishes or turns, in order.
pub(super) fn places(g: &mut impl FnMut(f64) -> f64, slopes: [f64; 2]) -> Vec<f64> {
    let at = |k: usize| k as f64 / PROBES as f64;
    let values: Vec<f64> = (0..=PROBES).map(|k| g(at(k))).collect();
    let mut found = Vec::new();
    for k in 1..=PROBES {
        let (a, b) = (values[k - 1], values[k]);
        if a * b <= 0.0 && a != b {
            found.push(zero(g, at(k - 1), at(k)));
        }
    }
    for k in 0..=PROBES {
        let around = [k.saturating_sub(1), (k + 1).min(PROBES)];
        for sign in [1.0, -1.0] {
            let is_least = around.iter().all(|&i| sign * values[k] <= sign * values[i]);
            // What is least at an end goes on falling beyond it, unless its slope says that it turns before.
            let turns = match k {
                0 => sign * slopes[0] <= 0.0,
                PROBES => sign * slopes[1] >= 0.0,
                _ => true,
            };
            if is_least && turns {
                let ends = around.map(at);
                found.push(least(&mut |theta| sign * g(theta), ends));
            }
        }
    }
    found.sort_by(f64::total_cmp);
    found.dedup();
    found
}

/// Where a function changes its sign.
fn zero(g: &mut impl FnMut(f64) -> f64, mut from: f64, mut to: f64) -> f64 {
    let is_negative = g(from) < 0.0;
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

    #[test]
    fn zeros_and_turns_are_found() {
        for centre in [0.0, 1e-9, 0.25, 0.437_651_23, 0.9999, 1.0] {
            let near = |found: &[f64]| found.iter().any(|p| (p - centre).abs() < 1e-12);
            let line = places(&mut |s| s - centre, [1.0; 2]);
            assert!(line.len() == 1 && near(&line), "{centre}: {line:?}");
            let square = places(
                &mut |s| -(s - centre).powi(2),
                [2.0 * centre, 2.0 * (centre - 1.0)],
            );
            assert!(near(&square), "{centre}: {square:?}");
        }
    }

    #[test]
    fn a_cubic_tells_whether_to_look() {
        let parabola = |c: f64| Ends {
            values: [c * c, (1.0 - c).powi(2)],
            slopes: [-2.0 * c, 2.0 * (1.0 - c)],
        };
        assert!(parabola(0.3).range().is_some());
        assert!(parabola(1.3).range().is_none());
        let line = |c: f64| Ends {
            values: [-c, 1.0 - c],
            slopes: [1.0, 1.0],
        };
        assert!(line(0.3).range().is_some());
        assert!(line(1.3).range().is_none());
    }
}
