//! Passing a singular position, or coming near one: a step holds if the motion from its end leads back to its start.

use super::field::Field;
use rattleback_integrate::taylor::{Expansion, StepPolicy};
use rattleback_integrate::{Dop853, Drive, Inside, Output, Tolerance};
use std::ops::ControlFlow;

/// How far off the way back may end, in tolerances.
const ALLOWED: f64 = 1e3;
/// Rounding that comes back from beyond a singular position, as a part of the state: a smaller tolerance cannot ask
/// for less.
const ROUNDING: f64 = 1e-10;
/// How far off it may end for a method without a tolerance, as a part of the step.
const PART: f64 = 1e-3;
/// The most steps of a way back.
const STEPS: u64 = 1000;

/// The check of steps over singular positions and near to them.
///
/// Where constraints lose their rank, configurations branch. A motion comes in on one branch, along which it is
/// analytic, and its series at the start of a step is that of this branch: the step over the crossing goes on
/// along it. Whether it does is seen from the far side: the series there leads back to the start only if both
/// ends are on one analytic motion.
pub(super) struct Passage {
    field: Field,
    /// Memory for series, where the motion is followed by them.
    expansion: Option<Expansion>,
    tolerance: Tolerance,
    is_adaptive: bool,
    from: Vec<f64>,
    to: Vec<f64>,
    back: Vec<f64>,
    /// When singular positions were passed.
    pub(super) times: Vec<f64>,
}

impl Passage {
    /// For a motion of this dimension, by its series where they are given, with a tolerance where the steps
    /// keep to it.
    pub(super) fn new(
        field: &Field,
        dimension: usize,
        series: Option<StepPolicy>,
        tolerance: Tolerance,
        is_adaptive: bool,
    ) -> Self {
        Self {
            field: field.clone(),
            expansion: series.map(|policy| Expansion::new(dimension, policy.order())),
            tolerance,
            is_adaptive,
            from: vec![0.0; dimension],
            to: vec![0.0; dimension],
            back: vec![0.0; dimension],
            times: Vec::new(),
        }
    }

    /// Puts other values in the place of the constants of its field.
    pub(super) fn set_constants(&mut self, constants: &[f64]) {
        self.field.set_constants(constants);
    }

    /// Is the motion followed by series, which alone can tell what lies beyond a singular position?
    pub(super) fn has_series(&self) -> bool {
        self.expansion.is_some()
    }

    /// Does a step hold that has a singular position at this part of it?
    pub(super) fn leaps(&mut self, step: &mut dyn Inside, theta: f64) -> bool {
        let holds = self.take(step) && self.series_lead_back(step);
        if holds {
            self.times.push(step.time(theta));
        }
        holds
    }

    /// Does a step hold that comes near a singular position, by its series, or else by small steps?
    pub(super) fn returns(&mut self, step: &mut dyn Inside, by_steps: bool) -> bool {
        self.take(step) && (self.series_lead_back(step) || by_steps && self.steps_lead_back(step))
    }

    /// Takes the ends of a step.
    fn take(&mut self, step: &mut dyn Inside) -> bool {
        step.state(0.0, &mut self.from).is_ok() && step.state(1.0, &mut self.to).is_ok()
    }

    fn series_lead_back(&mut self, step: &dyn Inside) -> bool {
        let (t, end) = (step.time(0.0), step.time(1.0));
        let Some(expansion) = &mut self.expansion else {
            return false;
        };
        if expansion.expand(&mut self.field, end, &self.to).is_err() {
            return false;
        }
        expansion.curtail(t - end);
        expansion.state(t - end, &mut self.back);
        self.is_back()
    }

    /// By Runge-Kutta steps of their own length, which cannot pass a singular position.
    fn steps_lead_back(&mut self, step: &dyn Inside) -> bool {
        let mut method = Dop853::new(self.to.len(), self.tolerance);
        self.back.copy_from_slice(&self.to);
        let drive = Drive::new(step.time(1.0), step.time(0.0))
            .output(Output::Ends)
            .most_steps(STEPS);
        let mut unseen = |_: f64, _: &[f64]| ControlFlow::Continue(());
        let run = drive.run(
            &mut self.field,
            &mut method,
            &mut self.back,
            &mut [],
            &mut unseen,
        );
        run.is_ok() && self.is_back()
    }

    /// Is the end of the way back the start?
    fn is_back(&self) -> bool {
        let largest = |x: f64, y: &f64| x.max(y.abs());
        let Tolerance { relative, absolute } = self.tolerance;
        let size = self.from.iter().fold(0.0, largest);
        let ways = self.from.iter().zip(&self.to).map(|(x, y)| x - y);
        let part = match self.is_adaptive {
            true => 0.0,
            false => PART * ways.fold(0.0, |m: f64, x| m.max(x.abs())),
        };
        // Each component by its own size: a quasi-velocity that grows without bound excuses no position.
        let floor = size.min(1.0);
        let ends = self.from.iter().zip(&self.to);
        let allowed = ends.map(|(x, y)| {
            let scale = x.abs().max(y.abs()).max(floor);
            ALLOWED * (absolute + relative * scale).max(ROUNDING * scale) + part
        });
        let pairs = self.back.iter().zip(&self.from);
        pairs
            .zip(allowed)
            .all(|((x, y), allowed)| (x - y).abs() <= allowed)
    }
}
