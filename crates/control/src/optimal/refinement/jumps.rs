//! Places where a path keeps a jump, however narrow the interval is made: is it near no motion, or a layer?

use super::super::path::Path;
use super::super::solve::{Found, Run};
use super::super::tolerance::{NOTHING, ROUNDED_TIME, WARM_BARRIER};
use super::history::{History, Level, UNKNOWN, ranges};
use super::{CUTS, Limit, MOST_INTERVALS};

/// A state that changes by less than this part of its range over each interval does not jump.
const JUMPED: f64 = 0.05;
/// A change that falls by less than this where intervals are halved is a jump, as far as the mesh tells.
const PERSISTS: f64 = 0.75;
/// A cost that grows by this factor from mesh to mesh, on so many, has no limit.
const GROWTH: f64 = 1.4;
/// Jumps over more than this part of the intervals are a path that is not resolved.
const PLACES: f64 = 0.1;
/// So many cuts tell what a jump is where the next one has no solution.
const ENOUGH: usize = 2;

/// What jumps are that have been looked into: what the path tends to, the path on the last mesh, the costs of all.
pub(super) type LookedInto = (Option<Limit>, Option<Found>, Vec<f64>);

impl Run<'_> {
    /// May the path jump: does the state change by about as much over an interval as over twice its width on the mesh before?
    /// Over one on which it is resolved it changes by half. Controls without bounds may do anything.
    pub(super) fn keeps_steep(&self, history: &History, found: &Found) -> bool {
        let at = &found.outcome.iterate.point;
        let nodes = self.transcriber.node_times(&found.transcription, at);
        let most = |path: &Path, nodes: &[f64]| largest(&jumps(path, nodes)).1;
        let ends = |path: &Path| path.times.first().copied().zip(path.times.last().copied());
        if !self.transcriber.posed.has_bounded_controls() {
            return true;
        }
        let before = history.before.as_ref();
        let Some((before, (a, b))) = before.and_then(|path| Some((path, ends(path)?))) else {
            return true;
        };
        // A free time differs from mesh to mesh: shares of it are compared.
        let (c, d) = (nodes[0], nodes[nodes.len() - 1]);
        let then = |t: &f64| a + (t - c) / (d - c) * (b - a);
        let coarse: Vec<f64> = nodes.iter().step_by(2).map(then).collect();
        most(&history.last.path, &nodes) > PERSISTS * most(before, &coarse)
    }

    /// Where the path jumps most.
    pub(super) fn jump(&self, level: &Level, found: &Found) -> Limit {
        let t = &found.transcription;
        let nodes = self.transcriber.node_times(t, &found.outcome.iterate.point);
        Limit::Jump(nodes[largest(&jumps(&level.path, &nodes)).0])
    }

    /// Cuts the intervals over which the path jumps again and again until it no longer does: what it tends to, if that tells
    /// it, the path on the last mesh, and the costs before and behind each cut.
    pub(super) fn look_into(&mut self, level: &Level, found: &Found) -> LookedInto {
        let times = |run: &Self, found: &Found| {
            let t = &found.transcription;
            run.transcriber.node_times(t, &found.outcome.iterate.point)
        };
        let mut at = times(self, found);
        let narrow = 1.5 * narrowest(&at) / CUTS.1 as f64;
        let mut path = level.path.clone();
        let mut here = jumps(&path, &at);
        let begun = largest(&here).1;
        let places = here.iter().filter(|j| 2.0 * **j > begun).count();
        if places as f64 > PLACES * here.len() as f64 {
            return (None, None, Vec::new());
        }
        let mut costs = vec![level.cost];
        let mut last: Option<Found> = None;
        for round in 0..CUTS.0 {
            let most = largest(&here).1;
            if most < JUMPED {
                break;
            }
            let cut = |j: &f64| if 2.0 * j > most { CUTS.1 } else { 1 };
            let parts: Vec<usize> = here.iter().map(cut).collect();
            let mesh = &last.as_ref().unwrap_or(found).transcription.mesh;
            if parts.iter().sum::<usize>() > MOST_INTERVALS {
                break;
            }
            let cut = self.on(mesh.refined(&parts), &path, Some(WARM_BARRIER));
            if !cut.is_good() && round < ENOUGH {
                return (Some(Limit::Unsettled), None, costs);
            }
            if !cut.is_good() {
                break;
            }
            path = self.level(&cut).path;
            costs.push(cut.outcome.objective);
            at = times(self, &cut);
            here = jumps(&path, &at);
            last = Some(cut);
        }
        let (place, left) = largest(&here);
        let remains = last.as_ref().filter(|_| 2.0 * left >= begun);
        let is_cut = at[place + 1] - at[place] <= narrow;
        let limit = match remains {
            None => Some(Limit::Path),
            // A mesh that steps over what a jump costs has made it up.
            Some(last) if is_cut && !self.is_made_up(last, place, &costs) => {
                Some(self.remaining(&costs, at[place]))
            }
            Some(_) => None,
        };
        (limit, last, costs)
    }

    /// Does an interval cost something else between its samples than at them, by more than the whole has cost?
    fn is_made_up(&self, found: &Found, k: usize, costs: &[f64]) -> bool {
        let most = costs.iter().fold(0.0, |m: f64, c| m.max(c.abs()));
        let size = most + UNKNOWN.0 * self.cost_size();
        let between = self.between(found);
        between.is_some_and(|b| b.costs[k].abs() > size)
    }

    /// What a path tends to whose jumps remain, from the costs before and behind each cut.
    fn remaining(&self, costs: &[f64], time: f64) -> Limit {
        let (first, last) = (costs[0], costs[costs.len() - 1]);
        match last > first + first.abs() + NOTHING * self.cost_size() {
            // Controls between bounds make no pulses: the meshes do not resolve what they do.
            false if self.transcriber.posed.has_bounded_controls() => Limit::Unsettled,
            false => Limit::Pulses(time),
            true if costs.windows(2).all(|w| w[1] > GROWTH * w[0]) => Limit::Jump(time),
            true => Limit::Unsettled,
        }
    }
}

