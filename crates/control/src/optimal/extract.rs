//! The path of a solution: states, controls, costates and the Hamiltonian at the nodes.

use super::node::state;
use super::path::Path;
use super::posed::{Bounded, Posed, SimpleBound};
use super::scheme::At;
use super::steering::ControlPiece;
use super::transcribe::{Transcriber, Transcription};
use crate::stage::{Iterate, Point};
use rattleback_compile::program::{Derivatives, Interpreter, Program};
use rattleback_numeric::{complete_pivots, solve_scaled};
use rattleback_symbolic::{Expr, Symbol};

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
        let mut flat = Vec::new();
        let hamiltonian = match Hamiltonian::of(&self.posed) {
            None => Vec::new(),
            Some(h) => (0..=n)
                .map(|k| {
                    let place = (times[k], &states[k][..], &free[..], &costates[k][..]);
                    if self.scheme.tableau().is_some() {
                        h.sharpen(&self.posed, place, &mut controls[k]);
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
    /// of a path with costates of all kinds.
    pub(super) fn leaves_controls_open(&self, path: &Path) -> bool {
        let bounded = |b: &SimpleBound| matches!(b.on, Bounded::Control(_));
        let Some(h) = Hamiltonian::of(self) else {
            return false;
        };
        if self.simple.iter().any(bounded) || self.plant.controls.is_empty() {
            return false;
        }
        let costate = |k: usize, i: usize| ((3 * i + 7 * k + 1) as f64).sin() + 1.5;
        (0..path.times.len()).step_by(8).all(|k| {
            let p: Vec<f64> = (0..self.plant.directions())
                .map(|i| costate(k, i))
                .collect();
            let place = (path.times[k], &path.states[k][..], &path.free[..], &p[..]);
            h.is_flat(self, place, &path.controls[k])
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

/// Time, state, free numbers and costates of a node.
type Place<'a> = (f64, &'a [f64], &'a [f64], &'a [f64]);

/// H(t, x, u, p) = p·f − cost as a program, with its slopes by the controls.
struct Hamiltonian {
    rates: Interpreter,
    slopes: Interpreter,
    derivatives: Derivatives,
    rank: usize,
    controls: usize,
}

impl Hamiltonian {
    fn of(posed: &Posed) -> Option<Self> {
        let plant = &posed.plant;
        if plant.is_map {
            return None;
        }
        let free = posed.free.iter().map(|(f, _)| f.clone());
        let inputs: Vec<Symbol> = (plant.controls.iter().cloned())
            .chain([Symbol::time()])
            .chain(plant.state_symbols())
            .chain(free)
            .collect();
        let outputs: Vec<Expr> = (plant.velocity.iter().chain(&plant.rates))
            .chain([&plant.cost])
            .cloned()
            .collect();
        let program = Program::new(&inputs, &posed.constants, &plant.stages, &outputs).ok()?;
        let derivatives = program.with_second_derivatives(0..plant.controls.len());
        Some(Self {
            rates: Interpreter::new(program),
            slopes: Interpreter::new(derivatives.program.clone()),
            derivatives,
            rank: outputs.len() - 1,
            controls: plant.controls.len(),
        })
    }

    fn at(&self, (t, x, free, p): Place, u: &[f64]) -> f64 {
        let inputs = [u, &[t], x, free].concat();
        let Ok(out) = self.rates.values(&inputs) else {
            return f64::NAN;
        };
        let power: f64 = out[..self.rank].iter().zip(p).map(|(f, p)| f * p).sum();
        power - out[self.rank]
    }

    /// Slope and Hessian of H by the controls.
    fn curvature(&self, (t, x, free, p): Place, u: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
        let weights: Vec<f64> = p.iter().copied().chain([-1.0]).collect();
        let inputs = [u, &[t], x, free, &weights].concat();
        let out = self.slopes.values(&inputs).ok()?;
        let parts = self.derivatives.split(&out);
        let n = self.controls;
        let mut slope = vec![0.0; n];
        let jacobian = &self.derivatives.jacobian;
        jacobian.multiply_transposed(parts.jacobian, 1.0, &weights, &mut slope);
        let mut matrix = vec![0.0; n * n];
        for ((i, j), h) in self.derivatives.hessian.iter().zip(parts.hessian) {
            matrix[i * n + j] = *h;
            matrix[j * n + i] = *h;
        }
        Some((slope, matrix))
    }

    /// Is ∂²H/∂u² singular among the controls that no bound holds?
    fn is_flat(&self, posed: &Posed, place: Place, u: &[f64]) -> bool {
        if !posed.plant.equalities.is_empty() || posed.paths.iter().any(|b| b.on_controls) {
            return false;
        }
        let Some((_, matrix)) = self.curvature(place, u) else {
            return false;
        };
        let is_held = |i: &usize| {
            posed.simple.iter().any(|b| {
                let width = (b.upper - b.lower).min(1.0 + u[*i].abs());
                let gap = (u[*i] - b.lower).min(b.upper - u[*i]);
                b.on == Bounded::Control(*i) && gap <= 1e-3 * width
            })
        };
        let open: Vec<usize> = (0..self.controls).filter(|i| !is_held(i)).collect();
        if open.is_empty() {
            return false;
        }
        let rows = open.iter().flat_map(|&i| open.iter().map(move |&j| (i, j)));
        let mut inner: Vec<f64> = rows.map(|(i, j)| matrix[i * self.controls + j]).collect();
        let mut pivots = vec![0.0; open.len()];
        complete_pivots(&mut inner, open.len(), &mut pivots);
        let size = matrix.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        pivots.iter().any(|p| *p <= 1e-12 * size) || size == 0.0
    }

    /// The controls that make H stationary at a node: costates are known to the order of the scheme, controls of
    /// collocations at the nodes are not. Where bounds or equations hold the controls they stay as they are.
    fn sharpen(&self, posed: &Posed, place: Place, u: &mut Vec<f64>) {
        let bounded = |b: &SimpleBound| matches!(b.on, Bounded::Control(_));
        let held = posed.simple.iter().any(bounded)
            || posed.paths.iter().any(|b| b.on_controls)
            || !posed.plant.equalities.is_empty();
        if held || self.controls == 0 {
            return;
        }
        let mut found = u.clone();
        for _ in 0..4 {
            let Some((mut step, mut matrix)) = self.curvature(place, &found) else {
                return;
            };
            if solve_scaled(&mut matrix, &mut step).is_err() {
                return;
            }
            found.iter_mut().zip(&step).for_each(|(u, d)| *u -= d);
        }
        // A step that leaves the neighbourhood is none of this path.
        let both = u.iter().chain(&found);
        let size = both.fold(1e-6, |m: f64, v| m.max(v.abs()));
        let mut pairs = u.iter().zip(&found);
        let far = pairs.any(|(a, b)| !b.is_finite() || (a - b).abs() > 0.1 * size);
        if !far {
            *u = found;
        }
    }
}
