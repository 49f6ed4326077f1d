//! Meshes that are fine where the controls jump, and where bounds begin and end to hold.
//!
//! At a switch, or at a condition on the way, an optimal control jumps, and the cost of a discrete path is wrong by an
//! amount of the order of the width of the interval that the jump falls into; by one of its square where a bound holds the
//! state from there on. Cutting that interval alone makes this error small at the price of a few intervals; the whole mesh
//! is halved afterwards to tell what is left of it.

use super::path::Path;
use super::refinement::{Level, MOST_INTERVALS};
use super::solve::{Found, Run};
use super::tolerance::{SAME_TIME, WARM_BARRIER};

/// Over a steep interval a control changes by more than this part of its range; where many do, by more than the next.
const STEEP: [f64; 3] = [0.1, 0.3, 0.6];
/// About a jump a control changes by more than this part of its range, and of what it changes by about twice the width.
const JUMP: f64 = 0.3;
const PERSISTS: f64 = 0.85;
/// A range below this part of the largest value is rounding.
const ROUNDING: f64 = 1e-6;
/// Into how many parts steep intervals are cut, and how often.
const CUTS: (usize, usize) = (4, 6);
/// More neighbouring intervals than this are no place.
const RUN: usize = 4;
/// Where more than this part of a mesh is steep, there is no telling jumps from slopes.
const MOST: f64 = 0.25;
/// Cuts that change the cost by less than this part of what is asked for are the last ones, so many in a row: one alone may
/// find its jump where the error happens to be the same.
const DONE: (f64, usize) = (0.1, 2);

/// A path on a mesh that is fine where it is not smooth.
pub(super) struct Sharp {
    pub found: Found,
    pub level: Level,
    /// The costs before the first cut and behind each.
    pub costs: Vec<f64>,
}

impl Run<'_> {
    /// Cuts the intervals over which the path is not smooth, again and again, until the cost no longer gains from it;
    /// nothing where it is smooth, or no finer mesh has a solution. No cut begins beyond this much work.
    pub(super) fn sharpened(&mut self, level: &Level, found: &Found, most: usize) -> Option<Sharp> {
        let mut best: Option<Sharp> = None;
        let mut idle = 0;
        let mut costs = vec![level.cost];
        for _ in 0..CUTS.1 {
            let now = best.as_ref();
            let (from, at) = now.map_or((level, found), |s| (&s.level, &s.found));
            let Some(parts) = self.cuts(from, at) else {
                break;
            };
            let mesh = at.transcription.mesh.refined(&parts);
            // It is halved afterwards.
            if 2 * mesh.intervals() > MOST_INTERVALS || self.work > most {
                break;
            }
            let cut = self.on(mesh, &from.path, Some(WARM_BARRIER));
            if !cut.is_good() || self.watch.stop() {
                break;
            }
            let gained = (cut.outcome.objective - from.cost).abs();
            let enough = DONE.0 * self.request.tolerance * from.cost.abs();
            let reached = self.level(&cut);
            costs.push(reached.cost);
            best = Some(Sharp {
                found: cut,
                level: reached,
                costs: costs.clone(),
            });
            idle = if gained <= enough { idle + 1 } else { 0 };
            if idle == DONE.1 {
                break;
            }
        }
        best
    }

    /// Into how many parts each interval is cut; nothing where none is.
    fn cuts(&self, level: &Level, found: &Found) -> Option<Vec<usize>> {
        let t = &found.transcription;
        let nodes = (self.transcriber).node_times(t, &found.outcome.iterate.point);
        parts(&level.path, &nodes, &self.corners(found))
    }

    /// Are there places where the path is not smooth, and few?
    pub(super) fn is_cut(&self, level: &Level, found: &Found) -> bool {
        self.cuts(level, found).is_some()
    }
}

/// Into how many parts each interval is cut: the steep ones, or the steepest where there are too many, and those with
/// corners; nothing where that leaves none.
fn parts(path: &Path, nodes: &[f64], corners: &[bool]) -> Option<Vec<usize>> {
    let steep = steepness(path, nodes);
    let few = |all: &Vec<Vec<bool>>| {
        let marked = union(all.clone(), corners.len());
        let count = marked.iter().filter(|m| **m).count();
        (1..=(MOST * marked.len() as f64) as usize).contains(&count)
    };
    let steeper = |least: f64| {
        let marks = |of: &Vec<f64>| of.iter().map(|s| *s > least).collect();
        steep.iter().map(marks).collect::<Vec<Vec<bool>>>()
    };
    let with_corners = |least: f64| {
        let all = steeper(least).into_iter();
        all.chain([corners.to_vec()]).collect()
    };
    let both = STEEP.into_iter().map(with_corners).find(few);
    let all = both.or_else(|| STEEP.into_iter().map(steeper).find(few))?;
    let marked = union(all.into_iter().map(short_runs).collect(), corners.len());
    let cut = |m: &bool| if *m { CUTS.0 } else { 1 };
    let any = marked.contains(&true);
    any.then(|| marked.iter().map(cut).collect())
}

