//! Directions that a discretisation leaves free: the cost does not tell them, and they change over from sample to sample,
//! so that no motion has them.

use super::hamiltonian::Hamiltonian;
use super::refinement::ranges;
use super::solve::{Found, Run};
use crate::stage::{Outcome, StageProblem, flat_direction, is_abnormal, is_strict_in};
use std::sync::Arc;

/// Σ (d_{k+1} − d_k)² / Σ d_k² of a direction along the path: 4 where it alternates, 2 where it is random, next to nothing
/// where it is smooth.
const ROUGH: f64 = 0.5;
/// The part of a direction, by its squares, that is most of it.
const MOSTLY: f64 = 0.5;

impl Run<'_> {
    /// Does the discretisation leave a direction free that is none of the problem's own? Asked of even meshes: a control on
    /// an interval far shorter than others has next to no effect by that alone.
    pub(super) fn leaves_free(&self, found: &Found) -> bool {
        if !found.transcription.mesh.is_even() {
            return false;
        }
        let Some(direction) = self.flat_direction(found) else {
            return false;
        };
        let samples = self.samples(found, &direction);
        let (mut change, mut size) = (0.0, 0.0);
        for sequence in &samples {
            size += sequence.iter().map(|d| d * d).sum::<f64>();
            let steps = sequence.windows(2).map(|w| (w[1] - w[0]).powi(2));
            change += steps.sum::<f64>();
        }
        change > ROUGH * size && !self.is_open(found, &direction)
    }

    /// Is the path an abnormal extremal: do the conditions of motion and ends depend on each other along it? Where bounds hold
    /// it, that is not asked.
    pub(super) fn is_abnormal(&self, found: &Found) -> bool {
        let ask = |problem: &StageProblem, at: &Outcome| is_abnormal(problem, &at.iterate.point);
        !found.outcome.held && self.measured(found, ask)
    }

    /// Is a path a minimum that is strict in its states, whatever the controls do that these do not feel?
    pub(super) fn is_strict_in_states(&self, found: &Found) -> bool {
        let (t, shape) = (&found.transcription, &self.transcriber.shape);
        let mut states = vec![false; t.problem.variables()];
        for start in &t.starts[..=t.mesh.intervals()] {
            states[*start..*start + shape.directions].fill(true);
        }
        let ask = |problem: &StageProblem, at: &Outcome| is_strict_in(problem, at, &states);
        self.measured(found, ask)
    }

    /// A direction along which nothing changes.
    fn flat_direction(&self, found: &Found) -> Option<Vec<f64>> {
        self.measured(found, flat_direction)
    }

    /// Asks something of a program with its solution, as they are measured.
    fn measured<T>(&self, found: &Found, ask: impl Fn(&StageProblem, &Outcome) -> T) -> T {
        let (t, outcome) = (&found.transcription, &found.outcome);
        let units = self
            .transcriber
            .units(&self.sizes, t, &outcome.iterate.point);
        let Some(units) = units else {
            return ask(&t.problem, outcome);
        };
        let mut measured = outcome.clone();
        measured.iterate = units.measure(&outcome.iterate);
        ask(&t.problem.measured_in(Arc::clone(&units)), &measured)
    }

    /// Does H itself leave the controls open where the direction changes them: on a singular arc, at a switch, where a
    /// bound on the state determines their mean and no more, or where they hardly act, as an angle without thrust does?
    fn is_open(&self, found: &Found, direction: &[f64]) -> bool {
        let (t, posed) = (&found.transcription, &self.transcriber.posed);
        let Some(h) = Hamiltonian::of(posed) else {
            return false;
        };
        let at = &found.outcome.iterate.point;
        let path = self.transcriber.trajectory(t, &found.outcome.iterate);
        let free = self.transcriber.free_values(t, at);
        let n = t.mesh.intervals();
        let places = |i| self.transcriber.control_places(&t.starts, n, i);
        let controls: Vec<Vec<usize>> = (0..self.transcriber.shape.controls).map(places).collect();
        let samples = controls.first().map_or(0, Vec::len);
        let ranges = ranges(&path.controls);
        let whole = path.times[n] - path.times[0];
        let least = self.request.tolerance * self.cost_size().max(found.outcome.objective.abs());
        let (mut open, mut all) = (0.0, 0.0);
        for j in 0..samples {
            let places = controls.iter().map(|of| of[j]);
            let square: f64 = places.clone().map(|p| direction[p].powi(2)).sum();
            all += square;
            let u: Vec<f64> = places.map(|p| at.variables[p]).collect();
            let k = t.starts.partition_point(|start| *start <= controls[0][j]) - 1;
            let k = k.min(n);
            let (x, p) = (&path.states[k][..], &path.costates[k][..]);
            let place = (path.times[k], x, &free[..], p);
            let way: Vec<f64> = controls.iter().map(|of| direction[of[j]]).collect();
            let hardly_acts = || h.changes(place, &u, &along(&way, &ranges)) * whole <= least;
            if h.leaves_open(posed, place, &u) || hardly_acts() {
                open += square;
            }
        }
        open > MOSTLY * all
    }

    /// States at the nodes and controls at all samples of a direction, each in the order of time.
    fn samples(&self, found: &Found, direction: &[f64]) -> Vec<Vec<f64>> {
        let (t, shape) = (&found.transcription, &self.transcriber.shape);
        let n = t.mesh.intervals();
        let states = (0..shape.directions).map(|i| {
            let nodes = t.starts[..=n].iter();
            nodes.map(|start| direction[start + i]).collect()
        });
        let controls = (0..shape.controls).map(|i| {
            let places = self.transcriber.control_places(&t.starts, n, i);
            places.into_iter().map(|place| direction[place]).collect()
        });
        states.chain(controls).collect()
    }
}

/// A step along a direction by which no control changes by more than its range.
fn along(direction: &[f64], ranges: &[f64]) -> Vec<f64> {
    let parts = direction.iter().zip(ranges).map(|(d, r)| (d / r).abs());
    let most = parts.fold(f64::MIN_POSITIVE, f64::max);
    direction.iter().map(|d| d / most).collect()
}
