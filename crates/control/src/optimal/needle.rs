//! Needles: what a path would gain, to first order, from values that its controls take nearby.
//!
//! Along a minimum H is greatest at the control (Pontryagin). Where another value would make it greater, a needle of that
//! value lowers the cost by the gain in H times its width; where this is so all along the path for values that the controls
//! take a few samples off, they gain from changing over more often than they do, on every mesh: the least cost is that of
//! a mean of values that no control attains. Controls that H contains to first order alone gain nothing from that.

use super::hamiltonian::Hamiltonian;
use super::plant::Kind;
use super::solve::{Found, Run};

/// How many samples off values are taken.
const NEARBY: usize = 8;
/// The part of the cost that needles must be worth.
const WORTH: f64 = 0.1;
/// What is next to nothing.
const LEAST: f64 = 1e-6;

impl Run<'_> {
    /// Would the path gain much from changing over between its own values more often?
    pub(super) fn gains_from_needles(&self, found: &Found) -> bool {
        let posed = &self.transcriber.posed;
        let tied = !posed.plant.equalities.is_empty() || posed.paths.iter().any(|b| b.on_controls);
        if tied || posed.plant.kind != Kind::OptimalControl {
            return false;
        }
        let Some(h) = Hamiltonian::of(posed) else {
            return false;
        };
        let (t, at) = (&found.transcription, &found.outcome.iterate);
        let path = self.transcriber.trajectory(t, at);
        let free = self.transcriber.free_values(t, &at.point);
        let last = path.times.len() - 1;
        let gain = |k: usize| {
            let place = (
                path.times[k],
                &path.states[k][..],
                &free[..],
                &path.costates[k][..],
            );
            let here = h.at(place, &path.controls[k]);
            let nearby = &path.controls[k.saturating_sub(NEARBY)..=(k + NEARBY).min(last)];
            let gains = nearby.iter().map(|u| h.at(place, u) - here);
            gains.fold(0.0, f64::max)
        };
        let width =
            |k: usize| (path.times[(k + 1).min(last)] - path.times[k.saturating_sub(1)]) / 2.0;
        let all: f64 = (0..=last).map(|k| width(k) * gain(k)).sum();
        all > (WORTH * found.outcome.objective.abs()).max(LEAST)
    }
}
