//! Between which numbers a motion stays over a part of a step.

/// Times and states over a part of a step, and their slopes by the part θ of the step, each between two numbers: first
/// the time, then the state.
///
/// The motion is smooth there, which its error control sees to: between samples it leaves the range of its samples by no
/// more than their second difference, which is eight times what a parabola through them does.
#[derive(Clone, Debug, Default)]
pub struct Tube {
    /// Samples at even distances, one after the other.
    samples: Vec<f64>,
    inside: Vec<(f64, f64)>,
    slopes: Vec<(f64, f64)>,
}

/// What is known of an event function in a tube: the least and the most of it, and of its slope.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    /// Of the function; none where it may have no value.
    pub value: Option<(f64, f64)>,
    /// Of its derivative by θ.
    pub slope: Option<(f64, f64)>,
}

impl Bounds {
    /// Do the signs at the ends tell all? The function does not vanish, or it has values throughout and goes one way:
    /// a slope of one sign does not tell of a jump.
    pub(super) fn settle(&self) -> bool {
        let excludes_zero = |(low, high): (f64, f64)| low > 0.0 || high < 0.0;
        let goes_one_way = || {
            self.slope
                .is_some_and(|(low, high)| low >= 0.0 || high <= 0.0)
        };
        (self.value).is_some_and(|value| excludes_zero(value) || goes_one_way())
    }
}

impl Tube {
    /// Time and state, between two numbers each.
    pub fn inside(&self) -> &[(f64, f64)] {
        &self.inside
    }

    /// Their slopes by the part of the step.
    pub fn slopes(&self) -> &[(f64, f64)] {
        &self.slopes
    }

    /// A state that is known to this part of itself: slopes are what it may be off.
    pub(super) fn around(&mut self, t: f64, x: &[f64], part: f64) {
        self.inside.clear();
        self.slopes.clear();
        self.inside.push((t, t));
        self.slopes.push((0.0, 0.0));
        for &x in x {
            self.inside.push((x, x));
            self.slopes.push((-part * x.abs(), part * x.abs()));
        }
    }

    /// Begins another tube.
    pub fn clear(&mut self) {
        self.samples.clear();
    }

    /// The next sample.
    pub fn push(&mut self, t: f64, x: &[f64]) {
        self.samples.push(t);
        self.samples.extend_from_slice(x);
    }

    /// Wider by so much, for each component of the state: samples were not the states themselves.
    pub fn widen(&mut self, by: impl Iterator<Item = f64>) {
        for ((low, high), by) in self.inside[1..].iter_mut().zip(by) {
            *low -= by;
            *high += by;
        }
    }

    /// All samples are there, `count` of them: they lie `distance` apart.
    pub fn close(&mut self, count: usize, distance: f64) {
        self.inside.clear();
        self.slopes.clear();
        let n = self.samples.len() / count;
        for i in 0..n {
            let x = |k: usize| self.samples[k * n + i];
            let step = |k: usize| x(k + 1) - x(k);
            let bend = (2..count).fold(0.0, |most, k| {
                f64::max(most, (step(k - 1) - step(k - 2)).abs())
            });
            let (low, high) = range((0..count).map(x));
            // Differences of neighbours know no more than the rounding of the samples.
            let rounding = 4.0 * f64::EPSILON * low.abs().max(high.abs());
            let (least, most) = range((1..count).map(|k| step(k - 1)));
            let margin = bend + rounding;
            self.inside.push((low - margin, high + margin));
            let slope = |step: f64| step / distance;
            self.slopes
                .push((slope(least - margin), slope(most + margin)));
        }
    }
}

/// The least and the most; not numbers where one is none, so that nothing is concluded.
fn range(all: impl Iterator<Item = f64>) -> (f64, f64) {
    all.fold(
        (f64::INFINITY, f64::NEG_INFINITY),
        |(low, high), x| match x.is_nan() || low.is_nan() {
            true => (f64::NAN, f64::NAN),
            false => (x.min(low), x.max(high)),
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLES: usize = 5;

    #[test]
    fn a_tube_holds_the_motion_and_its_slopes() {
        for k in 0..200 {
            let (from, width) = (0.37 * f64::from(k), 0.05 + 0.01 * f64::from(k % 70));
            let mut tube = Tube::default();
            for s in 0..SAMPLES {
                let theta = from + width * s as f64 / (SAMPLES - 1) as f64;
                tube.push(theta, &[theta.sin()]);
            }
            tube.close(SAMPLES, width / (SAMPLES - 1) as f64);
            for s in 0..=50 {
                let theta = from + width * f64::from(s) / 50.0;
                let holds = |(low, high): (f64, f64), x: f64| low <= x && x <= high;
                assert!(holds(tube.inside()[1], theta.sin()), "{from} {width}");
                assert!(holds(tube.slopes()[1], theta.cos()), "{from} {width}");
                assert!(holds(tube.slopes()[0], 1.0));
            }
        }
    }

    #[test]
    fn a_sample_that_is_no_number_leaves_nothing_known() {
        let mut tube = Tube::default();
        for x in [0.0, f64::NAN, 1.0] {
            tube.push(0.0, &[x]);
        }
        tube.close(3, 0.5);
        assert!(tube.inside()[1].0.is_nan() && tube.slopes()[1].1.is_nan());
    }
}
