//! Finer and finer meshes: how well the cost is known, and whether there is a path that they tend to.
//!
//! A motion is continuous, so that what its state changes by over an interval falls with the width of the interval. A
//! discrete path that keeps a jump, however narrow the interval is made, is near no motion: the least cost is that of
//! pulses which no control attains, or no motion reaches the goal at all. Controls that never settle while the path does
//! chatter between values whose mean is dearer than each.

use super::mesh::Mesh;
use super::path::Path;
use super::scheme::Ends;
use super::sharpen;
use super::solve::{Found, Run, Status};
use crate::stage::Ending;
use std::fmt;
use std::ops::ControlFlow;

/// What the solutions on finer and finer meshes tend to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Limit {
    /// A path, as far as that was asked.
    #[default]
    Path,
    /// A path that jumps at this time, at no more cost: pulses do better and better.
    Pulses(f64),
    /// A path that jumps at this time, at a cost without limit.
    Jump(f64),
    /// The path of a mean between two values of the controls, at this cost: changing over more often does better and better.
    Mean(f64),
    /// A path that would gain from other values of its controls over a good part of it: it is no minimum.
    Needles,
    /// Nothing that is near: the lower the cost, the further path and free numbers go.
    Away,
    /// A cost that grows by as much from mesh to mesh, most of it at this time.
    Growth(f64),
    /// A path that meets a pole of the cost at this time: it is not told how well its cost is known.
    Pole(f64),
    /// Not told: meshes do not agree.
    Unsettled,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Path => write!(f, "solutions on finer meshes tend to a path"),
            Limit::Pulses(t) => write!(
                f,
                "the least cost is not attained: on finer and finer meshes pulses at t = {t:.6} do better and better"
            ),
            Limit::Jump(t) => write!(
                f,
                "on finer and finer meshes the path jumps at t = {t:.6}, where no motion goes"
            ),
            Limit::Mean(cost) => write!(
                f,
                "the least cost is not attained: {cost:.6}, that of a mean between two values of the controls, is approached by changing over between them more and more often"
            ),
            Limit::Needles => write!(
                f,
                "other values of the controls, which they take nearby, would raise the Hamiltonian over a good part of the path: it is no minimum, and there may be none that is attained"
            ),
            Limit::Away => write!(
                f,
                "the least cost is not attained: the lower it gets, the further path, controls or free numbers go"
            ),
            Limit::Growth(t) => write!(
                f,
                "on finer and finer meshes the cost changes by as much each time, most at t = {t:.6}: its integral has no value that they tend to"
            ),
            Limit::Pole(t) => write!(
                f,
                "the path meets a pole of the cost at t = {t:.6}: meshes do not tell how well its cost is known"
            ),
            Limit::Unsettled => write!(
                f,
                "solutions on finer meshes do not agree with each other, or a finer mesh has none"
            ),
        }
    }
}

impl Limit {
    /// What it makes of a problem whose conditions hold on each mesh.
    pub fn status(self) -> Status {
        match self {
            Limit::Path => Status::Solved,
            Limit::Pulses(_) | Limit::Mean(_) | Limit::Away => Status::Unbounded,
            Limit::Jump(_) => Status::Infeasible,
            Limit::Growth(_) | Limit::Pole(_) | Limit::Needles | Limit::Unsettled => {
                Status::IterationLimit
            }
        }
    }
}

