//! Whether a discrete path is near a motion.

use super::solve::Solution;

/// How far routes may be apart to confirm each other, and a path on two meshes.
const AGREE: f64 = 1e-3;
/// How far a replay may end from the path, beside 1 + the size of its end.
const REPLAYED: f64 = 1e-2;

impl Solution {
    /// Is the path near a motion: by the other route (how far it is apart), by the mesh before, or by the motion under its
    /// controls (how far it ends from the path)? A replay that there is none of says nothing.
    pub fn is_confirmed(&self, routes: Option<f64>, replay: Option<f64>) -> bool {
        let last = self.trajectory.states.last().into_iter().flatten();
        let size = last.fold(0.0, |m: f64, x| m.max(x.abs()));
        routes.is_some_and(|d| d <= AGREE)
            || self.change.is_some_and(|d| d <= AGREE)
            || replay.is_none_or(|e| e <= REPLAYED * (1.0 + size))
    }
}
