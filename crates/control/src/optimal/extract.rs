//! The path of a solution: states, controls, costates and the Hamiltonian at the nodes.

use super::hamiltonian::Hamiltonian;
use super::node::state;
use super::path::Path;
use super::posed::{Bounded, Posed, SimpleBound};
use super::scatter::Scatter;
use super::scheme::At;
use super::steering::ControlPiece;
use super::transcribe::{Transcriber, Transcription};
use crate::stage::{Iterate, Point};

/// A path with what is known of it at its nodes.
#[derive(Clone, Debug, Default)]
pub struct Trajectory {
    /// The times of the nodes.
    pub times: Vec<f64>,
    /// Positions, then components.
    pub states: Vec<Vec<f64>>,
    /// Controls.
    pub controls: Vec<Vec<f64>>,
    /// Costates by direction: sections of the frame, then components.
    pub costates: Vec<Vec<f64>>,
    /// H = p·f − cost.
    pub hamiltonian: Vec<f64>,
    /// The polynomials of each control on the intervals.
    pub steering: Vec<Vec<ControlPiece>>,
    /// Whether H does not determine the controls by its second derivatives, where no bound holds them.
    pub flat: Vec<bool>,
}

impl Transcriber {
    /// The path of a point with all of its samples, for another mesh.
    pub fn path(&self, t: &Transcription, at: &Point) -> Path {
        let (shape, plant) = (&self.shape, &self.posed.plant);
        let n = t.mesh.intervals();
        let times = self.node_times(t, at);
        let nodes = self.controls_at_nodes(t, at);
        let mut path = Path {
            free: self.free_values(t, at),
            ..Path::default()
        };
        let inside = self.inside_shares();
        for k in 0..=n {
            let here = self.state_at(t, at, k);
            path.times.push(times[k]);
            path.controls.push(nodes[k].clone());
            path.states.push(here.clone());
            if k == n {
                break;
            }
            let block = &at.variables[t.starts[k]..];
            for (j, c) in inside.iter().enumerate().filter(|(_, c)| **c < 1.0) {
                let chart = &block[shape.inside(j)];
                let mut step = chart.to_vec();
                let (own, _) = super::node::numbers(plant, &here);
                for factor in plant.factors().iter().filter(|f| f.group.is_none()) {
                    step[factor.fibre.start] -= own[factor.fibre.start];
                }
                let rank = plant.system.frame().rank();
                for i in rank..step.len() {
                    step[i] -= own[i];
                }
                path.times.push(times[k] + c * (times[k + 1] - times[k]));
                path.states
                    .push(super::goal::moved(&self.posed, &here, &step));
                path.controls.push(block[shape.controls_inside(j)].to_vec());
            }
        }
        path
    }

    fn inside_shares(&self) -> Vec<f64> {
        self.scheme.tableau().map_or(Vec::new(), |tableau| {
            let all = tableau.points.iter().zip(&tableau.nodes);
            let inside = all.filter(|(at, _)| **at == At::Inside);
            inside
                .map(|(_, c)| c.evaluate(&[]).unwrap_or(0.5))
                .collect()
        })
    }

    /// The state of a node.
    pub fn state_at(&self, t: &Transcription, at: &Point, k: usize) -> Vec<f64> {
        let mut variables = at.variables[t.starts[k]..t.starts[k] + self.shape.directions].to_vec();
        let between = self.scheme == super::Scheme::Midpoint && self.shape.staggered > 0;
        if between && k > 0 && k < t.mesh.intervals() {
            // What lives on intervals goes to nodes as the mean of its neighbours.
            let before = &at.variables[t.starts[k - 1]..][self.shape.staggered()];
            let rank = self.shape.staggered;
            for (v, b) in variables[rank..].iter_mut().zip(before) {
                *v = (*v + b) / 2.0;
            }
        }
        let elements = &at.elements[k * t.elements..(k + 1) * t.elements];
        state(&self.posed.plant, &variables, elements)
    }

    /// The controls at the nodes: their own, or what lives on intervals, as the mean of its neighbours.
    pub fn controls_at_nodes(&self, t: &Transcription, at: &Point) -> Vec<Vec<f64>> {
        let shape = &self.shape;
        let n = t.mesh.intervals();
        let block = |k: usize| &at.variables[t.starts[k]..];
        if shape.node_controls {
            let last = if self.scheme == super::Scheme::Map && n > 0 {
                n - 1
            } else {
                n
            };
            let at_node = |k: usize| block(k.min(last))[shape.controls_at_node()].to_vec();
            return (0..=n).map(at_node).collect();
        }
        let shares = self.inside_shares();
        let ends = |k: usize| -> [Vec<f64>; 2] {
            if shape.interval_controls > 0 {
                let both = shape.interval_controls - 1;
                let value = |j: usize| block(k)[shape.controls_of_interval(j)].to_vec();
                return match self.scheme {
                    super::Scheme::Trapezoid => [value(0), value(both)],
                    _ => {
                        let (a, b) = (value(0), value(both));
                        let mean: Vec<f64> = a.iter().zip(&b).map(|(a, b)| (a + b) / 2.0).collect();
                        [mean.clone(), mean]
                    }
                };
            }
            [0.0, 1.0].map(|s| {
                (0..shape.controls)
                    .map(|i| {
                        let values: Vec<f64> = (0..shares.len())
                            .map(|j| block(k)[shape.controls_inside(j)][i])
                            .collect();
                        interpolate(&shares, &values, s)
                    })
                    .collect()
            })
        };
        let all: Vec<[Vec<f64>; 2]> = (0..n).map(ends).collect();
        (0..=n)
            .map(|k| {
                match (
                    k.checked_sub(1).map(|j| &all[j][1]),
                    all.get(k).map(|e| &e[0]),
                ) {
                    (Some(a), Some(b)) => a.iter().zip(b).map(|(a, b)| (a + b) / 2.0).collect(),
                    (Some(a), None) | (None, Some(a)) => a.clone(),
                    (None, None) => Vec::new(),
                }
            })
            .collect()
    }

