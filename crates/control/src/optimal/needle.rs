//! Needles: what a path would gain, to first order, from values that its controls take nearby.
//!
//! Along a minimum H is greatest at the control (Pontryagin). Where another value would make it greater, a needle of that
//! value lowers the cost by the gain in H times its width. Meshes hold switches between the maxima of H where they are, so
//! that their costs agree better than they are known: the error of a cost is no less than what needles are worth. Where they
//! last, the path is no minimum: its controls gain from changing over elsewhere or more often, and the least cost may be that
//! of a mean of values that no control attains. Controls that H contains to first order alone gain nothing from that.

use super::extract::Trajectory;
use super::hamiltonian::Hamiltonian;
use super::plant::Kind;
use super::solve::{Found, Run};
use super::tolerance::NOTHING;

/// How far off in time, beside the horizon, values are taken, and how many to each side.
const NEARBY: (f64, usize) = (0.05, 8);

/// What needles do for a path.
pub(super) struct Needles {
    /// What they are worth, beside the cost.
    pub worth: f64,
    /// The part of the time over which they are worth more than the cost is uncertain by, and other values than a mean: a
    /// mean of values that H contains to first order alone does as much as changing over between them.
    pub lasting: f64,
}

impl Run<'_> {
    /// What values that the controls take nearby would gain; nothing where other conditions tie the controls.
    pub(super) fn needles(&self, found: &Found) -> Option<Needles> {
        let posed = &self.transcriber.posed;
        let tied = !posed.plant.equalities.is_empty() || posed.paths.iter().any(|b| b.on_controls);
        if tied || posed.plant.kind != Kind::OptimalControl {
            return None;
        }
        let h = Hamiltonian::of(posed)?;
        let (t, at) = (&found.transcription, &found.outcome.iterate);
        let path = self.transcriber.trajectory(t, at);
        let free = self.transcriber.free_values(t, &at.point);
        let gain = |k: usize| {
            let (x, p) = (&path.states[k][..], &path.costates[k][..]);
            let place = (path.times[k], x, &free[..], p);
            let here = h.at(place, &path.controls[k]);
            let gains = nearby(&path, k).map(|j| h.at(place, &path.controls[j]) - here);
            gains.fold(0.0, f64::max)
        };
        let whole = path.times[path.times.len() - 1] - path.times[0];
        let unit = self.cost_size();
        let cost = Some(found.outcome.objective.abs()).filter(|c| *c > NOTHING * unit);
        let cost = cost.unwrap_or(unit);
        let told = found.error.unwrap_or(0.0).max(self.request.tolerance);
        let mut all = Needles {
            worth: 0.0,
            lasting: 0.0,
        };
        for k in 0..path.times.len() - 1 {
            let (share, gain) = ((path.times[k + 1] - path.times[k]) / whole, gain(k));
            let worth = gain * whole / cost;
            all.worth += share * worth;
            all.lasting += if worth > told && !h.is_affine() {
                share
            } else {
                0.0
            };
        }
        Some(all)
    }
}

/// The nodes about a node, within a part of the horizon.
pub(super) fn nearby(path: &Trajectory, k: usize) -> impl Iterator<Item = usize> {
    let last = path.times.len() - 1;
    let step = NEARBY.0 * (path.times[last] - path.times[0]) / NEARBY.1 as f64;
    let at = path.times[k];
    let sides = (1..=NEARBY.1).flat_map(move |j| [j as f64 * step, -(j as f64) * step]);
    sides.map(move |d| path.times.partition_point(|t| *t < at + d).min(last))
}
