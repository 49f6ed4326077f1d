//! Shells around a place in a step, each a quarter as thick as the next: what the rates say of every one of them
//! against what the step says.
//!
//! Whatever is narrow around the place fills some shell, however narrow it is.

/// The outermost shell ends at this part of the step; the others are inside.
const OUTERMOST: f64 = 0.5;
const RATIO: f64 = 0.25;
/// The innermost one is 1e-13 of the step.
const SHELLS: usize = 22;

/// A part of the step, and its distance from the place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shell {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) distance: f64,
}

impl Shell {
    pub(super) fn middle(&self) -> f64 {
        f64::midpoint(self.from, self.to)
    }

    /// Is it so wide that error estimates see what is in it?
    pub(super) fn is_outermost(&self) -> bool {
        self.distance == OUTERMOST
    }
}

/// The shells around a place, as far as they are in the step, in the order of time.
pub(super) fn shells(place: f64) -> Vec<Shell> {
    let distance = |k: usize| OUTERMOST * RATIO.powi(k as i32);
    let shell = |from: f64, to: f64, distance: f64| Shell {
        from: from.max(0.0),
        to: to.min(1.0),
        distance,
    };
    let before = (0..SHELLS).map(|k| {
        let (d, inner) = (distance(k), distance(k + 1));
        shell(place - d, place - inner, d)
    });
    let core = distance(SHELLS);
    let after = (0..SHELLS).rev().map(|k| {
        let (d, inner) = (distance(k), distance(k + 1));
        shell(place + inner, place + d, d)
    });
    before
        .chain([shell(place - core, place + core, core)])
        .chain(after)
        .filter(|s| s.to > s.from)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shells_fill_what_is_around_a_place() {
        for place in [0.0, 0.3, 0.5, 1.0] {
            let all = shells(place);
            let sum: f64 = all.iter().map(|s| s.to - s.from).sum();
            let whole = (place + 0.5).min(1.0) - (place - 0.5).max(0.0);
            assert!((sum - whole).abs() < 1e-12, "{place}: {sum}");
            assert!(all.windows(2).all(|s| (s[0].to - s[1].from).abs() < 1e-15));
        }
    }
}
