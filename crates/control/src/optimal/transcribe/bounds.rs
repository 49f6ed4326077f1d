//! Bounds on the variables of a program on a mesh.

use super::super::posed::{Bounded, SimpleBound};
use super::Transcriber;
use crate::stage::StageProblem;

/// The bounds of a program while they are narrowed.
struct Narrowing<'p> {
    problem: &'p mut StageProblem,
    /// The first variable of each block.
    starts: &'p [usize],
}

impl Narrowing<'_> {
    fn bound(&mut self, i: usize, lower: f64, upper: f64) {
        let problem = &mut *self.problem;
        problem.lower[i] = problem.lower[i].max(lower);
        problem.upper[i] = problem.upper[i].min(upper);
    }
}

impl Transcriber {
    /// Narrows the bounds of a program of n intervals.
    pub(super) fn add_bounds(&self, problem: &mut StageProblem, starts: &[usize], n: usize) {
        let mut all = Narrowing { problem, starts };
        for b in &self.posed.simple {
            for k in 0..=n {
                self.bound_at(&mut all, b, k, n);
            }
        }
        for k in 0..=n {
            self.bound_slacks(&mut all, k, n);
        }
        for i in self.shape.slacks_at_end() {
            all.bound(starts[n] + i, 0.0, f64::INFINITY);
        }
        // A free end time stays above the start.
        if let Some(i) = self.end_time_variable() {
            let from = self.posed.number(&self.posed.from).unwrap_or(0.0);
            all.bound(starts[n + 1] + i, from, f64::INFINITY);
        }
    }

    /// A bound on a state or a control at a node and inside the interval behind it, or on a free number.
    fn bound_at(&self, all: &mut Narrowing, b: &SimpleBound, k: usize, n: usize) {
        let (shape, start) = (&self.shape, all.starts[k]);
        let inside = 0..if k < n { shape.inside } else { 0 };
        let of_interval = 0..if k < n { shape.interval_controls } else { 0 };
        let mut bound = |i: usize| all.bound(i, b.lower, b.upper);
        match b.on {
            Bounded::State(i) => {
                let is_fixed =
                    k == 0 && self.posed.fixed[i] || k == n && self.posed.fixed_at_end(i).is_some();
                if !is_fixed {
                    bound(start + i);
                }
                inside.for_each(|j| bound(start + shape.inside(j).start + i));
            }
            Bounded::Control(i) => {
                if shape.node_controls {
                    bound(start + shape.controls_at_node().start + i);
                }
                inside.for_each(|j| bound(start + shape.controls_inside(j).start + i));
                of_interval.for_each(|j| bound(start + shape.controls_of_interval(j).start + i));
            }
            Bounded::Free(i) if k == 0 => {
                let shared = all.starts[n + 1];
                all.bound(shared + i, b.lower, b.upper);
            }
            Bounded::Free(_) => {}
        }
    }

    /// The slacks of values along the path at a node and inside the interval behind it.
    fn bound_slacks(&self, all: &mut Narrowing, k: usize, n: usize) {
        let (shape, start) = (&self.shape, all.starts[k]);
        let nodes = self.posed.paths.iter();
        let nodes = nodes.filter(|b| shape.node_controls || !b.on_controls);
        for (b, i) in nodes.zip(shape.slacks_at_node()) {
            all.bound(start + i, b.lower, b.upper);
        }
        for j in 0..if k < n { shape.slack_points() } else { 0 } {
            for (b, i) in self.posed.paths.iter().zip(shape.slacks_of(j)) {
                all.bound(start + i, b.lower, b.upper);
            }
        }
    }
}
