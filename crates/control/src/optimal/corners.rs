//! Where bounds begin and end to hold along a path.
//!
//! A control has a corner there, and at a bound on the state a costate may jump: a discrete path is smooth up to there and
//! behind it, not across. Such a place lies between two neighbouring samples of one variable, one of them on its bound and
//! the other one not.

use super::solve::{Found, Run};

/// A sample this close to its bound, beside the largest of its kind, is on it.
const ON: f64 = 1e-6;

impl Run<'_> {
    /// For each interval: does a bound begin or end to hold in it?
    pub(super) fn corners(&self, found: &Found) -> Vec<bool> {
        let (t, shape) = (&found.transcription, &self.transcriber.shape);
        let n = t.mesh.intervals();
        let mut marked = vec![false; n];
        for i in 0..shape.size() {
            let held = held(found, i);
            for k in 0..held.len().saturating_sub(1) {
                if held[k] == held[k + 1] {
                    continue;
                }
                marked[k] = true;
                // Between points inside of both intervals: the place may lie in either.
                if i >= shape.slacks_at_node().end && k + 1 < n {
                    marked[k + 1] = true;
                }
            }
        }
        marked
    }
}

/// Which bound, if any, holds the variable i of each block that has it.
fn held(found: &Found, i: usize) -> Vec<i8> {
    let t = &found.transcription;
    let x = &found.outcome.iterate.point.variables;
    let (lower, upper) = (&t.problem.lower, &t.problem.upper);
    let blocks = t.starts.windows(2).take(t.mesh.intervals() + 1);
    let places: Vec<usize> = blocks
        .filter(|block| i < block[1] - block[0])
        .map(|block| block[0] + i)
        .collect();
    let sizes = places.iter().flat_map(|&p| [x[p], lower[p], upper[p]]);
    let finite = sizes.filter(|size| size.is_finite());
    let near = ON * finite.fold(0.0, |m: f64, size| m.max(size.abs()));
    let side = |&p: &usize| match (x[p] - lower[p] <= near, upper[p] - x[p] <= near) {
        (true, _) => -1,
        (_, true) => 1,
        _ => 0,
    };
    places.iter().map(side).collect()
}
