//! Sums over many steps that do not lose the digits each addition rounds away.

/// A state with the digits that its last addition lost.
///
/// After N additions the error is that of one rounding instead of √N or N of them.
#[derive(Clone, Debug)]
pub struct Compensated {
    sum: Vec<f64>,
    lost: Vec<f64>,
}

impl Compensated {
    /// Zero, with nothing lost.
    pub fn new(dimension: usize) -> Self {
        Compensated {
            sum: vec![0.0; dimension],
            lost: vec![0.0; dimension],
        }
    }

    /// Goes on from x. What was lost is kept for the components that are still what they were.
    pub fn resume(&mut self, x: &[f64]) {
        for ((sum, lost), &x) in self.sum.iter_mut().zip(&mut self.lost).zip(x) {
            if *sum != x {
                (*sum, *lost) = (x, 0.0);
            }
        }
    }

    /// Adds to component k (Kahan's sum, in the form that holds when the increment is larger too).
    pub fn add(&mut self, k: usize, increment: f64) {
        let (old, increment) = (self.sum[k], increment + self.lost[k]);
        let new = old + increment;
        let arrived = new - old;
        self.lost[k] = (old - (new - arrived)) + (increment - arrived);
        self.sum[k] = new;
    }

    /// The state.
    pub fn state(&self) -> &[f64] {
        &self.sum
    }

    /// Starts anew from x, with nothing lost.
    pub fn restart(&mut self, x: &[f64]) {
        self.sum.copy_from_slice(x);
        self.lost.fill(0.0);
    }

    /// Writes the state.
    pub fn write(&self, x: &mut [f64]) {
        x.copy_from_slice(&self.sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_digits_of_many_small_increments() {
        let (mut sum, mut plain, mut state) = (Compensated::new(1), 1.0, [1.0]);
        for _ in 0..1_000_000 {
            sum.resume(&state);
            sum.add(0, 1e-7);
            sum.write(&mut state);
            plain += 1e-7;
        }
        assert!((state[0] - 1.1).abs() < 1e-15);
        assert!((plain - 1.1_f64).abs() > 1e-13);
    }

    #[test]
    fn forgets_what_was_lost_when_the_state_changes() {
        let mut sum = Compensated::new(1);
        sum.resume(&[1.0]);
        sum.add(0, 1e-17);
        sum.resume(&[2.0]);
        sum.add(0, 0.0);
        assert_eq!((sum.sum[0], sum.lost[0]), (2.0, 0.0));
    }
}