/// The most intervals that refinement makes.
pub(super) const MOST_INTERVALS: usize = 2560;
/// How often a mesh is doubled that has no solution.
const COARSE: usize = 2;
/// Paths of two meshes that differ by less than this part of their range agree.
const AGREE: f64 = 1e-2;
/// Controls that differ by more than this part of their mean do not.
const APART: f64 = 0.2;
/// The relative error beyond which a cost is not known, and the size below which it is next to nothing.
const UNKNOWN: (f64, f64) = (0.1, 1e-6);
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
/// Costs below this are what the solver's own tolerances are worth.
const NOTHING: f64 = 1e-9;
/// Differences that fall by less than this from mesh to mesh do not tend to zero.
const STEADY: f64 = 0.8;
/// From so many intervals on a jump is looked into.
const LOOKED_INTO: usize = 160;
/// A state that changes by less than this part of its range over each interval does not jump.
const JUMPED: f64 = 0.05;
/// A change that falls by less than this where intervals are halved is a jump, as far as the mesh tells.
const PERSISTS: f64 = 0.75;
/// How often intervals are cut that break a bound between their samples.
const PIERCED: usize = 4;
/// How often the intervals of a jump are cut, and into how many parts.
pub(super) const CUTS: (usize, usize) = (6, 8);
/// A cost that grows by this factor from mesh to mesh, on so many, has no limit.
const GROWTH: f64 = 1.4;
/// The cost of a step over a place that no motion passes is as the inverse of its width.
const DOUBLES: f64 = 1.85;
const GROWN: usize = 4;
/// Beside its mean, what the cost per time is at least at a pole that meshes have been cut at so often.
const PEAK: f64 = 10.0;
/// Jumps over more than this part of the intervals are a path that is not resolved.
const PLACES: f64 = 0.1;
/// So many cuts tell what a jump is where the next one has no solution.
const ENOUGH: usize = 2;

/// Refinement ends after so much work, and cuts places for so much of it.
const WORK: (usize, usize) = (80_000_000, 50_000_000);
/// The order that is trusted where bounds hold a path, as long as its corners are not cut.
const HELD_ORDER: u32 = 1;
/// From so many intervals on a path shows where it is not smooth.
const SHOWN: usize = 40;
/// From so many intervals on one of many paths at the same cost is taken as it is.
const ANY: usize = 80;
/// Up to so many intervals jumps that are not yet few enough to be cut are left to finer meshes.
const SETTLED: usize = 320;

/// Differences that fall by less than this tell of jumps in the controls, whose error is of first order.
const JUMPS: f64 = 4.0;

/// What jumps are that have been looked into: what the path tends to, the path on the last mesh, the costs of all.
type LookedInto = (Option<Limit>, Option<Found>, Vec<f64>);

/// What one mesh says.
pub(super) struct Level {
    pub cost: f64,
    pub path: Path,
}

/// How two meshes differ.
#[derive(Clone, Copy, Debug)]
struct Difference {
    cost: f64,
    /// Of the states, at most, beside their range.
    path: f64,
    /// Of the controls, in the mean, beside their mean.
    controls: f64,
}

/// The meshes so far.
struct History {
    order: u32,
    /// The unit of the cost.
    unit: f64,
    costs: Vec<f64>,
    last: Level,
    /// The path of the mesh before, while each interval of the last one is half of one of it.
    before: Option<Path>,
    differences: Vec<Difference>,
    /// What the last difference before the path was cut was.
    earlier: Option<Difference>,
    /// What a difference falls by on the next mesh where only one is known.
    alone: f64,
    /// Do bounds hold the path? It is not smooth where they begin and end to.
    held: bool,
    /// Do controls jump inside of intervals?
    jumps: bool,
    /// Have the intervals of jumps and corners been cut until nothing was gained from it? What the last cut changed the
    /// cost by is not known any better.
    sharp: Option<f64>,
    /// Did cutting change the cost by as much each time?
    endless: bool,
}

impl History {
    /// Goes on from a mesh that is finer here and there: what meshes before it differed by says nothing of it.
    fn restart(&mut self, level: Level, costs: &[f64]) {
        self.earlier = self.differences.pop();
        self.differences.clear();
        // Jumps that are left have an error of first order.
        self.alone = 2.0;
        self.costs.push(level.cost);
        self.last = level;
        self.before = None;
        self.endless |= has_no_limit(costs, self.size());
        let gained = costs.windows(2).next_back().map(|w| (w[1] - w[0]).abs());
        self.sharp = gained;
    }

