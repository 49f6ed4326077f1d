//! Which of two methods takes less work on the first stretch of a motion, counted and not timed: the same motion is
//! followed in the same way on every machine and under any load.

use super::field::Field;
use rattleback_integrate::taylor::{StepPolicy, Taylor};
use rattleback_integrate::{Dop853, Drive, Output, Stepper, Tolerance};
use std::ops::ControlFlow;

/// So many steps of series and of DOP853 make the stretch.
const SERIES: u64 = 6;
const RUNGE_KUTTA: u64 = 16;
/// Steps in which DOP853 finds its pace.
const WARM_UP: u64 = 2;

/// The work of one step of each method, in the same units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    pub(super) series: f64,
    pub(super) runge_kutta: f64,
}

/// A motion from its start on.
pub(super) struct Stretch<'a> {
    pub(super) from: f64,
    pub(super) until: f64,
    pub(super) start: &'a [f64],
}

impl Stretch<'_> {
    /// The work of DOP853, with the tolerance that brings it to the same error, over that of the series; none where
    /// there is nothing to compare.
    pub(super) fn ratio(
        &self,
        field: &mut Field,
        policy: StepPolicy,
        tolerance: Tolerance,
        work: Work,
    ) -> Option<f64> {
        let mut taylor = Taylor::with_policy(self.start.len(), policy);
        let (way, series) = self.count(field, &mut taylor, SERIES)?;
        let mut dop853 = Dop853::new(self.start.len(), tolerance);
        let (other_way, steps) = self.count(field, &mut dop853, RUNGE_KUTTA + WARM_UP)?;
        let steps = steps.saturating_sub(WARM_UP).max(1) as f64;
        let per_time = [
            series as f64 * work.series / way,
            steps * work.runge_kutta / other_way,
        ];
        Some(per_time[1] / per_time[0])
    }

    /// How far at most so many trials of steps lead, and how many of them it took.
    fn count(
        &self,
        field: &mut Field,
        stepper: &mut dyn Stepper<Field>,
        most: u64,
    ) -> Option<(f64, u64)> {
        let mut x = self.start.to_vec();
        let mut blind = |_: f64, _: &[f64]| ControlFlow::Continue(());
        let drive = Drive::new(self.from, self.until);
        let drive = drive.output(Output::Ends).most_steps(most);
        let (summary, _) = drive.run_counted(field, stepper, &mut x, &mut [], &mut blind);
        let trials = summary.steps + summary.rejected;
        let way = (summary.t - self.from).abs();
        (way > 0.0).then_some((way, trials))
    }
}
