//! Whether a discrete path is near a motion, and what speaks against it.

use super::controlled::Controlled;
use super::plant::Kind;
use super::routes::Polished;
use super::solve::{Solution, Status};
use super::tolerance::NOTHING;
use std::fmt;

/// How far routes may be apart to confirm each other, and a path on two meshes.
const AGREE: f64 = 1e-3;
/// How far a replay may end from the path, beside 1 + the size of its end.
const REPLAYED: f64 = 1e-2;

/// The same for one that follows the path, so that it has to cost as much, and the part of their unit below which costs are not
/// held against each other.
const FOLLOWED: f64 = 1e-4;
const LEAST: f64 = 1e-6;

/// By how much H may change along a problem that does not depend on time, beside the cost per time.
const KEPT: f64 = 0.3;
/// The part of the time for which it may.
const LASTING: f64 = 0.1;
/// A relative error of the cost beyond which meshes know it badly.
const BADLY: f64 = 1e-2;
/// How far routes are apart that lead to different paths.
const APART: f64 = 1e-2;

/// Why a path is no motion for sure.
pub const UNCONFIRMED: &str = "the motion under the found controls ends elsewhere, and neither finer meshes nor the necessary conditions confirm the path";

/// Why a path on the last mesh is no solution for sure.
pub const UNRESOLVED: &str =
    "the cost still changes on the last mesh, and the necessary conditions do not confirm the path";

/// What speaks against a path whose discrete conditions hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Doubt {
    /// The motion under the found controls ends this far from the end of the path.
    Replay(f64),
    /// The necessary conditions lead to another path, at this cost.
    Routes(f64),
    /// The motion under the found controls, which follows the path, costs so much.
    Cost(f64),
    /// H changes by so much, though nothing depends on time.
    Hamiltonian(f64),
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Replay(by) => write!(
                f,
                "the motion under the found controls ends {by:.1e} away from the path"
            ),
            Doubt::Routes(cost) => write!(
                f,
                "the necessary conditions lead to another path, at the cost {cost:.10}"
            ),
            Doubt::Cost(cost) => write!(
                f,
                "the motion under the found controls follows the path, and costs {cost:.6}: what the cost depends on is narrower than the intervals, or changes where none looks"
            ),
            Doubt::Hamiltonian(by) => write!(
                f,
                "the Hamiltonian changes by {by:.1e} though nothing depends on time: the path is not resolved, or no extremal"
            ),
        }
    }
}

impl Controlled {
    /// What speaks against a solution.
    pub fn doubts(&self) -> Vec<Doubt> {
        let s = &self.solution;
        if s.status != Status::Solved {
            return Vec::new();
        }
        let replay = self.replay_error.filter(|e| !s.is_replayed(*e));
        let routes = self.polished.as_ref().filter(|p| p.is_another());
        let all = [
            replay.map(Doubt::Replay),
            routes.map(|p| Doubt::Routes(p.cost)),
            self.other_cost().map(Doubt::Cost),
            self.hamiltonian_change().map(Doubt::Hamiltonian),
        ];
        all.into_iter().flatten().collect()
    }

    /// A refined path is no solution where meshes know its cost badly on the last one and the necessary conditions do not agree, where its
    /// Hamiltonian speaks against it for a good part of the time, or on the last mesh where nothing confirms it. A replay alone does not: along an unstable motion it leaves any path.
    pub fn withhold(&mut self) {
        let s = &self.solution;
        let badly = s.cost_error.is_none_or(|e| e > BADLY);
        let refined = s.status == Status::Solved && s.cost_error.is_some();
        if refined && let Some(cost) = self.other_cost() {
            self.solution.status = Status::IterationLimit;
            self.resisting = Some(Doubt::Cost(cost).to_string());
            return;
        }
        let open = s.mesh_limit && (badly || !self.is_confirmed());
        let is_agreed = self.polished.as_ref().is_some_and(|p| !p.is_another());
        if refined && s.mesh_limit && badly && !is_agreed {
            self.solution.status = Status::IterationLimit;
            self.resisting = Some(UNRESOLVED.to_owned());
            return;
        }
        if let Some(by) = self.hamiltonian_change()
            && refined
            && (open || self.hamiltonian_changes_for() > LASTING)
        {
            self.solution.status = Status::IterationLimit;
            self.resisting = Some(Doubt::Hamiltonian(by).to_string());
        }
    }

