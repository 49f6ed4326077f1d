//! Whether a discrete path is near a motion, and what speaks against it.

use super::controlled::Controlled;
use super::plant::Kind;
use super::routes::Polished;
use super::solve::{Solution, Status};
use std::fmt;

/// How far routes may be apart to confirm each other, and a path on two meshes.
const AGREE: f64 = 1e-3;
/// How far a replay may end from the path, beside 1 + the size of its end.
const REPLAYED: f64 = 1e-2;

/// By how much H may change along a problem that does not depend on time, beside the cost per time.
const KEPT: f64 = 0.3;
/// A relative error of the cost beyond which meshes know it badly.
const BADLY: f64 = 1e-2;
/// Costs below this are none.
const NOTHING: f64 = 1e-9;
/// How far routes are apart that lead to different paths.
const APART: f64 = 1e-2;

/// Why a path is no motion for sure.
pub const UNCONFIRMED: &str = "the motion under the found controls ends elsewhere, and neither finer meshes nor the necessary conditions confirm the path";

/// What speaks against a path whose discrete conditions hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Doubt {
    /// The motion under the found controls ends this far from the end of the path.
    Replay(f64),
    /// The necessary conditions lead to another path, at this cost.
    Routes(f64),
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
            self.hamiltonian_change().map(Doubt::Hamiltonian),
        ];
        all.into_iter().flatten().collect()
    }

    /// A path on the last mesh of a refinement is no solution where its Hamiltonian speaks against it, and meshes know its cost
    /// badly or nothing confirms it. A replay alone does not: along an unstable motion it leaves any path.
    pub fn withhold(&mut self) {
        let s = &self.solution;
        let badly = s.cost_error.is_none_or(|e| e > BADLY);
        let open = s.status == Status::Solved && s.mesh_limit;
        if let Some(by) = self.hamiltonian_change()
            && open
            && (badly || !self.is_confirmed())
        {
            self.solution.status = Status::IterationLimit;
            self.resisting = Some(Doubt::Hamiltonian(by).to_string());
        }
    }

    /// What H changes by where it should not; none where that is little.
    fn hamiltonian_change(&self) -> Option<f64> {
        let path = &self.solution.trajectory;
        let first = path
            .hamiltonian
            .first()
            .filter(|_| self.autonomous && self.kind == Kind::OptimalControl)?;
        let whole = path.times.last()? - path.times.first()?;
        let rate = self.solution.cost? / whole;
        let change = path.hamiltonian.iter().map(|h| (h - first).abs());
        let change = change.fold(0.0, f64::max);
        (change > KEPT * (rate.abs() + first.abs())).then_some(change)
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
        let last = self.trajectory.states.last().into_iter().flatten();
        let size = last.fold(0.0, |m: f64, x| m.max(x.abs()));
        error <= REPLAYED * (1.0 + size)
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
