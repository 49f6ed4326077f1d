//! When an iteration is down to round-off, and when it is lost.

/// Corrections below this part of the state may stagnate from round-off; larger ones diverge.
const ROUND_OFF_REGION: f64 = 1e-6;
/// Corrections below this change nothing: components far from what moves may never come to rest by themselves.
const NOTHING: f64 = 1e-20;
/// Corrections below this part of the state say nothing about the contraction.
const ROUND_OFF: f64 = 1e-12;
/// Corrections below this part of a component are noise where they hardly shrink: a component near zero is
/// worked out from larger ones.
const NOISE: f64 = 1e-9;
/// Corrections that shrink less than this do not shrink.
const HARDLY: f64 = 0.9;
/// Components are weighed against their own size, but not below this part of the largest one.
pub(crate) const SMALLEST_PART: f64 = 1e-6;
/// Substitution costs more than Newton's iteration when it contracts slower than this.
pub(crate) const WORTHWHILE_CONTRACTION: f64 = 0.2;
/// No iteration here needs more corrections than this.
pub(crate) const MAX_ITERATIONS: usize = 60;

/// What the corrections so far say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// They shrink.
    Onward,
    /// They are zero, or round-off keeps them from shrinking.
    Converged,
    /// They do not shrink, or too slowly.
    Stalled,
}

/// The sizes of the corrections of an iteration, against the size of the state.
///
/// An iteration that stops at a tolerance leaves an error of one sign, which adds up over many
/// steps; one that stops where round-off takes over leaves noise (Hairer, McLachlan & Razakarivony).
#[derive(Clone, Debug)]
pub(crate) struct Convergence {
    /// Contractions slower than this stall.
    bearable: f64,
    older: f64,
    last: f64,
    /// The square of the slowest contraction above round-off.
    squared: f64,
}

impl Convergence {
    pub fn new(bearable: f64) -> Self {
        Convergence {
            bearable,
            older: f64::INFINITY,
            last: f64::INFINITY,
            squared: 0.0,
        }
    }

    /// The slowest contraction above round-off.
    pub fn contraction(&self) -> f64 {
        self.squared.sqrt()
    }

    /// Takes in the size of the next correction.
    pub fn judge(&mut self, size: f64) -> Verdict {
        if size <= NOTHING {
            return Verdict::Converged;
        }
        // Components may feed each other in turn, so that progress shows over two corrections: size = older · ratio².
        if size >= self.older && size <= ROUND_OFF_REGION {
            return Verdict::Converged;
        }
        let bearable = self.bearable * self.bearable * self.older.max(self.last);
        if size.is_nan() || (size >= bearable && size > ROUND_OFF) {
            return Verdict::Stalled;
        }
        if size >= HARDLY * HARDLY * self.older && size <= NOISE {
            return Verdict::Converged;
        }
        if size > ROUND_OFF {
            self.squared = self.squared.max(size / self.older);
        }
        (self.older, self.last) = (self.last, size);
        Verdict::Onward
    }
}

/// |correction|/scale, where a component that is zero and stays so counts 0.
pub(crate) fn relative_size(correction: f64, scale: f64) -> f64 {
    if correction == 0.0 {
        0.0
    } else {
        // Over a zero scale: the first value of a component. Large, but not infinite.
        let size = correction.abs() / scale;
        if size == f64::INFINITY {
            f64::MAX
        } else {
            size
        }
    }
}

/// The larger of two sizes; NaN wins.
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(bearable: f64, sizes: &[f64]) -> Verdict {
        let mut convergence = Convergence::new(bearable);
        sizes.iter().map(|&s| convergence.judge(s)).last().unwrap()
    }

    #[test]
    fn tells_round_off_from_divergence() {
        assert_eq!(verdicts(1.0, &[1e-3, 1e-9, 1e-16, 2e-17]), Verdict::Onward);
        assert_eq!(verdicts(1.0, &[1e-16, 1e-17, 1e-16]), Verdict::Converged);
        assert_eq!(verdicts(1.0, &[1e-2, 1e-9, 0.0]), Verdict::Converged);
        assert_eq!(verdicts(0.2, &[1e-2, 1e-12, 1e-22]), Verdict::Converged);
        // A component near zero that moves on by a rounding of the others each time.
        let creeping = [1e-3, 1e-11, 9.9e-12, 9.8e-12];
        assert_eq!(verdicts(1.0, &creeping), Verdict::Converged);
        assert_eq!(verdicts(0.2, &creeping), Verdict::Stalled);
        assert_eq!(verdicts(1.0, &[1e-2, 1e-3, 1e-1]), Verdict::Stalled);
        assert_eq!(verdicts(1.0, &[f64::NAN]), Verdict::Stalled);
    }

    #[test]
    fn bears_progress_in_pairs_but_not_slow_progress() {
        assert_eq!(verdicts(0.2, &[1.0, 1.0, 1e-3, 1e-3]), Verdict::Onward);
        let uneven = [6e-2, 9e-2, 4e-4, 3e-3, 3e-6, 4e-5, 4e-6];
        assert_eq!(verdicts(1.0, &uneven), Verdict::Onward);
        assert_eq!(verdicts(0.2, &[1.0, 0.5, 0.25]), Verdict::Stalled);
    }

    #[test]
    fn sizes_keep_zero_and_nan() {
        assert_eq!(relative_size(0.0, 0.0), 0.0);
        assert_eq!(relative_size(1.0, 0.0), f64::MAX);
        assert!(larger(larger(1.0, f64::NAN), 2.0).is_nan());
    }
}
