//! A path by samples: a first guess, an earlier result, the way from one mesh to the next.

use super::plant::Plant;
use rattleback_lie::Trivialization;
use rattleback_mechanics::Factor;

/// States and controls at times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// The times, ascending.
    pub times: Vec<f64>,
    /// Positions, then components, at each.
    pub states: Vec<Vec<f64>>,
    /// Controls at each.
    pub controls: Vec<Vec<f64>>,
    /// The free numbers.
    pub free: Vec<f64>,
}

impl Path {
    /// State and controls at a share of the time, from 0 to 1.
    pub fn at(&self, plant: &Plant, share: f64) -> (Vec<f64>, Vec<f64>) {
        let (first, last) = (self.times[0], self.times[self.times.len() - 1]);
        let t = first + share * (last - first);
        let behind = self.times.partition_point(|x| *x < t);
        let b = behind.clamp(1, self.times.len() - 1);
        let a = b - 1;
        let width = self.times[b] - self.times[a];
        let s = if width > 0.0 {
            (t - self.times[a]) / width
        } else {
            0.0
        };
        let s = s.clamp(0.0, 1.0);
        let state = between(plant, &self.states[a], &self.states[b], s);
        let controls = self.controls[a].iter().zip(&self.controls[b]);
        let controls = controls.map(|(a, b)| a + s * (b - a)).collect();
        (state, controls)
    }
}

/// The state at a share of the way from one to another.
pub(super) fn between(plant: &Plant, a: &[f64], b: &[f64], s: f64) -> Vec<f64> {
    let mut state: Vec<f64> = a.iter().zip(b).map(|(a, b)| a + s * (b - a)).collect();
    for factor in plant.factors() {
        let Some(group) = factor.group else { continue };
        let (from, to) = (&a[factor.base.clone()], &b[factor.base.clone()]);
        let place = &mut state[factor.base.clone()];
        let Some(theta) = way(factor, from, to) else {
            place.copy_from_slice(from);
            continue;
        };
        let part: Vec<f64> = theta.iter().map(|x| s * x).collect();
        let turn = group.exp(&part);
        place.copy_from_slice(&match factor.trivialization {
            Trivialization::Body => group.product(from, &turn),
            Trivialization::Space => group.product(&turn, from),
        });
    }
    state
}

/// How far beside a half turn its logarithm is taken, in each direction another multiple of it.
const NUDGE: f64 = 1e-3;

/// The logarithm of the way from one element to another; at a half turn that of one nearby.
pub(super) fn way(factor: &Factor, from: &[f64], to: &[f64]) -> Option<Vec<f64>> {
    let group = factor.group?;
    let way = match factor.trivialization {
        Trivialization::Body => group.product(&group.inverse(from), to),
        Trivialization::Space => group.product(to, &group.inverse(from)),
    };
    group.log(&way).ok().or_else(|| {
        let nudge: Vec<f64> = (0..group.dimension())
            .map(|i| NUDGE * (i + 1) as f64)
            .collect();
        group.log(&group.product(&way, &group.exp(&nudge))).ok()
    })
}
