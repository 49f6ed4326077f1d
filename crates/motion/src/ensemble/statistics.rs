//! Mean, spread and range of numbers that stream by.

/// The statistics of one quantity. Numbers that are not finite are left out.
#[derive(Clone, Copy, Debug)]
pub struct Statistics {
    count: u64,
    mean: f64,
    squares: f64,
    /// The smallest.
    pub least: f64,
    /// The largest.
    pub greatest: f64,
}

impl Default for Statistics {
    fn default() -> Self {
        Self::new()
    }
}

impl Statistics {
    /// Of nothing yet.
    pub fn new() -> Self {
        Self {
            count: 0,
            mean: 0.0,
            squares: 0.0,
            least: f64::INFINITY,
            greatest: f64::NEG_INFINITY,
        }
    }

    /// Takes one more number (Welford's update).
    pub fn push(&mut self, x: f64) {
        if !x.is_finite() {
            return;
        }
        self.count += 1;
        let before = x - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (x - self.mean);
        self.least = self.least.min(x);
        self.greatest = self.greatest.max(x);
    }

    /// How many.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean; none of nothing.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// The standard deviation of the sample; none of fewer than two.
    pub fn deviation(&self) -> Option<f64> {
        (self.count > 1).then(|| (self.squares / (self.count - 1) as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_a_few_numbers() {
        let mut s = Statistics::new();
        assert_eq!((s.mean(), s.deviation()), (None, None));
        for x in [1.0, 2.0, f64::NAN, 4.0, 5.0] {
            s.push(x);
        }
        assert_eq!(
            (s.count(), s.mean(), s.least, s.greatest),
            (4, Some(3.0), 1.0, 5.0)
        );
        assert!((s.deviation().unwrap() - (10.0f64 / 3.0).sqrt()).abs() < 1e-15);
    }
}
