//! Motions that no longer get anywhere: steps that have shrunk so much that the end is out of reach.

/// Trials between two looks at the clock.
const WINDOW: u64 = 1 << 12;
/// Looks in a row at which the end must be out of reach.
const PATIENCE: u32 = 4;
/// The end is out of reach where it needs this many times the steps that are allowed.
const HOPELESS: f64 = 10.0;
/// A motion that has become faster by this factor is let go on: it may have left the narrow place behind.
const RECOVERY: f64 = 1.1;

/// How fast a motion comes forward, measured over many trials: near a singularity that the method cannot step
/// over, errors may hold the steps just above what time can resolve for as long as steps are allowed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    most_steps: f64,
    trials: u64,
    /// Where the window began.
    t: f64,
    /// How far the window before came.
    before: f64,
    hopeless: u32,
}

impl Pace {
    /// At the start of a motion that may take this many steps.
    pub fn new(t: f64, most_steps: u64) -> Self {
        Pace {
            most_steps: most_steps as f64,
            trials: 0,
            t,
            before: f64::INFINITY,
            hopeless: 0,
        }
    }

    /// Counts a trial from time t with this much time to go. Where the end is out of reach, the mean step.
    #[inline]
    pub fn trial(&mut self, t: f64, rest: f64) -> Option<f64> {
        self.trials += 1;
        if self.trials.is_multiple_of(WINDOW) {
            self.look(t, rest)
        } else {
            None
        }
    }

    fn look(&mut self, t: f64, rest: f64) -> Option<f64> {
        let come = (t - self.t).abs();
        let step = come / WINDOW as f64;
        let is_out_of_reach = rest.abs() > HOPELESS * self.most_steps * step;
        if is_out_of_reach && come <= RECOVERY * self.before {
            self.hopeless += 1;
        } else {
            self.hopeless = 0;
        }
        (self.t, self.before) = (t, come);
        (self.hopeless >= PATIENCE).then_some(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Follows a motion with these steps from 0 to 1; the trials until it is given up.
    fn given_up(most_steps: u64, step: impl Fn(u64, f64) -> f64) -> Option<u64> {
        let mut pace = Pace::new(0.0, most_steps);
        let mut t = 0.0;
        for trial in 1..=200_000 {
            t += step(trial, t);
            if t >= 1.0 {
                return None;
            }
            if pace.trial(t, 1.0 - t).is_some() {
                return Some(trial);
            }
        }
        None
    }

    #[test]
    fn steps_that_shrink_towards_a_wall_are_given_up() {
        // Steps like the square of the distance never come to the wall.
        let shrinking = |_, t: f64| 1e-2 * (0.5 - t) * (0.5 - t);
        assert!(given_up(1_000_000, shrinking).is_some());
    }

    #[test]
    fn narrow_places_are_passed() {
        let narrow = |trial: u64, _| {
            if (5_000..15_000).contains(&trial) {
                1e-13
            } else {
                1e-5
            }
        };
        assert_eq!(given_up(1_000_000, narrow), None);
        // Tiny steps that grow are no sign either.
        let growing = |trial: u64, _| 1e-12 * 1.0002f64.powf(trial as f64);
        assert_eq!(given_up(1_000_000, growing), None);
    }

    #[test]
    fn small_steps_that_suffice_are_taken() {
        assert_eq!(given_up(200_000, |_, _| 1e-5), None);
        assert_eq!(given_up(u64::MAX, |_, _| 1e-15), None);
    }
}
