//! Poles of the running cost on a path.
//!
//! A mesh takes a cost at its points, and steps over a pole between them: meshes may agree as well as asked for on the cost
//! of a path that has none. And where the integral has a value, each interval that the passage may fall into holds it there,
//! so that no mesh tells how much an earlier or later one would gain. The cost is enclosed over boxes about the path; where
//! no box is narrow enough for that, and the cost is far above its other values, there is a pole.

use super::path::{Path, between};
use super::refinement::{CUTS, Level, Limit, has_no_limit};
use super::solve::{Found, Run};
use super::tolerance::WARM_BARRIER;
use rattleback_symbolic::{Ranges, Symbol};

/// How often a box is halved, and how many boxes are looked at.
const HALVED: usize = 40;
const BOXES: usize = 4096;
/// By how much a cost next to its pole is above those that the mesh saw.
const ABOVE: f64 = 100.0;

/// Time, state and controls.
type Sample = (f64, Vec<f64>, Vec<f64>);

/// The running cost over boxes of time, states and controls.
struct Enclosed {
    cost: Ranges,
    /// The free numbers and constants.
    numbers: Vec<(f64, f64)>,
}

impl Enclosed {
    fn of(run: &Run, free: &[f64]) -> Option<Self> {
        let posed = &run.transcriber.posed;
        let plant = &posed.plant;
        let constants = posed.constants.iter();
        let symbols: Vec<Symbol> = ([Symbol::time()].into_iter())
            .chain(plant.state_symbols())
            .chain(plant.controls.iter().cloned())
            .chain(posed.free.iter().map(|(s, _)| s.clone()))
            .chain(constants.clone().map(|(s, _)| s.clone()))
            .collect();
        let numbers = free.iter().chain(constants.map(|(_, v)| v));
        Some(Self {
            cost: Ranges::new(&symbols, std::slice::from_ref(&plant.cost)).ok()?,
            numbers: numbers.map(|v| (*v, *v)).collect(),
        })
    }

    /// The largest magnitude over the box about some samples; none where it has no bound.
    fn most(&self, samples: &[&Sample]) -> Option<f64> {
        let mut sides: Vec<(f64, f64)> = Vec::new();
        for (t, x, u) in samples {
            let row = [&[*t][..], x, u].concat();
            sides.resize(row.len(), (f64::INFINITY, f64::NEG_INFINITY));
            for (side, v) in sides.iter_mut().zip(row) {
                *side = (side.0.min(v), side.1.max(v));
            }
        }
        sides.extend(&self.numbers);
        let (low, high) = self.cost.over(&sides)[0]?;
        Some(low.abs().max(high.abs())).filter(|most| most.is_finite())
    }
}

impl Run<'_> {
    /// The time of the first pole of the running cost on a path between its ends, if there is one.
    fn pole(&self, path: &Path) -> Option<f64> {
        let plant = &self.transcriber.posed.plant;
        let enclosed = Enclosed::of(self, &path.free)?;
        let sample = |k: usize| {
            (
                path.times[k],
                path.states[k].clone(),
                path.controls[k].clone(),
            )
        };
        let all: Vec<Sample> = (0..path.times.len()).map(sample).collect();
        if enclosed.most(&all.iter().collect::<Vec<_>>()).is_some() {
            return None;
        }
        let values = all.iter().filter_map(|s| enclosed.most(&[s]));
        let largest = values.fold(0.0, f64::max);
        let (first, last) = (all[0].0, all[all.len() - 1].0);
        let mut parts: Vec<(Sample, Sample, usize)> = (all.windows(2).rev())
            .map(|w| (w[0].clone(), w[1].clone(), 0))
            .collect();
        for _ in 0..BOXES {
            let (a, b, halved) = parts.pop()?;
            if enclosed.most(&[&a, &b]).is_some() {
                continue;
            }
            if halved == HALVED {
                let is_end = a.0 <= first || b.0 >= last;
                let near = [&a, &b].map(|s| enclosed.most(&[s]));
                let is_above = near.iter().flatten().any(|v| *v > ABOVE * largest);
                match is_above && !is_end {
                    true => return Some(a.0),
                    false => continue,
                }
            }
            let mean = |(a, b): (&f64, &f64)| a + (b - a) / 2.0;
            let controls = a.2.iter().zip(&b.2).map(mean).collect();
            let middle = (
                mean((&a.0, &b.0)),
                between(plant, &a.1, &b.1, 0.5),
                controls,
            );
            parts.push((middle.clone(), b, halved + 1));
            parts.push((a, middle, halved + 1));
        }
        None
    }

    /// Cuts the mesh where the path meets a pole of the cost, again and again: does the cost tend to a value?
    pub(super) fn limit_at_pole(&mut self, level: &Level, found: &Found) -> Limit {
        let Some(mut pole) = self.pole(&level.path) else {
            return Limit::Path;
        };
        let (mut mesh, mut path) = (found.transcription.mesh.clone(), level.path.clone());
        let mut costs = vec![level.cost];
        let nodes_of = |run: &Self, found: &Found| {
            let at = &found.outcome.iterate.point;
            run.transcriber.node_times(&found.transcription, at)
        };
        let mut nodes = nodes_of(self, found);
        for _ in 0..CUTS.0 {
            let is_hit = |w: &[f64]| w[0] <= pole && pole <= w[1];
            let parts = nodes.windows(2).map(|w| if is_hit(w) { CUTS.1 } else { 1 });
            mesh = mesh.refined(&parts.collect::<Vec<_>>());
            let cut = self.on(mesh.clone(), &path, Some(WARM_BARRIER));
            if !cut.is_good() {
                break;
            }
            (nodes, path) = (nodes_of(self, &cut), self.level(&cut).path);
            costs.push(cut.outcome.objective);
            match self.pole(&path) {
                Some(time) => pole = time,
                None => break,
            }
        }
        match has_no_limit(&costs, level.cost.abs()) {
            true => Limit::Growth(pole),
            false => Limit::Pole(pole),
        }
    }
}
