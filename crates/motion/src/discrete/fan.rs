//! Many motions beside one: the manifold p = DS^k over its data, with its folds (DP-A13, A15).

use super::action::Data;
use super::map::{MomentumMap, Node};
use rattleback_numeric::Dense;

/// One motion of a fan.
#[derive(Clone, Debug, PartialEq)]
pub struct Ray {
    /// Its nodes; fewer than asked for where a step has no solution.
    pub nodes: Vec<Node>,
    /// S at each node.
    pub values: Vec<f64>,
    /// det ∂q_j/∂u at each node, u being what the motion begins with: it changes its sign on caustics.
    pub spreads: Vec<f64>,
}

/// Motions that begin with u on a grid: momenta at a point, or feet on p = DS⁰.
#[derive(Clone, Debug, PartialEq)]
pub struct Fan {
    /// How many motions there are in each direction.
    pub counts: Vec<usize>,
    /// The motions, the last direction fastest.
    pub rays: Vec<Ray>,
}

impl Fan {
    /// The motion at a place of the grid.
    pub fn at(&self, place: &[usize]) -> &Ray {
        let index = place
            .iter()
            .zip(&self.counts)
            .fold(0, |k, (i, n)| k * n + i);
        &self.rays[index]
    }
}

impl MomentumMap {
    /// The motions whose data lie in a box around the data `middle`, over so many steps.
    pub fn fan(
        &self,
        steps: usize,
        data: &Data<'_>,
        middle: &[f64],
        reach: &[f64],
        count: usize,
    ) -> Fan {
        let n = middle.len();
        let counts = vec![count; n];
        let all = count.pow(u32::try_from(n).unwrap_or(u32::MAX));
        let part = |i: usize| 2.0 * i as f64 / (count - 1) as f64 - 1.0;
        let rays = (0..all).map(|mut index| {
            let mut u = middle.to_vec();
            for axis in (0..n).rev() {
                u[axis] += part(index % count) * reach[axis];
                index /= count;
            }
            self.ray(steps, data, &u)
        });
        Fan {
            rays: rays.collect(),
            counts,
        }
    }

    fn ray(&self, steps: usize, data: &Data<'_>, u: &[f64]) -> Ray {
        let n = self.dimension();
        let (start, mut spread) = data.begin(u);
        let determinant = |spread: &Dense| {
            let mut entries = spread.part((0, 0), n, n).entries().to_vec();
            rattleback_numeric::determinant(&mut entries, n)
        };
        let mut ray = Ray {
            spreads: vec![determinant(&spread)],
            values: vec![start.value],
            nodes: vec![start.node],
        };
        for k in 0..steps {
            let here = &ray.nodes[k];
            let (Ok(slopes), Ok((next, l))) = (self.slopes(k, here), self.advance(k, here)) else {
                break;
            };
            spread = &Dense::of_rows(2 * n, 2 * n, &slopes) * &spread;
            ray.spreads.push(determinant(&spread));
            ray.values.push(ray.values[k] + l);
            ray.nodes.push(next);
        }
        ray
    }
}
