//! The mesh of a stretch between ends, with the values of an iterate on it.

use super::gauss::Gauss;

/// Nodes σ on [0, 1] with values y, and the moving part of y at the Gauss points of each interval.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    pub(super) nodes: Vec<f64>,
    pub(super) values: Vec<Vec<f64>>,
    /// By interval, then by stage.
    pub(super) stages: Vec<Vec<Vec<f64>>>,
}

impl Stretch {
    /// Equal intervals, with values of a function of σ.
    pub(super) fn uniform(
        intervals: usize,
        gauss: &Gauss,
        moving: usize,
        value: impl Fn(f64) -> Vec<f64>,
    ) -> Self {
        let nodes: Vec<f64> = (0..=intervals)
            .map(|i| i as f64 / intervals as f64)
            .collect();
        let values = nodes.iter().map(|s| value(*s)).collect();
        let stage = |i: usize, c: &f64| -> Vec<f64> {
            let mut y = value(nodes[i] + c * (nodes[i + 1] - nodes[i]));
            y.truncate(moving);
            y
        };
        let stages = (0..intervals).map(|i| gauss.c.iter().map(|c| stage(i, c)).collect());
        Self {
            stages: stages.collect(),
            values,
            nodes,
        }
    }

    pub(super) fn intervals(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Cuts intervals in two; values between nodes by the polynomial through the first node and the stages.
    pub(super) fn cut(&mut self, which: &[bool], gauss: &Gauss) {
        let moving = self
            .stages
            .first()
            .and_then(|s| s.first())
            .map_or(0, Vec::len);
        let (mut nodes, mut values, mut stages) = (Vec::new(), Vec::new(), Vec::new());
        for (i, cut) in which.iter().enumerate() {
            nodes.push(self.nodes[i]);
            values.push(self.values[i].clone());
            if !cut {
                stages.push(self.stages[i].clone());
                continue;
            }
            let at = |s: f64| self.between(i, s, gauss, moving);
            let half = |from: f64| -> Vec<Vec<f64>> {
                gauss.c.iter().map(|c| at(from + c / 2.0)).collect()
            };
            stages.push(half(0.0));
            nodes.push((self.nodes[i] + self.nodes[i + 1]) / 2.0);
            let mut middle = at(0.5);
            let ends = self.values[i].iter().zip(&self.values[i + 1]).skip(moving);
            middle.extend(ends.map(|(a, b)| (a + b) / 2.0));
            values.push(middle);
            stages.push(half(0.5));
        }
        nodes.extend(self.nodes.last());
        values.extend(self.values.last().cloned());
        *self = Self {
            nodes,
            values,
            stages,
        };
    }

    /// The moving values in an interval at a part s of it.
    fn between(&self, i: usize, s: f64, gauss: &Gauss, moving: usize) -> Vec<f64> {
        let points: Vec<f64> = std::iter::once(0.0)
            .chain(gauss.c.iter().copied())
            .collect();
        let weight = |k: usize| -> f64 {
            let others = points.iter().enumerate().filter(|(j, _)| *j != k);
            others.map(|(_, x)| (s - x) / (points[k] - x)).product()
        };
        let weights: Vec<f64> = (0..points.len()).map(weight).collect();
        (0..moving)
            .map(|c| {
                let stages = self.stages[i].iter().zip(&weights[1..]);
                let stages: f64 = stages.map(|(z, w)| w * z[c]).sum();
                weights[0] * self.values[i][c] + stages
            })
            .collect()
    }
}
