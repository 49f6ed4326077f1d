//! Finer and finer meshes: how well the cost is known, and whether there is a path that they tend to.
//!
//! A motion is continuous, so that what its state changes by over an interval falls with the width of the interval. A
//! discrete path that keeps a jump, however narrow the interval is made, is near no motion: the least cost is that of
//! pulses which no control attains, or no motion reaches the goal at all. Controls that never settle while the path does
//! chatter between values whose mean is dearer than each.

mod history;
mod jumps;
mod limit;
mod verdict;

pub(super) use history::{Level, has_no_limit, ranges};
pub use limit::Limit;

use super::mesh::Mesh;
use super::path::Path;
use super::scheme::Ends;
use super::sharpen;
use super::solve::{Found, Run};
use super::tolerance::WARM_BARRIER;
use crate::stage::Ending;
use history::{AGREE, History, is_known};
use std::ops::ControlFlow;

/// The most intervals that refinement makes.
pub(super) const MOST_INTERVALS: usize = 2560;
/// How often a mesh is doubled that has no solution.
const COARSE: usize = 2;
/// From so many intervals on a jump is looked into.
const LOOKED_INTO: usize = 160;
/// How often intervals are cut that break a bound between their samples.
const PIERCED: usize = 4;
/// How often the intervals of a jump are cut, and into how many parts.
pub(super) const CUTS: (usize, usize) = (6, 8);

/// Refinement ends after so much work, and cuts places for so much of it.
const WORK: (usize, usize) = (80_000_000, 50_000_000);
/// From so many intervals on a path shows where it is not smooth.
const SHOWN: usize = 40;
/// From so many intervals on one of many paths at the same cost is taken as it is.
const ANY: usize = 80;
/// Up to so many intervals jumps that are not yet few enough to be cut are left to finer meshes.
const SETTLED: usize = 320;

