//! Passing a singular position: a step over it holds if the series at its end leads back to its start.

use super::field::Field;
use rattleback_integrate::taylor::{Expansion, StepPolicy};
use rattleback_integrate::{Inside, Tolerance};

/// How far off the way back may end, in tolerances.
const ALLOWED: f64 = 1e3;

/// The check of steps over singular positions, for motions that are followed by their series.
///
/// Where constraints lose their rank, configurations branch. A motion comes in on one branch, along which it is
/// analytic, and its series at the start of a step is that of this branch: the step over the crossing goes on
/// along it. Whether it does is seen from the far side: the series there leads back to the start only if both
/// ends are on one analytic motion.
pub(super) struct Passage {
    field: Field,
    expansion: Expansion,
    tolerance: Tolerance,
    from: Vec<f64>,
    to: Vec<f64>,
    back: Vec<f64>,
    /// When singular positions were passed.
    pub(super) times: Vec<f64>,
}

impl Passage {
    pub(super) fn new(field: &Field, dimension: usize, policy: StepPolicy) -> Self {
        Self {
            field: field.clone(),
            expansion: Expansion::new(dimension, policy.order()),
            tolerance: policy.tolerance(),
            from: vec![0.0; dimension],
            to: vec![0.0; dimension],
            back: vec![0.0; dimension],
            times: Vec::new(),
        }
    }

    /// Does the step hold, with a singular position at this part of it?
    pub(super) fn holds(&mut self, step: &mut dyn Inside, theta: f64) -> bool {
        let (t, end) = (step.time(0.0), step.time(1.0));
        let found = step.state(0.0, &mut self.from).is_ok()
            && step.state(1.0, &mut self.to).is_ok()
            && self
                .expansion
                .expand(&mut self.field, end, &self.to)
                .is_ok();
        if !found {
            return false;
        }
        self.expansion.state(t - end, &mut self.back);
        let Tolerance { relative, absolute } = self.tolerance;
        let size = self.from.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let allowed = ALLOWED * (absolute + relative * size);
        let mut pairs = self.back.iter().zip(&self.from);
        let holds = pairs.all(|(x, y)| (x - y).abs() <= allowed);
        if holds {
            self.times.push(step.time(theta));
        }
        holds
    }
}
