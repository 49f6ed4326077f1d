//! The cubic between the ends of a step that has its rates there.
//!
//! States inside a step of equal ones may be steps of their own, and these may happen to look at what is narrow; the
//! cubic knows nothing of it.

use rattleback_integrate::{Fault, Inside};

/// One end: time, state, rates.
#[derive(Clone, Debug, Default)]
pub(super) struct Knot {
    pub(super) time: f64,
    pub(super) state: Vec<f64>,
    pub(super) rates: Vec<f64>,
}

/// The value at a part s of the way between two values, with these slopes per way.
pub(super) fn cubic([a, b]: [f64; 2], [da, db]: [f64; 2], s: f64) -> f64 {
    let r = 1.0 - s;
    r * r * ((1.0 + 2.0 * s) * a + s * da) + s * s * ((1.0 + 2.0 * r) * b - r * db)
}

/// Numbers between which the cubic stays.
pub(super) fn bounds([a, b]: [f64; 2], [da, db]: [f64; 2]) -> (f64, f64) {
    // The largest value of s (1 − s)².
    let bulge = (da.abs() + db.abs()) * 4.0 / 27.0;
    (a.min(b) - bulge, a.max(b) + bulge)
}

/// The cubic between two ends.
pub(super) struct Cubic<'a>(pub(super) [&'a Knot; 2]);

impl Inside for Cubic<'_> {
    fn time(&self, theta: f64) -> f64 {
        let [from, to] = self.0;
        from.time + theta * (to.time - from.time)
    }

    fn state(&mut self, theta: f64, x: &mut [f64]) -> Result<(), Fault> {
        let [from, to] = self.0;
        let h = to.time - from.time;
        for (i, x) in x.iter_mut().enumerate() {
            let values = [from.state[i], to.state[i]];
            let slopes = [h * from.rates[i], h * to.rates[i]];
            *x = cubic(values, slopes, theta);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cubic_has_its_ends_its_slopes_and_its_bounds() {
        let (ends, slopes) = ([2.0, 3.0], [-5.0, 4.0]);
        let at = |s: f64| cubic(ends, slopes, s);
        assert_eq!([at(0.0), at(1.0)], ends);
        let d = 1e-6;
        assert!(((at(d) - at(0.0)) / d - slopes[0]).abs() < 1e-4);
        assert!(((at(1.0) - at(1.0 - d)) / d - slopes[1]).abs() < 1e-4);
        let (least, largest) = bounds(ends, slopes);
        assert!((0..=100).all(|k| (least..=largest).contains(&at(f64::from(k) / 100.0))));
    }
}
