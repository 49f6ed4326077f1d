//! The range of the values of an axis.

/// The smallest and the largest value; empty while `low > high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    pub low: f64,
    pub high: f64,
}

impl Range {
    pub const EMPTY: Range = Range {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
    };

    pub fn new(low: f64, high: f64) -> Range {
        Range { low, high }
    }

    pub fn is_empty(self) -> bool {
        self.low > self.high
    }

    pub fn length(self) -> f64 {
        (self.high - self.low).max(0.0)
    }

    pub fn middle(self) -> f64 {
        self.low + 0.5 * (self.high - self.low)
    }

    #[must_use]
    pub fn with(self, value: f64) -> Range {
        Range::new(self.low.min(value), self.high.max(value))
    }

    #[must_use]
    pub fn join(self, other: Range) -> Range {
        Range::new(self.low.min(other.low), self.high.max(other.high))
    }

    /// The range that contains `values`.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Range {
        let finite = values.into_iter().filter(|v| v.is_finite());
        finite.fold(Range::EMPTY, Range::with)
    }

    /// A range that can be drawn: not empty, not a point, not round-off seen through a microscope,
    /// and not so wide that its length overflows.
    #[must_use]
    pub fn drawable(self) -> Range {
        const HUGE: f64 = 1e300;
        // Below this, steps between marks would be too small to compute with.
        const TINY: f64 = 1e-290;
        if self.is_empty() {
            return Range::new(0.0, 1.0);
        }
        let wide = Range::new(self.low.max(-HUGE), self.high.min(HUGE));
        let size = wide.low.abs().max(wide.high.abs());
        if wide.length() > (1e-9 * size).max(TINY) {
            return wide;
        }
        let half = if size <= TINY { 1.0 } else { 0.1 * size };
        Range::new(wide.middle() - half, wide.middle() + half)
    }

    /// The range with this share of its length added at both ends.
    #[must_use]
    pub fn padded(self, share: f64) -> Range {
        let more = share * self.length();
        Range::new(self.low - more, self.high + more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_range_can_be_drawn() {
        for range in [
            Range::EMPTY,
            Range::new(0.0, 0.0),
            Range::new(5.0, 5.0),
            Range::new(1.0, 1.0 + 1e-15),
            Range::new(-f64::MAX, f64::MAX),
            Range::new(f64::MAX, f64::MAX),
            Range::new(0.0, 5e-324),
        ] {
            let drawn = range.drawable();
            assert!(
                drawn.length() > 0.0 && drawn.length().is_finite(),
                "{range:?}"
            );
        }
    }
}
