//! What meshes have said so far: how well the cost is known, and whether paths still change.

use super::super::path::Path;
use super::super::solve::Run;
use super::super::tolerance::NOTHING;

/// Paths of two meshes that differ by less than this part of their range agree.
pub(super) const AGREE: f64 = 1e-2;
/// Controls that differ by more than this part of their mean do not.
pub(super) const APART: f64 = 0.2;
/// The relative error beyond which a cost is not known, and the size below which it is next to nothing.
pub(super) const UNKNOWN: (f64, f64) = (0.1, 1e-6);
/// Differences that fall by less than this from mesh to mesh do not tend to zero.
const STEADY: f64 = 0.8;
/// The cost of a step over a place that no motion passes is as the inverse of its width.
const DOUBLES: f64 = 1.85;
const GROWN: usize = 4;
/// The order that is trusted where bounds hold a path, as long as its corners are not cut.
const HELD_ORDER: u32 = 1;
/// Differences that fall by less than this tell of jumps in the controls, whose error is of first order.
const JUMPS: f64 = 4.0;
/// The cost may grow as the root of what conditions are met up to, where they leave next to no room: to first order that is
/// half of it.
const ROOT: f64 = 2.0;
/// Ranges of states are at least this part of the largest, ...
const LEAST_RANGE: f64 = 1e-3;
/// ... and means of controls at least this.
const LEAST_MEAN: f64 = 1e-6;

/// What one mesh says.
pub(in crate::optimal) struct Level {
    pub cost: f64,
    pub path: Path,
}

/// How two meshes differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference {
    pub(super) cost: f64,
    /// Of the states, at most, beside their range.
    pub(super) path: f64,
    /// Of the controls, in the mean, beside their mean.
    pub(super) controls: f64,
}

/// The meshes so far.
pub(super) struct History {
    pub(super) order: u32,
    /// The unit of the cost.
    pub(super) unit: f64,
    pub(super) costs: Vec<f64>,
    pub(super) last: Level,
    /// The path of the mesh before, while each interval of the last one is half of one of it.
    pub(super) before: Option<Path>,
    pub(super) differences: Vec<Difference>,
    /// What the last difference before the path was cut was.
    pub(super) earlier: Option<Difference>,
    /// What a difference falls by on the next mesh where only one is known.
    pub(super) alone: f64,
    /// Do bounds hold the path? It is not smooth where they begin and end to.
    pub(super) held: bool,
    /// Do controls jump inside of intervals?
    pub(super) jumps: bool,
    /// Have the intervals of jumps and corners been cut until nothing was gained from it? What the last cut changed the
    /// cost by is not known any better.
    pub(super) sharp: Option<f64>,
    /// Did cutting change the cost by as much each time?
    pub(super) endless: bool,
}

impl History {
    /// The history of one mesh.
    pub(super) fn of(order: u32, unit: f64, first: Level) -> Self {
        History {
            order,
            unit,
            costs: vec![first.cost],
            last: first,
            before: None,
            differences: Vec::new(),
            earlier: None,
            alone: 4.0,
            held: false,
            jumps: false,
            sharp: None,
            endless: false,
        }
    }

    /// Goes on from a mesh that is finer here and there: what meshes before it differed by says nothing of it.
    pub(super) fn restart(&mut self, level: Level, costs: &[f64]) {
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
    pub(super) fn is_slow(&self) -> bool {
        match &self.differences[..] {
            [.., before, now] => now.path <= AGREE && before.cost < JUMPS * now.cost,
            _ => false,
        }
    }

    pub(super) fn push(&mut self, run: &Run, level: Level) {
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
    pub(super) fn has_no_limit(&self) -> bool {
        let even = self.differences.len() >= GROWN && has_no_limit(&self.costs, self.size());
        even || self.endless
    }

    /// Has the cost grown on each of the last meshes, as that of a jump does?
    pub(super) fn cost_grows(&self) -> bool {
        let grows = |w: &[f64]| w[0] > NOTHING * self.unit && w[1] > DOUBLES * w[0];
        let last = &self.costs[self.costs.len().saturating_sub(GROWN)..];
        last.len() == GROWN && last.windows(2).all(grows)
    }

    /// The relative error of the cost. Its differences shrink by 2^order where the path is smooth; one difference alone is
    /// not trusted that far.
    pub(super) fn error(&self) -> f64 {
        self.off() / self.size()
    }

    /// What the last two meshes changed the cost by, beside its size; cuts count.
    pub(super) fn last_changes(&self) -> f64 {
        let steps = self.costs.windows(2).map(|w| (w[1] - w[0]).abs());
        steps.rev().take(2).fold(0.0, f64::max) / self.size()
    }

    /// The same with what the solver's own tolerances are worth, which no mesh tells.
    pub(super) fn error_with(&self, slack: f64) -> f64 {
        (self.off() + ROOT * slack) / self.size()
    }

    pub(super) fn size(&self) -> f64 {
        let size = self.last.cost.abs();
        if size > NOTHING * self.unit {
            size
        } else {
            self.unit
        }
    }

    pub(super) fn off(&self) -> f64 {
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
    pub(super) fn knows_cost(&self) -> bool {
        is_known(self.error(), self.last.cost, self.unit)
    }

    /// The last of a kind of difference, and whether it still falls.
    pub(super) fn trend(&self, of: impl Fn(&Difference) -> f64) -> Option<(f64, bool)> {
        let back = self.differences.iter().rev().chain(&self.earlier);
        let mut back = back.map(of);
        let (now, before) = (back.next()?, back.next());
        Some((now, before.is_some_and(|b| now <= STEADY * b)))
    }

    /// Do the paths of the last meshes keep apart?
    pub(super) fn keeps_apart(&self) -> bool {
        self.trend(|d| d.path)
            .is_some_and(|(now, falls)| now > AGREE && !falls)
    }

    pub(super) fn agrees(&self) -> bool {
        let agrees = |d: &Difference| d.path <= AGREE && d.controls <= APART;
        self.differences.last().is_some_and(agrees)
    }
}

/// Is a cost known to better than a tenth, or to be next to nothing?
pub(super) fn is_known(error: f64, cost: f64, unit: f64) -> bool {
    error <= UNKNOWN.0 || error * cost.abs() <= NOTHING * unit
}

/// Do the last costs change by as much each time, one way?
pub(in crate::optimal) fn has_no_limit(costs: &[f64], size: f64) -> bool {
    let steps: Vec<f64> = costs.windows(2).map(|w| w[1] - w[0]).collect();
    let last = &steps[steps.len().saturating_sub(GROWN)..];
    let goes_on = |w: &[f64]| w[1] / w[0] >= STEADY;
    last.len() == GROWN && last.windows(2).all(goes_on) && last[GROWN - 1].abs() > NOTHING * size
}

/// The range of each state along a path, nothing smaller than a trace of the largest.
pub(in crate::optimal) fn ranges(states: &[Vec<f64>]) -> Vec<f64> {
    let n = states.first().map_or(0, Vec::len);
    let range = |i: usize| {
        let values = states.iter().map(|x| x[i]);
        let ends = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
            (a.min(x), b.max(x))
        });
        ends.1 - ends.0
    };
    let all: Vec<f64> = (0..n).map(range).collect();
    let largest = all.iter().copied().fold(NOTHING, f64::max);
    all.into_iter()
        .map(|r| r.max(LEAST_RANGE * largest))
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
    let floor = LEAST_MEAN * (last - first);
    [states, controls / (mean + floor)]
}
