//! The cubic between the ends of a step that has its rates there.
//!
//! States inside a step of equal ones may be steps of their own, and these may happen to look at what is narrow; the
//! cubic knows nothing of it.

use rattleback_integrate::{Fault, Inside};

/// One end: time, state, rates.
#[derive(Clone, Debug)]
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
