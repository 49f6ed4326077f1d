//! The times at which a motion is sampled.

use super::Output;

/// The sample times that are still to come.
#[derive(Debug)]
pub(super) struct Samples<'a> {
    output: Output<'a>,
    t0: f64,
    t1: f64,
    next: usize,
    /// The next time, if it is before t1.
    upcoming: Option<f64>,
}

/// Times closer than this part of the spacing are the same.
const SAME: f64 = 1e-9;

impl<'a> Samples<'a> {
    /// All times strictly between t0 and t1.
    pub fn new(output: Output<'a>, t0: f64, t1: f64) -> Self {
        let mut samples = Samples {
            output,
            t0,
            t1,
            next: 0,
            upcoming: None,
        };
        match output {
            Output::Spacing(_) => samples.next = 1,
            Output::Times(times) => {
                samples.next = times
                    .iter()
                    .take_while(|t| !samples.is_after(**t, t0))
                    .count();
            }
            Output::Ends | Output::Steps => {}
        }
        samples.upcoming = samples.peek();
        samples
    }

    /// Whether a comes after b in the direction of the motion.
    fn is_after(&self, a: f64, b: f64) -> bool {
        if self.t1 >= self.t0 { a > b } else { a < b }
    }

    /// The next time, if it is before t1.
    fn peek(&self) -> Option<f64> {
        let (time, slack) = match self.output {
            Output::Ends | Output::Steps => return None,
            // Not by adding up, which would let rounding errors grow.
            Output::Spacing(spacing) => {
                let spacing = spacing.copysign(self.t1 - self.t0);
                (self.t0 + self.next as f64 * spacing, SAME * spacing)
            }
            Output::Times(times) => (*times.get(self.next)?, 0.0),
        };
        self.is_after(self.t1, time + slack).then_some(time)
    }

    /// Takes the next time, if it is not after t.
    #[inline]
    pub fn take_until(&mut self, t: f64) -> Option<f64> {
        let time = self.upcoming.filter(|time| !self.is_after(*time, t))?;
        self.next += 1;
        self.upcoming = self.peek();
        Some(time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(output: Output<'_>, t0: f64, t1: f64) -> Vec<f64> {
        let mut samples = Samples::new(output, t0, t1);
        std::iter::from_fn(|| samples.take_until(t1)).collect()
    }

    #[test]
    fn both_directions_leave_out_the_ends() {
        assert_eq!(all(Output::Spacing(1.0), 0.0, 3.0), [1.0, 2.0]);
        assert_eq!(all(Output::Spacing(1.0), 0.0, -2.5), [-1.0, -2.0]);
        assert_eq!(all(Output::Spacing(0.1), 0.0, 10.0).len(), 99);
        assert_eq!(all(Output::Times(&[0.0, 1.0, 3.0, 4.0]), 0.0, 3.0), [1.0]);
        assert_eq!(all(Output::Times(&[2.0, 1.0]), 3.0, 0.0), [2.0, 1.0]);
        assert!(all(Output::Steps, 0.0, 1.0).is_empty());
    }
}