/// What is marked in any of some lists.
fn union(all: Vec<Vec<bool>>, length: usize) -> Vec<bool> {
    (0..length).map(|k| all.iter().any(|of| of[k])).collect()
}

/// What is marked in few neighbours at a time: a place. More are a slope, or samples that change over and over.
fn short_runs(mut marked: Vec<bool>) -> Vec<bool> {
    for run in marked.chunk_by_mut(|a, b| a == b) {
        if run.len() > RUN {
            run.fill(false);
        }
    }
    marked
}

/// The intervals about which the controls change by as much as they did about twice the width on the mesh before, whose
/// intervals are halved: a slope changes by half.
pub(super) fn jumps(before: &Path, path: &Path, nodes: &[f64]) -> Vec<usize> {
    let (ranges, earlier) = (ranges(path), Samples::of(before));
    let now = Samples::of(path);
    let begins = before.times.first().zip(path.times.first());
    let ends = before.times.last().zip(path.times.last());
    let (Some((a, c)), Some((b, d))) = (begins, ends) else {
        return Vec::new();
    };
    // A free time differs from mesh to mesh: shares of it are compared.
    let then = |t: f64| a + (t - c) / (d - c) * (b - a);
    let is_jump = |k: usize| {
        let (middle, width) = ((nodes[k] + nodes[k + 1]) / 2.0, nodes[k + 1] - nodes[k]);
        let about = |reach: f64| [middle - reach * width, middle + reach * width];
        let (near, far) = (about(1.5), about(3.0).map(then));
        (0..ranges.len()).any(|i| {
            let change = now.spread(near, i);
            ranges[i] > 0.0
                && change > JUMP * ranges[i]
                && change > PERSISTS * earlier.spread(far, i)
        })
    };
    let all = 0..nodes.len().saturating_sub(1);
    all.filter(|&k| is_jump(k)).collect()
}

/// What each control that changes does so by over each interval, beside its range.
fn steepness(path: &Path, nodes: &[f64]) -> Vec<Vec<f64>> {
    let (ranges, samples) = (ranges(path), Samples::of(path));
    let changing = (0..ranges.len()).filter(|&i| ranges[i] > 0.0);
    let of = |i: usize| {
        let over = |t: &[f64]| samples.spread([t[0], t[1]], i) / ranges[i];
        nodes.windows(2).map(over).collect()
    };
    changing.map(of).collect()
}

/// What each control changes by along a path; nothing where that is rounding.
fn ranges(path: &Path) -> Vec<f64> {
    let controls = path.controls.first().map_or(0, Vec::len);
    let whole = [f64::NEG_INFINITY, f64::INFINITY];
    let samples = Samples::of(path);
    let range = |i: usize| {
        let values = path.controls.iter().map(|u| u[i].abs());
        let range = samples.spread(whole, i);
        match range > ROUNDING * values.fold(0.0, f64::max) {
            true => range,
            false => 0.0,
        }
    };
    (0..controls).map(range).collect()
}

/// The controls of a path at their times.
struct Samples<'p> {
    times: &'p [f64],
    controls: &'p [Vec<f64>],
}

impl<'p> Samples<'p> {
    fn of(path: &'p Path) -> Self {
        Self {
            times: &path.times,
            controls: &path.controls,
        }
    }

    /// What a control changes by between two times, which count.
    fn spread(&self, [from, to]: [f64; 2], i: usize) -> f64 {
        let slack = match (to - from).is_finite() {
            true => SAME_TIME * (to - from),
            false => 0.0,
        };
        let first = self.times.partition_point(|x| *x < from - slack);
        let behind = self.times.partition_point(|x| *x <= to + slack);
        let values = self.controls[first..behind.max(first)].iter().map(|u| u[i]);
        let (least, most) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
            (a.min(x), b.max(x))
        });
        (most - least).max(0.0)
    }
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
        let smooth = [false; 8];
        let found = parts(&path, &nodes, &smooth).unwrap_or_default();
        assert_eq!(found, [1, 1, 1, 1, 4, 1, 1, 1]);
        let slope = Path {
            controls: path.times.iter().map(|t| vec![*t]).collect(),
            ..path.clone()
        };
        assert_eq!(parts(&slope, &nodes, &smooth), None);
        let mut corner = smooth;
        corner[6] = true;
        let found = parts(&path, &nodes, &corner).unwrap_or_default();
        assert_eq!(found, [1, 1, 1, 1, 4, 1, 4, 1]);
    }
}
