//! Directions that a discretisation leaves free: the cost does not tell them, and they change over from sample to sample,
//! so that no motion has them.

use super::solve::{Found, Run};
use crate::stage::flat_direction;

/// Σ (d_{k+1} − d_k)² / Σ d_k² of a direction along the path: 4 where it alternates, 2 where it is random, next to nothing
/// where it is smooth.
const ROUGH: f64 = 0.5;

impl Run<'_> {
    /// Does the discretisation leave a direction free that is none of the problem's own? Asked of even meshes: a control on
    /// an interval far shorter than others has next to no effect by that alone.
    pub(super) fn leaves_free(&self, found: &Found) -> bool {
        if !found.transcription.mesh.is_even() {
            return false;
        }
        let Some(direction) = flat_direction(&found.transcription.problem, &found.outcome) else {
            return false;
        };
        let samples = self.samples(found, &direction);
        let (mut change, mut size) = (0.0, 0.0);
        for sequence in &samples {
            size += sequence.iter().map(|d| d * d).sum::<f64>();
            let steps = sequence.windows(2).map(|w| (w[1] - w[0]).powi(2));
            change += steps.sum::<f64>();
        }
        change > ROUGH * size
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
            let mut sequence = Vec::new();
            for (k, start) in t.starts[..=n].iter().enumerate() {
                let mut take = |at: usize| sequence.push(direction[start + at + i]);
                if shape.node_controls {
                    take(shape.controls_at_node().start);
                }
                if k < n {
                    (0..shape.inside).for_each(|j| take(shape.controls_inside(j).start));
                    let own = 0..shape.interval_controls;
                    own.for_each(|j| take(shape.controls_of_interval(j).start));
                }
            }
            sequence
        });
        states.chain(controls).collect()
    }
}