    /// What a solution is at its nodes. The costates are the discrete Legendre transforms p_k = −∂ℓ_k/∂x_k and
    /// p_N = ∂ℓ_{N−1}/∂x_N of the Lagrangian ℓ_k = cost + λ·c of an interval (CG-E13, AC-PR5): exactly −∂J/∂x_0 at
    /// the start.
    pub fn trajectory(&self, t: &Transcription, solution: &Iterate) -> Trajectory {
        let at = &solution.point;
        let n = t.mesh.intervals();
        let shape = &self.shape;
        let times = self.node_times(t, at);
        let states: Vec<Vec<f64>> = (0..=n).map(|k| self.state_at(t, at, k)).collect();
        let controls = self.controls_at_nodes(t, at);
        let slope = |k: usize| t.problem.slope_of(k + 1, at, &solution.multipliers);
        let nan = vec![f64::NAN; shape.directions];
        let mut costates: Vec<Vec<f64>> = (0..n)
            .map(|k| match slope(k) {
                Some(s) => s[..shape.directions].iter().map(|x| -x).collect(),
                None => nan.clone(),
            })
            .collect();
        let last = n.checked_sub(1).and_then(slope);
        costates.push(match last {
            Some(s) => s[shape.size()..shape.size() + shape.directions].to_vec(),
            None => nan,
        });
        let free = self.free_values(t, at);
        let mut controls = controls;
        let ranges = ranges(&controls);
        let mut flat = Vec::new();
        let hamiltonian = match Hamiltonian::of(&self.posed) {
            None => Vec::new(),
            Some(h) => (0..=n)
                .map(|k| {
                    let place = (times[k], &states[k][..], &free[..], &costates[k][..]);
                    if self.scheme.tableau().is_some() {
                        h.sharpen(&self.posed, place, &ranges, &mut controls[k]);
                    }
                    flat.push(h.is_flat(&self.posed, place, &controls[k]));
                    h.at(place, &controls[k])
                })
                .collect(),
        };
        Trajectory {
            steering: self.steering(t, at),
            times,
            states,
            controls,
            costates,
            hamiltonian,
            flat,
        }
    }
}

impl Posed {
    /// Do neither bounds nor the second derivatives of H determine the controls, whatever the path? Asked at samples
    /// of a path and beside them, as first iterates may be where a coefficient vanishes, with costates of all kinds.
    pub(super) fn leaves_controls_open(&self, path: &Path) -> bool {
        let bounded = |b: &SimpleBound| matches!(b.on, Bounded::Control(_));
        let Some(h) = Hamiltonian::of(self) else {
            return false;
        };
        let fenced = self.paths.iter().any(|b| b.on_controls);
        if fenced || self.simple.iter().any(bounded) || self.plant.controls.is_empty() {
            return false;
        }
        let costate = |k: usize, i: usize| ((3 * i + 7 * k + 1) as f64).sin() + 1.5;
        (0..path.times.len()).step_by(8).all(|k| {
            let p: Vec<f64> = (0..self.plant.directions())
                .map(|i| costate(k, i))
                .collect();
            let base = self.plant.base().len();
            let mut scatter = Scatter::new(k);
            let mut beside = |x: &f64| x + 0.1 * (1.0 + x.abs()) * scatter.next();
            let (positions, rest) = path.states[k].split_at(base);
            let moved = [positions.to_vec(), rest.iter().map(&mut beside).collect()].concat();
            let steered: Vec<f64> = path.controls[k].iter().map(&mut beside).collect();
            let both = [(&path.states[k], &path.controls[k]), (&moved, &steered)];
            both.iter().all(|(x, u)| {
                let place = (path.times[k], &x[..], &path.free[..], &p[..]);
                h.is_flat(self, place, u)
            })
        })
    }
}

/// The value at s of the polynomial through samples.
fn interpolate(nodes: &[f64], values: &[f64], s: f64) -> f64 {
    let weight = |j: usize| -> f64 {
        let others = nodes.iter().enumerate().filter(|(i, _)| *i != j);
        others.map(|(_, x)| (s - x) / (nodes[j] - x)).product()
    };
    values.iter().enumerate().map(|(j, v)| weight(j) * v).sum()
}

/// What each control changes by along a path.
fn ranges(controls: &[Vec<f64>]) -> Vec<f64> {
    let n = controls.first().map_or(0, Vec::len);
    let range = |i: usize| {
        let values = controls.iter().map(|u| u[i]);
        let (least, most) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
            (a.min(x), b.max(x))
        });
        most - least
    };
    (0..n).map(range).collect()
}