impl Run<'_> {
    /// Solves on finer and finer meshes, from a solution on the first one, until the cost is known as well as asked for.
    pub fn refined(&mut self, first: Found, path: &Path) -> Found {
        let mut found = first;
        let order = match self.request.ends {
            Ends::Node if self.transcriber.shape.staggered > 0 => Some(1),
            _ => self.transcriber.scheme.order(),
        };
        let Some(order) = order else {
            found.error = Some(0.0);
            return found;
        };
        if self.request.nodes.is_some() || !self.transcriber.posed.plant.has_cost {
            return found;
        }
        // A coarse mesh may be infeasible where a finer one is not.
        for _ in 0..COARSE {
            if found.is_good() || found.outcome.ending == Ending::Interrupted {
                break;
            }
            let finer = self.on(doubled(&found.transcription.mesh), path, None);
            let same = finer.resists_like(&found);
            found = finer;
            if same {
                break;
            }
        }
        match found.is_good() {
            true => self.refine(found, order),
            false => found,
        }
    }

    fn refine(&mut self, first: Found, order: u32) -> Found {
        let mut history = History::of(order, self.cost_size(), self.level(&first));
        let mut found = first;
        let begun = self.work;
        let mut pierced = 0;
        while self.goes_on(&mut history, &mut found, begun, &mut pierced) {}
        found.limit = match found.limit {
            Limit::Path if !self.knows_cost(&found) => Limit::Unsettled,
            Limit::Path if self.pierced(&found).is_some() => Limit::Unsettled,
            Limit::Needles if self.runs_on(&history.last, &found) => Limit::Away,
            limit => limit,
        };
        found
    }

    /// Solves on the next mesh, which halves the intervals or cuts some; not where what the meshes tend to is told.
    fn goes_on(
        &mut self,
        history: &mut History,
        found: &mut Found,
        begun: usize,
        pierced: &mut usize,
    ) -> bool {
        let mesh = doubled(&found.transcription.mesh);
        let finer = self.on(mesh, &history.last.path, Some(WARM_BARRIER));
        if !finer.is_good() {
            self.end_unconfirmed(history, found);
            return false;
        }
        self.note(history, found, finer);
        let n = found.transcription.mesh.intervals();
        let known = history.error() <= self.request.tolerance;
        let apart = history.keeps_apart() && !(known && self.is_one_of_many(found));
        if n >= LOOKED_INTO && apart && self.keeps_steep(history, found) {
            match self.follow_jumps(history, found) {
                Some(ControlFlow::Continue(())) => return true,
                Some(ControlFlow::Break(())) => return false,
                None => {}
            }
        }
        let known = known && self.is_settled(history, found);
        let rough = self.is_rough(history, found);
        if known && !history.jumps && !rough {
            if *pierced < PIERCED && self.close_gaps(history, found) {
                *pierced += 1;
                return true;
            }
            found.limit = self.limit_beyond(&history.last, found);
            return false;
        }
        if 2 * n > MOST_INTERVALS || self.work > begun + WORK.0 || self.watch.stop() {
            found.mesh_limit = !known;
            found.limit = self.limit_at_last(history, found);
            return false;
        }
        // What an even mesh leaves open no other one settles.
        let cut = rough || history.is_slow();
        if cut
            && !self.leaves_free(found)
            && let Some(sharp) = self.sharpened(&history.last, found, begun + WORK.1)
        {
            history.restart(sharp.level, &sharp.costs);
            *found = sharp.found;
        } else if known && n >= SETTLED {
            found.limit = self.limit_beyond(&history.last, found);
            return false;
        }
        true
    }

    /// Takes a solution on a finer mesh, with how well it knows its cost.
    fn note(&self, history: &mut History, found: &mut Found, finer: Found) {
        history.push(self, self.level(&finer));
        *found = finer;
        history.held = found.outcome.held;
        history.jumps = history.sharp.is_none() && self.has_jumps(history, found);
        found.error = Some(history.error_with(found.outcome.slack));
        found.change = history.differences.last().map(|d| d.path);
    }

    /// What is told where a finer mesh has no solution: one mesh alone tells nothing of its error, and an order that a
    /// finer mesh does not confirm is not trusted.
    fn end_unconfirmed(&mut self, history: &History, found: &mut Found) {
        found.mesh_limit = true;
        let error = history.error_with(found.outcome.slack);
        let is_told = error.is_finite();
        found.error = is_told.then_some(error.max(history.last_changes()));
        found.limit = self.limit_at_last(history, found);
    }

    /// Looks into the jumps of a path. Meshes go on from one that is fine there, or it is told what they tend to; nothing where
    /// finer meshes are to tell.
    fn follow_jumps(
        &mut self,
        history: &mut History,
        found: &mut Found,
    ) -> Option<ControlFlow<()>> {
        let (limit, cut, costs) = self.look_into(&history.last, found);
        history.endless |= has_no_limit(&costs, history.size());
        found.limit = match limit? {
            // A layer.
            Limit::Path => {
                let has_room =
                    |cut: &Found| 2 * cut.transcription.mesh.intervals() <= MOST_INTERVALS;
                *found = cut.filter(has_room)?;
                history.restart(self.level(found), &[]);
                return Some(ControlFlow::Continue(()));
            }
            Limit::Unsettled if history.cost_grows() => self.jump(&history.last, found),
            limit => limit,
        };
        Some(ControlFlow::Break(()))
    }

    /// Goes on from a mesh that is fine where the path breaks bounds between its samples; not where there is none.
    fn close_gaps(&mut self, history: &mut History, found: &mut Found) -> bool {
        let Some(parts) = self.pierced(found) else {
            return false;
        };
        let mesh = found.transcription.mesh.refined(&parts);
        let cut = self.on(mesh, &history.last.path, None);
        let is_good = cut.is_good();
        if is_good {
            history.restart(self.level(&cut), &[]);
            *found = cut;
        }
        is_good
    }

    /// Into how many parts each interval is cut where some break a bound between their samples.
    fn pierced(&self, found: &Found) -> Option<Vec<usize>> {
        let posed = &self.transcriber.posed;
        if posed.simple.is_empty() && posed.paths.is_empty() {
            return None;
        }
        let pierced = self.between(found)?.pierced;
        let cut = |p: &bool| if *p { CUTS.1 } else { 1 };
        (pierced.contains(&true)).then(|| pierced.iter().map(cut).collect())
    }

    /// Is the cost known, with all that speaks against it?
    fn knows_cost(&self, found: &Found) -> bool {
        let cost = found.outcome.objective;
        found
            .error
            .is_none_or(|e| is_known(e, cost, self.cost_size()))
    }

    /// Is the path not smooth at places that have not been cut?
    fn is_rough(&self, history: &History, found: &Found) -> bool {
        let left = match history.sharp {
            None => found.transcription.mesh.intervals() >= SHOWN,
            Some(gained) => gained > self.request.tolerance * history.size(),
        };
        // What no bound holds may be a pulse, which grows with each cut: its meshes agree first.
        let held = history.held || history.jumps && self.is_settled(history, found);
        left && held && self.is_cut(&history.last, found)
    }

    /// Do controls jump inside of intervals: do they change by as much over half of the time?
    fn has_jumps(&self, history: &History, found: &Found) -> bool {
        let at = &found.outcome.iterate.point;
        let nodes = self.transcriber.node_times(&found.transcription, at);
        let before = history.before.as_ref();
        before.is_some_and(|before| !sharpen::jumps(before, &history.last.path, &nodes).is_empty())
    }

    pub(super) fn level(&self, found: &Found) -> Level {
        let at = &found.outcome.iterate.point;
        Level {
            cost: found.outcome.objective,
            path: self.transcriber.path(&found.transcription, at),
        }
    }

    /// Do the last meshes agree on path and controls? Controls that H does not determine may differ.
    fn is_settled(&self, history: &History, found: &Found) -> bool {
        let last = history.differences.last();
        history.agrees()
            || last.is_some_and(|d| d.path <= AGREE) && self.is_flat(found)
            || self.is_one_of_many(found)
    }

    /// Is the path one of many at the same cost, as far as a fine mesh tells: does nothing determine some direction?
    fn is_one_of_many(&self, found: &Found) -> bool {
        let n = found.transcription.mesh.intervals();
        n >= ANY && found.outcome.inertia.is_none()
    }
}

pub(super) fn doubled(mesh: &Mesh) -> Mesh {
    mesh.refined(&vec![2; mesh.intervals()])
}