    /// Do the costs of meshes that agree on the path approach each other as slowly as those of jumping controls?
    fn is_slow(&self) -> bool {
        match &self.differences[..] {
            [.., before, now] => now.path <= AGREE && before.cost < JUMPS * now.cost,
            _ => false,
        }
    }

    fn push(&mut self, run: &Run, level: Level) {
        let cost = (level.cost - self.last.cost).abs();
        let [path, controls] = apart(run, &self.last.path, &level.path);
        self.differences.push(Difference {
            cost,
            path,
            controls,
        });
        self.costs.push(level.cost);
        self.before = Some(std::mem::replace(&mut self.last, level).path);
    }

    /// Does the cost change by as much from mesh to mesh, on and on?
    fn has_no_limit(&self) -> bool {
        let even = self.differences.len() >= GROWN && has_no_limit(&self.costs, self.size());
        even || self.endless
    }

    /// Has the cost grown on each of the last meshes, as that of a jump does?
    fn cost_grows(&self) -> bool {
        let grows = |w: &[f64]| w[0] > NOTHING * self.unit && w[1] > DOUBLES * w[0];
        let last = &self.costs[self.costs.len().saturating_sub(GROWN)..];
        last.len() == GROWN && last.windows(2).all(grows)
    }

    /// The relative error of the cost. Its differences shrink by 2^order where the path is smooth; one difference alone is
    /// not trusted that far.
    fn error(&self) -> f64 {
        self.off() / self.size()
    }

    /// What the last two meshes changed the cost by, beside its size; cuts count.
    fn last_changes(&self) -> f64 {
        let steps = self.costs.windows(2).map(|w| (w[1] - w[0]).abs());
        steps.rev().take(2).fold(0.0, f64::max) / self.size()
    }

    /// The same with what the solver's own tolerances are worth, which no mesh tells.
    fn error_with(&self, slack: f64) -> f64 {
        (self.off() + slack) / self.size()
    }

    fn size(&self) -> f64 {
        let size = self.last.cost.abs();
        if size > NOTHING * self.unit {
            size
        } else {
            self.unit
        }
    }

    fn off(&self) -> f64 {
        let Some(now) = self.differences.last() else {
            return f64::NAN;
        };
        let before = self.differences.iter().nth_back(1);
        if self.jumps {
            // Where in its interval a control jumps is anybody's guess: two meshes may agree by accident.
            return before.map_or(now.cost, |before| now.cost.max(before.cost));
        }
        let best = f64::from(2u32.pow(match self.held && self.sharp.is_none() {
            true => self.order.min(HELD_ORDER),
            false => self.order,
        }));
        let seen = before.map_or(self.alone, |before| 0.7 * before.cost / now.cost);
        let ratio = seen.clamp(1.02, best);
        (now.cost / (ratio - 1.0)).max(self.sharp.unwrap_or(0.0))
    }

    /// Is the size of the cost known, or that it is next to nothing?
    fn knows_cost(&self) -> bool {
        is_known(self.error(), self.last.cost, self.unit)
    }

    /// The last of a kind of difference, and whether it still falls.
    fn trend(&self, of: impl Fn(&Difference) -> f64) -> Option<(f64, bool)> {
        let back = self.differences.iter().rev().chain(&self.earlier);
        let mut back = back.map(of);
        let (now, before) = (back.next()?, back.next());
        Some((now, before.is_some_and(|b| now <= STEADY * b)))
    }

    /// Do the paths of the last meshes keep apart?
    fn keeps_apart(&self) -> bool {
        self.trend(|d| d.path)
            .is_some_and(|(now, falls)| now > AGREE && !falls)
    }

