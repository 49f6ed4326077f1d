//! The controls of a solution between its nodes: the polynomials that its scheme means.

use super::scheme::{At, Scheme};
use super::transcribe::{Transcriber, Transcription};
use crate::stage::Point;

/// c₀ + c₁ s + c₂ s² + c₃ s³ in the time s since the node, for one interval.
pub type ControlPiece = [f64; 4];

impl Transcriber {
    /// The polynomials of each control, one per interval; none for a map.
    ///
    /// Collocations take the one through the values at their points, so that the motion under these controls differs
    /// from the path by the error of the scheme; what has a value at each end of an interval the straight line.
    pub fn steering(&self, t: &Transcription, at: &Point) -> Vec<Vec<ControlPiece>> {
        if self.scheme == Scheme::Map {
            return Vec::new();
        }
        let times = self.node_times(t, at);
        let intervals = 0..t.mesh.intervals();
        (0..self.shape.controls)
            .map(|i| {
                let piece = |k: usize| {
                    let (shares, values) = self.control_samples(t, at, k, i);
                    let width = times[k + 1] - times[k];
                    let nodes: Vec<f64> = shares.iter().map(|s| s * width).collect();
                    polynomial(&nodes, &values)
                };
                intervals.clone().map(piece).collect()
            })
            .collect()
    }

    /// The variables that are samples of a control in blocks that begin here, in the order of time.
    pub(super) fn control_places(&self, starts: &[usize], n: usize, i: usize) -> Vec<usize> {
        let shape = &self.shape;
        let mut places = Vec::new();
        for (k, start) in starts[..=n].iter().enumerate() {
            let mut take = |at: usize| places.push(start + at + i);
            if shape.node_controls {
                take(shape.controls_at_node().start);
            }
            if k < n {
                (0..shape.inside).for_each(|j| take(shape.controls_inside(j).start));
                let own = 0..shape.interval_controls;
                own.for_each(|j| take(shape.controls_of_interval(j).start));
            }
        }
        places
    }

    /// The values of a control on an interval, and the shares of it where they are.
    fn control_samples(
        &self,
        t: &Transcription,
        at: &Point,
        k: usize,
        i: usize,
    ) -> (Vec<f64>, Vec<f64>) {
        let shape = &self.shape;
        let block = |k: usize| &at.variables[t.starts[k]..];
        let at_node = |k: usize| block(k)[shape.controls_at_node()][i];
        let Some(tableau) = self.scheme.tableau() else {
            return match shape.interval_controls {
                0 => (vec![0.0, 1.0], vec![at_node(k), at_node(k + 1)]),
                1 => (vec![0.0], vec![block(k)[shape.controls_of_interval(0)][i]]),
                last => {
                    let value = |j: usize| block(k)[shape.controls_of_interval(j)][i];
                    (vec![0.0, 1.0], vec![value(0), value(last - 1)])
                }
            };
        };
        let mut inside = 0;
        let points = tableau.points.iter().zip(&tableau.nodes);
        points
            .map(|(point, share)| {
                let value = match point {
                    At::Start => at_node(k),
                    At::End => at_node(k + 1),
                    At::Inside => {
                        inside += 1;
                        block(k)[shape.controls_inside(inside - 1)][i]
                    }
                };
                (share.evaluate(&[]).unwrap_or(0.5), value)
            })
            .unzip()
    }
}

/// The polynomial through at most four samples: Newton's divided differences, multiplied out.
fn polynomial(nodes: &[f64], values: &[f64]) -> ControlPiece {
    let mut differences = values.to_vec();
    for order in 1..values.len() {
        for i in (order..values.len()).rev() {
            let width = nodes[i] - nodes[i - order];
            differences[i] = (differences[i] - differences[i - 1]) / width;
        }
    }
    let mut found = [0.0; 4];
    for (difference, node) in differences.iter().zip(nodes).rev() {
        // found · (s − node) + difference
        for k in (1..4).rev() {
            found[k] = found[k - 1] - node * found[k];
        }
        found[0] = difference - node * found[0];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_polynomial_goes_through_its_samples() {
        let cubic = |s: f64| 1.0 - 2.0 * s + 0.5 * s * s - 3.0 * s.powi(3);
        let nodes = [0.1, 0.4, 0.7, 1.0];
        let exact = polynomial(&nodes, &nodes.map(cubic));
        for (found, c) in exact.iter().zip([1.0, -2.0, 0.5, -3.0]) {
            assert!((found - c).abs() < 1e-12, "{exact:?}");
        }
        assert_eq!(polynomial(&[0.0], &[2.0]), [2.0, 0.0, 0.0, 0.0]);
        assert_eq!(polynomial(&[0.0, 2.0], &[1.0, 5.0]), [1.0, 2.0, 0.0, 0.0]);
    }
}
