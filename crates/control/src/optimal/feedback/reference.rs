//! A path between its nodes, and deviations from it.

use super::super::extract::Trajectory;
use super::super::path::way;
use super::super::posed::{Bounded, Posed};
use rattleback_lie::{Retraction, Trivialization};

/// A path with its rates at the nodes: cubic between them, in the chart of the exponential on groups.
#[derive(Clone, Copy)]
pub(super) struct Reference<'a> {
    pub posed: &'a Posed,
    pub path: &'a Trajectory,
    /// The velocity, then the rates of components, at each node.
    pub rates: &'a [Vec<f64>],
}

impl Reference<'_> {
    /// The interval of a time, its width, and the share of it that is behind.
    pub fn place(&self, t: f64) -> (usize, f64, f64) {
        let times = &self.path.times;
        let behind = times.partition_point(|x| *x <= t);
        let k = behind.clamp(1, times.len() - 1) - 1;
        let width = times[k + 1] - times[k];
        (k, width, ((t - times[k]) / width).clamp(0.0, 1.0))
    }

    /// The state at a time.
    pub fn state(&self, t: f64) -> Vec<f64> {
        let (k, width, s) = self.place(t);
        let (a, b) = (&self.path.states[k], &self.path.states[k + 1]);
        let (v, w) = (&self.rates[k], &self.rates[k + 1]);
        let plant = &self.posed.plant;
        let mut state = a.clone();
        for factor in plant.factors() {
            let (base, fibre) = (factor.base.clone(), factor.fibre.clone());
            let Some(group) = factor.group else {
                let (i, j) = (base.start, fibre.start);
                state[i] = hermite(s, width, [a[i], b[i]], [v[j], w[j]]);
                continue;
            };
            let (from, to) = (&a[base.clone()], &b[base.clone()]);
            let Some(theta) = way(factor, from, to) else {
                continue;
            };
            let side = factor.trivialization;
            let arrival = &w[fibre.clone()];
            let moved = Retraction::Exponential.tangent_inverse(group, side, &theta, arrival);
            let arrival = moved.unwrap_or_else(|_| arrival.to_vec());
            let part: Vec<f64> = (theta.iter().zip(&v[fibre]).zip(&arrival))
                .map(|((x, v), w)| hermite(s, width, [0.0, *x], [*v, *w]))
                .collect();
            let turn = group.exp(&part);
            state[base].copy_from_slice(&match side {
                Trivialization::Body => group.product(from, &turn),
                Trivialization::Space => group.product(&turn, from),
            });
        }
        let (base, rank) = (plant.base().len(), plant.system.frame().rank());
        for i in 0..plant.components.len() {
            let values = [a[base + i], b[base + i]];
            state[base + i] = hermite(s, width, values, [v[rank + i], w[rank + i]]);
        }
        state
    }

    /// The controls at a time: the cubic through four nodes, inside of their bounds.
    pub fn controls(&self, t: f64) -> Vec<f64> {
        let times = &self.path.times;
        let (k, ..) = self.place(t);
        let count = times.len().min(4);
        let first = k.saturating_sub(1).min(times.len() - count);
        let weight = |i: usize| -> f64 {
            let others = (first..first + count).filter(|j| *j != i);
            others
                .map(|j| (t - times[j]) / (times[i] - times[j]))
                .product()
        };
        let value = |u: usize| {
            let nodes = first..first + count;
            nodes.map(|i| weight(i) * self.path.controls[i][u]).sum()
        };
        let all: Vec<f64> = (0..self.posed.plant.controls.len()).map(value).collect();
        self.held(all)
    }

    /// Controls inside of their bounds.
    pub fn held(&self, mut controls: Vec<f64>) -> Vec<f64> {
        for b in &self.posed.simple {
            if let Bounded::Control(i) = b.on {
                controls[i] = controls[i].max(b.lower).min(b.upper);
            }
        }
        controls
    }

    /// How far a state is from another, by direction.
    pub fn deviation(&self, from: &[f64], to: &[f64]) -> Option<Vec<f64>> {
        let plant = &self.posed.plant;
        let mut all = Vec::new();
        for factor in plant.factors() {
            let (a, b) = (&from[factor.base.clone()], &to[factor.base.clone()]);
            match factor.group {
                None => all.push(b[0] - a[0]),
                Some(_) => all.extend(way(factor, a, b)?),
            }
        }
        let base = plant.base().len();
        all.extend(from[base..].iter().zip(&to[base..]).map(|(a, b)| b - a));
        Some(all)
    }
}

/// The cubic with these values and slopes at the ends of an interval.
fn hermite(s: f64, width: f64, [a, b]: [f64; 2], [v, w]: [f64; 2]) -> f64 {
    let (r, ss, rr) = (1.0 - s, s * s, (1.0 - s) * (1.0 - s));
    a * (1.0 + 2.0 * s) * rr + b * (3.0 - 2.0 * s) * ss + width * (v * s * rr - w * r * ss)
}