    fn agrees(&self) -> bool {
        let agrees = |d: &Difference| d.path <= AGREE && d.controls <= APART;
        self.differences.last().is_some_and(agrees)
    }
}

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
        let mut history = History {
            order,
            unit: self.cost_size(),
            costs: vec![first.outcome.objective],
            last: self.level(&first),
            before: None,
            differences: Vec::new(),
            earlier: None,
            alone: 4.0,
            held: false,
            jumps: false,
            sharp: None,
            endless: false,
        };
        let mut found = first;
        let begun = self.work;
        let mut pierced = 0;
        loop {
            let mesh = doubled(&found.transcription.mesh);
            let finer = self.on(mesh, &history.last.path, Some(1e-4));
            if !finer.is_good() {
                found.mesh_limit = true;
                // One mesh alone tells nothing of its error, and an order that a finer mesh does not confirm is not trusted.
                let error = history
                    .error_with(found.outcome.slack)
                    .max(history.last_changes());
                found.error = error.is_finite().then_some(error);
                found.limit = self.limit_at_last(&history, &mut found);
                break;
            }
            history.push(self, self.level(&finer));
            found = finer;
            history.held = found.outcome.held;
            history.jumps = history.sharp.is_none() && self.has_jumps(&history, &found);
            found.error = Some(history.error_with(found.outcome.slack));
            found.change = history.differences.last().map(|d| d.path);
            let n = found.transcription.mesh.intervals();
            let known = history.error() <= self.request.tolerance;
            let apart = history.keeps_apart() && !(known && self.is_one_of_many(&found));
            if n >= LOOKED_INTO && apart && self.keeps_steep(&history, &found) {
                match self.follow_jumps(&mut history, &mut found) {
                    Some(ControlFlow::Continue(())) => continue,
                    Some(ControlFlow::Break(())) => break,
                    None => {}
                }
            }
            let settled = self.is_settled(&history, &found);
            let known = known && settled;
            let rough = self.is_rough(&history, &found);
            if known && !history.jumps && !rough {
                if pierced < PIERCED && self.close_gaps(&mut history, &mut found) {
                    pierced += 1;
                    continue;
                }
                found.limit = self.limit_beyond(&history.last, &mut found);
                break;
            }
            if 2 * n > MOST_INTERVALS || self.work > begun + WORK.0 || self.watch.stop() {
                found.mesh_limit = !known;
                found.limit = self.limit_at_last(&history, &mut found);
                break;
            }
            // What an even mesh leaves open no other one settles.
            let cut = rough || history.is_slow();
            if cut
                && !self.leaves_free(&found)
                && let Some(sharp) = self.sharpened(&history.last, &found, begun + WORK.1)
            {
                history.restart(sharp.level, &sharp.costs);
                found = sharp.found;
            } else if known && n >= SETTLED {
                found.limit = self.limit_beyond(&history.last, &mut found);
                break;
            }
        }
        found.limit = match found.limit {
            Limit::Path if !self.knows_cost(&found) => Limit::Unsettled,
            Limit::Path if self.pierced(&found).is_some() => Limit::Unsettled,
            Limit::Needles if self.runs_on(&history.last, &found) => Limit::Away,
            limit => limit,
        };
        found
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
    fn limit_at_last(&mut self, history: &History, found: &mut Found) -> Limit {
        match self.limit_of(history, found) {
            Limit::Path => self.limit_beyond(&history.last, found),
            Limit::Unsettled | Limit::Growth(_) if history.cost_grows() => {
                self.jump(&history.last, found)
            }
            limit => limit,
        }
    }

    /// The unit of the cost.
    pub(super) fn cost_size(&self) -> f64 {
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
    fn limit_beyond(&mut self, level: &Level, found: &mut Found) -> Limit {
        if let Some(limit) = (self.limit_between(found)).or_else(|| self.limit_by_needles(found)) {
            return limit;
        }
        match level.cost.abs() < UNKNOWN.1 * self.cost_size() && self.runs_on(level, found) {
            true => Limit::Away,
            false => self.limit_at_pole(level, found),
        }
    }

    /// A cost below what the solver's tolerances are worth is weighted until it counts: does the path stay?
    fn runs_on(&mut self, level: &Level, found: &Found) -> bool {
        let (usual, more) = (self.weight, self.cost_size() / level.cost.abs());
        if !more.is_finite() {
            return false;
        }
        self.weight = more;
        let next = self.on(found.transcription.mesh.clone(), &level.path, Some(1e-4));
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

    /// May the path jump: does the state change by about as much over an interval as over twice its width on the mesh before?
    /// Over one on which it is resolved it changes by half. Controls without bounds may do anything.
    fn keeps_steep(&self, history: &History, found: &Found) -> bool {
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
    fn jump(&self, level: &Level, found: &Found) -> Limit {
        let t = &found.transcription;
        let nodes = self.transcriber.node_times(t, &found.outcome.iterate.point);
        Limit::Jump(nodes[largest(&jumps(&level.path, &nodes)).0])
    }

    /// Cuts the intervals over which the path jumps again and again until it no longer does: what it tends to, if that tells
    /// it, the path on the last mesh, and the costs before and behind each cut.
    fn look_into(&mut self, level: &Level, found: &Found) -> LookedInto {
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
            let cut = self.on(mesh.refined(&parts), &path, Some(1e-4));
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

/// Is a cost known to better than a tenth, or to be next to nothing?
fn is_known(error: f64, cost: f64, unit: f64) -> bool {
    error <= UNKNOWN.0 || error * cost.abs() <= NOTHING * unit
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

/// Do the last costs change by as much each time, one way?
pub(super) fn has_no_limit(costs: &[f64], size: f64) -> bool {
    let steps: Vec<f64> = costs.windows(2).map(|w| w[1] - w[0]).collect();
    let last = &steps[steps.len().saturating_sub(GROWN)..];
    let goes_on = |w: &[f64]| w[1] / w[0] >= STEADY;
    last.len() == GROWN && last.windows(2).all(goes_on) && last[GROWN - 1].abs() > NOTHING * size
}

pub(super) fn doubled(mesh: &Mesh) -> Mesh {
    mesh.refined(&vec![2; mesh.intervals()])
}

/// The range of each state along a path, nothing smaller than a trace of the largest.
pub(super) fn ranges(states: &[Vec<f64>]) -> Vec<f64> {
    let n = states.first().map_or(0, Vec::len);
    let range = |i: usize| {
        let values = states.iter().map(|x| x[i]);
        let ends = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
            (a.min(x), b.max(x))
        });
        ends.1 - ends.0
    };
    let all: Vec<f64> = (0..n).map(range).collect();
    let largest = all.iter().copied().fold(1e-9, f64::max);
    all.into_iter().map(|r| r.max(1e-3 * largest)).collect()
}

/// What the state changes by over each interval at most, beside its range.
fn jumps(path: &Path, nodes: &[f64]) -> Vec<f64> {
    let ranges = ranges(&path.states);
    let place = |t: f64| {
        let k = path
            .times
            .partition_point(|x| *x < t - 1e-12 * (1.0 + t.abs()));
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

/// How far two paths are apart: the states at most, beside their range, the controls in the mean, beside their mean.
fn apart(run: &Run, coarse: &Path, fine: &Path) -> [f64; 2] {
    let plant = &run.transcriber.posed.plant;
    let ranges = ranges(&fine.states);
    let (first, last) = (fine.times[0], fine.times[fine.times.len() - 1]);
    let mut states: f64 = 0.0;
    let (mut controls, mut mean) = (0.0, 0.0);
    for (k, t) in fine.times.iter().enumerate() {
        let share = (t - first) / (last - first);
        let (x, u) = coarse.at(plant, share);
        for ((a, b), r) in x.iter().zip(&fine.states[k]).zip(&ranges) {
            states = states.max((a - b).abs() / r);
        }
        let after = fine.times.get(k + 1).unwrap_or(t);
        let before = fine.times[k.saturating_sub(1)];
        let weight = (after - before) / 2.0;
        for (a, b) in u.iter().zip(&fine.controls[k]) {
            controls += weight * (a - b).abs();
            mean += weight * b.abs();
        }
    }
    let floor = 1e-6 * (last - first);
    [states, controls / (mean + floor)]
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
