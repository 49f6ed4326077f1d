//! Meshes that are fine where the controls jump.
//!
//! At a switch, or at a condition on the way, an optimal control jumps, and the cost of a discrete path is wrong by an
//! amount of the order of the width of the interval that the jump falls into. Cutting that interval alone makes this error
//! small at the price of a few intervals; the whole mesh is halved afterwards to tell what is left of it.

use super::path::Path;
use super::refinement::Level;
use super::solve::{Found, Run};

/// Over a steep interval a control changes by more than this part of its range.
const STEEP: f64 = 0.1;
/// Into how many parts steep intervals are cut, and how often.
const CUTS: (usize, usize) = (4, 6);
/// Where more than this part of a mesh is steep, there is no telling jumps from slopes.
const MOST: f64 = 0.25;
/// A cut that changes the cost by less than this part of what is asked for is the last one.
const DONE: f64 = 0.1;

impl Run<'_> {
    /// Cuts the intervals over which controls jump, again and again, until the cost no longer gains from it; nothing where
    /// no control jumps, or no finer mesh has a solution.
    pub(super) fn sharpened(&mut self, level: &Level, found: &Found) -> Option<(Found, Level)> {
        let mut best: Option<(Found, Level)> = None;
        for _ in 0..CUTS.1 {
            let (from, at) = best.as_ref().map_or((level, found), |(f, l)| (l, f));
            let nodes = (self.transcriber).node_times(&at.transcription, &at.outcome.iterate.point);
            let Some(parts) = parts(&from.path, &nodes) else {
                break;
            };
            let mesh = at.transcription.mesh.refined(&parts);
            let cut = self.on(mesh, &from.path, Some(1e-4));
            if !cut.is_good() || self.watch.stop() {
                break;
            }
            let gained = (cut.outcome.objective - from.cost).abs();
            let enough = DONE * self.request.tolerance * from.cost.abs();
            let reached = self.level(&cut);
            best = Some((cut, reached));
            if gained <= enough {
                break;
            }
        }
        best
    }
}

/// Into how many parts each interval is cut; nothing where none is steep, or too many are.
fn parts(path: &Path, nodes: &[f64]) -> Option<Vec<usize>> {
    let steep = steepness(path, nodes);
    let many = steep.iter().filter(|s| **s > STEEP).count();
    let few = many > 0 && many as f64 <= MOST * steep.len() as f64;
    let cut = |s: &f64| if *s > STEEP { CUTS.0 } else { 1 };
    few.then(|| steep.iter().map(cut).collect())
}

/// What the controls change by over each interval, beside their range.
fn steepness(path: &Path, nodes: &[f64]) -> Vec<f64> {
    let inside = |t: &[f64]| {
        let slack = 1e-9 * (t[1] - t[0]);
        let first = path.times.partition_point(|x| *x < t[0] - slack);
        let behind = path.times.partition_point(|x| *x <= t[1] + slack);
        first..behind.max(first)
    };
    let controls = path.controls.first().map_or(0, Vec::len);
    let spread = |of: &[Vec<f64>], i: usize| {
        let values = of.iter().map(|u| u[i]);
        let ends = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
            (a.min(x), b.max(x))
        });
        (ends.1 - ends.0).max(0.0)
    };
    let ranges: Vec<f64> = (0..controls).map(|i| spread(&path.controls, i)).collect();
    let over = |t: &[f64]| {
        let part = &path.controls[inside(t)];
        let each = (0..controls).filter(|&i| ranges[i] > 0.0);
        each.fold(0.0, |m: f64, i| m.max(spread(part, i) / ranges[i]))
    };
    nodes.windows(2).map(over).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_interval_of_a_jump_is_cut() {
        let path = Path {
            times: (0..=16).map(f64::from).collect(),
            controls: (0..=16)
                .map(|k| vec![if k < 9 { -1.0 } else { 1.0 }])
                .collect(),
            ..Path::default()
        };
        let nodes: Vec<f64> = (0..=8).map(|k| 2.0 * f64::from(k)).collect();
        let found = parts(&path, &nodes).unwrap_or_default();
        assert_eq!(found, [1, 1, 1, 1, 4, 1, 1, 1]);
        let slope = Path {
            controls: path.times.iter().map(|t| vec![*t]).collect(),
            ..path
        };
        assert_eq!(parts(&slope, &nodes), None);
    }
}