/// The largest of some values, and where it is.
fn largest(values: &[f64]) -> (usize, f64) {
    let all = values.iter().copied().enumerate();
    all.fold(
        (0, 0.0),
        |most, now| if now.1 > most.1 { now } else { most },
    )
}

/// The width of the narrowest interval.
fn narrowest(nodes: &[f64]) -> f64 {
    let widths = nodes.windows(2).map(|w| w[1] - w[0]);
    widths.fold(f64::INFINITY, f64::min)
}

/// What the state changes by over each interval at most, beside its range.
fn jumps(path: &Path, nodes: &[f64]) -> Vec<f64> {
    let ranges = ranges(&path.states);
    let place = |t: f64| {
        let k = path
            .times
            .partition_point(|x| *x < t - ROUNDED_TIME * (1.0 + t.abs()));
        &path.states[k.min(path.states.len() - 1)]
    };
    nodes
        .windows(2)
        .map(|t| {
            let (a, b) = (place(t[0]), place(t[1]));
            let parts = a.iter().zip(b).zip(&ranges);
            parts.fold(0.0, |m: f64, ((a, b), r)| m.max((b - a).abs() / r))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_are_told_beside_the_range() {
        let path = Path {
            times: vec![0.0, 0.5, 1.0, 1.5, 2.0],
            states: [0.0, 0.1, 0.2, 3.9, 4.0].map(|x| vec![x, 0.0]).to_vec(),
            ..Path::default()
        };
        let found = jumps(&path, &[0.0, 1.0, 2.0]);
        assert!((found[0] - 0.05).abs() < 1e-12 && (found[1] - 0.95).abs() < 1e-12);
    }
}
