//! What the meshes tend to, and what speaks against a path that they agree on.

use super::super::path::Path;
use super::super::solve::{Found, Run};
use super::super::tolerance::{NOTHING, WARM_BARRIER};
use super::Limit;
use super::history::{AGREE, APART, History, Level, UNKNOWN};
use crate::stage::Ending;

/// What a path may differ by from what is between its samples: meshes that agree resolve it far better.
const UNSEEN: f64 = 1e-2;
/// Needles that are worth more than this part of the cost are told where meshes do not agree.
const GAINED: f64 = 0.1;
/// Those over less than this part of the time tell of switches that a mesh holds where they are.
const LASTING: f64 = 0.1;
/// A cost that falls to less than this part has not been at its least value.
const FELL: f64 = 0.1;
/// Controls that go on grow by this factor while the cost falls.
const FURTHER: f64 = 2.0;
/// How well a path keeps to its conditions while they do.
const KEPT: f64 = 1e-6;
/// Beside its mean, what the cost per time is at least at a pole that meshes have been cut at so often.
const PEAK: f64 = 10.0;

impl Run<'_> {
    /// What meshes tend to whose limit is reached.
    fn limit_of(&self, history: &History, found: &Found) -> Limit {
        if history.has_no_limit() {
            return self.peak(found).map_or(Limit::Unsettled, Limit::Growth);
        }
        let path = history.trend(|d| d.path);
        // Where meshes resolve what is steep, paths that keep apart differ in when they pass it.
        let keeps_apart = path.is_some_and(|(apart, falls)| apart > AGREE && !falls);
        let settles = !keeps_apart || !self.keeps_steep(history, found);
        let controls = history.trend(|d| d.controls);
        let changes = controls.is_some_and(|(apart, falls)| apart > APART && !falls);
        match history.knows_cost() && settles {
            true if !changes => Limit::Path,
            settled => match self.needles(found) {
                Some(needles) if needles.worth > GAINED => Limit::Needles,
                _ if settled => Limit::Path,
                _ => Limit::Unsettled,
            },
        }
    }

    /// The same, and what speaks against a path.
    pub(super) fn limit_at_last(&mut self, history: &History, found: &mut Found) -> Limit {
        match self.limit_of(history, found) {
            Limit::Path => self.limit_beyond(&history.last, found),
            Limit::Unsettled | Limit::Growth(_) if history.cost_grows() => {
                self.jump(&history.last, found)
            }
            limit => limit,
        }
    }

    /// The unit of the cost.
    pub(in crate::optimal) fn cost_size(&self) -> f64 {
        self.sizes.cost.unwrap_or(1.0)
    }

    /// What needles make of a path that meshes agree on: its cost is known no better than they are worth.
    fn limit_by_needles(&self, found: &mut Found) -> Option<Limit> {
        let needles = self.needles(found)?;
        let told = found.error?;
        if needles.worth <= told.max(self.request.tolerance) {
            return None;
        }
        found.error = Some(needles.worth);
        found.mesh_limit = true;
        (needles.lasting > LASTING).then_some(Limit::Needles)
    }

    /// What is between its samples makes of a path that meshes agree on: its cost is known no better than both agree.
    fn limit_between(&self, found: &mut Found) -> Option<Limit> {
        let between = self.between(found)?;
        let unit = self.cost_size();
        let size = Some(found.outcome.objective.abs()).filter(|c| *c > NOTHING * unit);
        let cost = between.costs.iter().map(|c| c.abs()).sum::<f64>() / size.unwrap_or(unit);
        if cost > UNSEEN {
            found.error = Some(found.error?.max(cost));
            found.mesh_limit = true;
        }
        (cost > UNKNOWN.0 || between.motion > UNSEEN).then_some(Limit::Unsettled)
    }

    /// The beginning of the interval over which the cost per time is greatest, if it stands out from the mean as a pole does:
    /// the integral of what does not grow has a value.
    fn peak(&self, found: &Found) -> Option<f64> {
        let (t, at) = (&found.transcription, &found.outcome.iterate.point);
        let nodes = self.transcriber.node_times(t, at);
        // The start is the first piece.
        let share = |k: usize| {
            t.problem
                .values_of(k + 1, at)
                .map_or(f64::INFINITY, |v| v[0].abs())
        };
        let rate = |k: usize| share(k) / (nodes[k + 1] - nodes[k]);
        let n = t.mesh.intervals();
        let mean = (0..n).map(share).sum::<f64>() / (nodes[n] - nodes[0]);
        let all = (0..n).map(|k| (nodes[k], rate(k)));
        let (time, most) = all.max_by(|a, b| a.1.total_cmp(&b.1))?;
        (most > PEAK * mean).then_some(time)
    }

    /// What speaks against a path that meshes agree on: needles, a pole of the cost, a cost that is next to nothing.
    pub(super) fn limit_beyond(&mut self, level: &Level, found: &mut Found) -> Limit {
        if let Some(limit) = (self.limit_between(found)).or_else(|| self.limit_by_needles(found)) {
            return limit;
        }
        match level.cost.abs() < UNKNOWN.1 * self.cost_size() && self.runs_on(level, found) {
            true => Limit::Away,
            false => self.limit_at_pole(level, found),
        }
    }

    /// A cost below what the solver's tolerances are worth is weighted until it counts: does the path stay?
    pub(super) fn runs_on(&mut self, level: &Level, found: &Found) -> bool {
        let (usual, more) = (self.weight, self.cost_size() / level.cost.abs());
        if !more.is_finite() {
            return false;
        }
        self.weight = more;
        let next = self.on(
            found.transcription.mesh.clone(),
            &level.path,
            Some(WARM_BARRIER),
        );
        self.weight = usual;
        let further = self.level(&next).path;
        let all = |path: &Path| -> Vec<f64> {
            let states = path.states.iter().flatten();
            states.chain(&path.free).copied().collect()
        };
        let (before, behind) = (all(&level.path), all(&further));
        let moved = |(a, b): (&f64, &f64)| (a - b).abs() > AGREE * (1.0 + a.abs().max(b.abs()));
        let steered = |path: &Path| -> f64 {
            let controls = path.controls.iter().flatten();
            controls.map(|u| u.abs()).sum()
        };
        let goes_on = before.iter().zip(&behind).any(moved)
            || steered(&further) > FURTHER * steered(&level.path);
        // What runs away comes to no end.
        let outcome = &next.outcome;
        let open = outcome.ending == Ending::IterationLimit && outcome.infeasibility.0 <= KEPT;
        (next.is_good() || open) && outcome.objective.abs() < FELL * level.cost.abs() && goes_on
    }

    /// Is H flat in controls that no bound holds, somewhere along the path?
    pub fn is_flat(&self, found: &Found) -> bool {
        let path = self
            .transcriber
            .trajectory(&found.transcription, &found.outcome.iterate);
        path.singular_arcs().is_some()
    }
}