    /// What the motion under the found controls costs, where it follows the path and that is another cost.
    fn other_cost(&self) -> Option<f64> {
        let s = &self.solution;
        let (error, replayed, cost) = (self.replay_error?, self.replay_cost?, s.cost?);
        let size = replayed.abs().max(cost.abs()).max(LEAST * s.cost_unit);
        (s.ends_within(error, FOLLOWED) && (replayed - cost).abs() > BADLY * size)
            .then_some(replayed)
    }

    /// What H changes by where it should not; none where that is little.
    fn hamiltonian_change(&self) -> Option<f64> {
        let path = &self.solution.trajectory;
        let first = path
            .hamiltonian
            .first()
            .filter(|_| self.autonomous && self.kind != Kind::ParameterOptimisation)?;
        let change = path.hamiltonian.iter().map(|h| (h - first).abs());
        let change = change.fold(0.0, f64::max);
        (change > KEPT * (self.cost_rate()? + first.abs())).then_some(change)
    }

    /// The cost per time, no less than what tolerances are worth of one that vanishes.
    fn cost_rate(&self) -> Option<f64> {
        let times = &self.solution.trajectory.times;
        let whole = times.last()? - times.first()?;
        let least = NOTHING * self.solution.cost_unit;
        Some((self.solution.cost?.abs()).max(least) / whole)
    }

    /// The part of the time for which H is off its median by more than it may change. About a switch it may be, for an interval.
    fn hamiltonian_changes_for(&self) -> f64 {
        let path = &self.solution.trajectory;
        let mut sorted = path.hamiltonian.clone();
        sorted.sort_by(f64::total_cmp);
        let (Some(rate), Some(&median)) = (self.cost_rate(), sorted.get(sorted.len() / 2)) else {
            return 0.0;
        };
        let is_off = |h: &f64| (h - median).abs() > KEPT * (rate + median.abs());
        let intervals = path.times.windows(2).zip(path.hamiltonian.windows(2));
        let off = intervals.filter(|(_, h)| h.iter().all(is_off));
        let lasting: f64 = off.map(|(t, _)| t[1] - t[0]).sum();
        lasting / (path.times[path.times.len() - 1] - path.times[0])
    }
}

impl Polished {
    /// Is it another path than the direct one? Its cost then says nothing of the error of that one's.
    pub fn is_another(&self) -> bool {
        self.difference > APART
    }
}

impl Solution {
    /// Is the path near a motion: by the other route (how far it is apart), by the mesh before, or by the motion under its
    /// controls (how far it ends from the path)? A replay that there is none of says nothing.
    pub fn is_confirmed(&self, routes: Option<f64>, replay: Option<f64>) -> bool {
        routes.is_some_and(|d| d <= AGREE)
            || self.change.is_some_and(|d| d <= AGREE)
            || replay.is_none_or(|e| self.is_replayed(e))
    }

    /// Does a replay end where the path does?
    fn is_replayed(&self, error: f64) -> bool {
        self.ends_within(error, REPLAYED)
    }

    /// Is a distance from the end of the path within a part of 1 + its size?
    fn ends_within(&self, distance: f64, part: f64) -> bool {
        let last = self.trajectory.states.last().into_iter().flatten();
        let size = last.fold(0.0, |m: f64, x| m.max(x.abs()));
        distance <= part * (1.0 + size)
    }

    /// Takes what another route makes of the cost into its error.
    pub fn admit(&mut self, other: f64) {
        let (Some(cost), Some(told)) = (self.cost, self.cost_error) else {
            return;
        };
        let size = cost.abs().max(other.abs());
        if size > NOTHING {
            self.cost_error = Some(told.max((cost - other).abs() / size));
        }
    }

    /// Is the cost known less well than asked for?
    pub fn is_rough(&self) -> bool {
        self.cost_error.is_some_and(|e| e > self.tolerance)
    }
}
