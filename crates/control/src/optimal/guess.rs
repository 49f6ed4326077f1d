//! First iterates: straight from start to end, as the model guesses, or scattered by a fixed seed.

use super::path::{Path, between, way};
use super::plant::Kind;
use super::posed::Posed;
use super::scatter::Scatter;
use super::scheme::At;
use super::tolerance::LEAST_SPAN;
use super::transcribe::{Transcriber, Transcription};
use crate::stage::Point;
use rattleback_lie::Trivialization;
use rattleback_symbolic::{Expr, Symbol, Tape};

/// How many samples a guess has.
const SAMPLES: usize = 64;

impl Posed {
    /// The first iterate; `scatter` 0 is the model's own, others are scattered about it.
    pub fn guess(&self, scatter: usize) -> Path {
        let free: Vec<f64> = self.free.iter().map(|(_, v)| *v).collect();
        let from = self.number(&self.from).unwrap_or(0.0);
        let to = self.number(&self.to).unwrap_or(from + 1.0);
        let stops = self.stops(from, to);
        let mut path = Path {
            free,
            ..Path::default()
        };
        let mut waves = Waves::new(scatter, self);
        for k in 0..=SAMPLES {
            let s = k as f64 / SAMPLES as f64;
            let t = from + s * (to - from);
            let i = stops
                .partition_point(|(time, _)| *time < t)
                .clamp(1, stops.len() - 1);
            let ((ta, a), (tb, b)) = (&stops[i - 1], &stops[i]);
            let local = if tb > ta { (t - ta) / (tb - ta) } else { 0.0 };
            let mut state = between(&self.plant, a, b, local);
            let mut controls = self.steering(a, b, tb - ta);
            self.overwrite(&mut state, &mut controls, t);
            waves.add(self, &mut state, &mut controls, s);
            path.times.push(t);
            path.states.push(state);
            path.controls.push(controls);
        }
        path
    }

    /// States that the path is led through: start, conditions on the way, end.
    fn stops(&self, from: f64, to: f64) -> Vec<(f64, Vec<f64>)> {
        let mut stops = vec![(from, self.start.state.clone())];
        let symbols = self.plant.state_symbols();
        for (time, stop, _) in &self.vias {
            let t = self.number(time).unwrap_or(from);
            let share = (t - from) / (to - from);
            let mut state = between(&self.plant, &self.start.state, &self.end, share);
            for a in &stop.attitudes {
                let place = self.plant.factors()[a.factor].base.clone();
                for (i, e) in place.zip(&a.entries) {
                    state[i] = self.number(e).unwrap_or(state[i]);
                }
            }
            for (i, s) in symbols.iter().enumerate() {
                let stated = stop.requirements.iter().find_map(|r| {
                    let rest = Expr::from(s) - &r.value;
                    (r.equal && !rest.contains_any(&symbols)).then(|| self.number(&rest))
                });
                if let Some(Some(value)) = stated {
                    state[i] = value;
                }
            }
            stops.push((t, state));
        }
        stops.push((to, self.end.clone()));
        stops
    }

    /// The velocity of the straight way, where it steers; the laws of controls at rest otherwise.
    fn steering(&self, a: &[f64], b: &[f64], time: f64) -> Vec<f64> {
        let plant = &self.plant;
        if plant.kind != Kind::BoundaryValue || plant.form.is_some() {
            return vec![0.0; plant.controls.len()];
        }
        let mut controls = self.start.controls.clone();
        if plant.order == 1 && plant.known.is_empty() {
            for factor in plant.factors() {
                let (from, to) = (&a[factor.base.clone()], &b[factor.base.clone()]);
                let step = match factor.group {
                    None => Some(vec![to[0] - from[0]]),
                    Some(_) => way(factor, from, to),
                };
                for (i, d) in factor.fibre.clone().zip(step.into_iter().flatten()) {
                    controls[i] = d / time.max(LEAST_SPAN);
                }
            }
        }
        controls
    }

    /// Puts the model's own guesses in; velocities follow from those of coordinates.
    fn overwrite(&self, state: &mut [f64], controls: &mut [f64], t: f64) {
        let symbols = self.plant.state_symbols();
        let value = |e: &Expr| {
            let known = self.constants.iter().chain(&self.free).cloned();
            let (mut names, mut values): (Vec<Symbol>, Vec<f64>) = known.unzip();
            names.push(Symbol::time());
            values.push(t);
            let tape = Tape::new(&names, std::slice::from_ref(e)).ok()?;
            let value = tape.evaluate(&values)[0];
            value.is_finite().then_some(value)
        };
        for (symbol, e) in &self.guesses {
            if let Some(i) = symbols.iter().position(|s| s == symbol) {
                state[i] = value(e).unwrap_or(state[i]);
                let rate = e.diff(&Symbol::time());
                if let Some(j) = symbols.iter().position(|s| *s == symbol.derivative()) {
                    state[j] = value(&rate).unwrap_or(state[j]);
                }
                let steered = self
                    .plant
                    .controls
                    .iter()
                    .position(|u| *u == symbol.derivative());
                if let Some(j) = steered {
                    controls[j] = value(&rate).unwrap_or(controls[j]);
                }
            }
            if let Some(i) = self.plant.controls.iter().position(|u| u == symbol) {
                controls[i] = value(e).unwrap_or(controls[i]);
            }
        }
        for factor in self.plant.factors() {
            if let Some(group) = factor.group {
                // A guess may leave the group: the nearest element counts.
                let _ = group.project(&mut state[factor.base.clone()]);
            }
        }
    }
}

/// Smooth random changes of a guess.
struct Waves {
    amplitudes: Vec<[f64; 3]>,
    steering: Vec<[f64; 3]>,
}

impl Waves {
    fn new(scatter: usize, posed: &Posed) -> Self {
        let mut random = Scatter::new(scatter);
        let mut waves = Self {
            amplitudes: Vec::new(),
            steering: Vec::new(),
        };
        if scatter == 0 {
            return waves;
        }
        let n = posed.plant.directions();
        let size = |i: usize| {
            let state = posed.start.state.get(i).zip(posed.end.get(i));
            1.0 + state.map_or(0.0, |(a, b)| (b - a).abs())
        };
        let strength = 0.5 + 0.25 * (scatter % 8) as f64;
        waves.amplitudes = (0..n)
            .map(|i| [(); 3].map(|()| strength * size(i) * random.next()))
            .collect();
        waves.steering = (posed.plant.controls.iter())
            .map(|_| [(); 3].map(|()| 3.0 * strength * random.next()))
            .collect();
        waves
    }

    fn add(&mut self, posed: &Posed, state: &mut Vec<f64>, controls: &mut [f64], s: f64) {
        if self.amplitudes.is_empty() {
            return;
        }
        let wave = |a: &[f64; 3]| -> f64 {
            let terms = a.iter().zip(1..);
            terms
                .map(|(a, j)| a * (std::f64::consts::PI * f64::from(j) * s).sin() / f64::from(j))
                .sum()
        };
        let step: Vec<f64> = self.amplitudes.iter().map(wave).collect();
        *state = super::goal::moved(posed, state, &step);
        for (u, a) in controls.iter_mut().zip(&self.steering) {
            *u += wave(a);
        }
    }
}

impl Transcriber {
    /// The point of a mesh that a path gives.
    pub fn point(&self, t: &Transcription, path: &Path) -> Point {
        let (shape, plant) = (&self.shape, &self.posed.plant);
        let n = t.mesh.intervals();
        let mut point = Point {
            variables: vec![0.0; t.problem.variables()],
            elements: Vec::with_capacity((n + 1) * t.elements),
        };
        let times = self.shares(t, path);
        let shared = t.starts[n + 1];
        point.variables[shared..shared + path.free.len()].copy_from_slice(&path.free);
        let inside: Vec<f64> = self.scheme.tableau().map_or(Vec::new(), |tableau| {
            let all = tableau.points.iter().zip(&tableau.nodes);
            let inside = all.filter(|(at, _)| **at == At::Inside);
            inside
                .map(|(_, c)| c.evaluate(&[]).unwrap_or(0.5))
                .collect()
        });
        for k in 0..=n {
            let (state, controls) = path.at(plant, times[k]);
            let (variables, elements) = super::node::numbers(plant, &state);
            let block = &mut point.variables[t.starts[k]..];
            block[..shape.directions].copy_from_slice(&variables);
            if shape.node_controls {
                block[shape.controls_at_node()].copy_from_slice(&controls);
            }
            point.elements.extend(elements);
            if k == n {
                break;
            }
            let at = |share: f64| path.at(plant, times[k] + share * (times[k + 1] - times[k]));
            for (j, c) in inside.iter().enumerate() {
                let (there, controls) = at(*c);
                let chart = self.chart(&state, &there);
                block[shape.inside(j)].copy_from_slice(&chart);
                block[shape.controls_inside(j)].copy_from_slice(&controls);
            }
            if shape.staggered > 0 {
                let velocity = at(0.5).0[plant.base().len()..].to_vec();
                block[shape.staggered()].copy_from_slice(&velocity);
            }
            for j in 0..shape.interval_controls {
                let share = (2 * j + 1) as f64 / (2 * shape.interval_controls) as f64;
                block[shape.controls_of_interval(j)].copy_from_slice(&at(share).1);
            }
        }
        for (i, (_, value)) in self.posed.copies.iter().enumerate() {
            let at = shared + path.free.len() + i;
            point.variables[at] = self.posed.at_start(value).unwrap_or(0.0);
        }
        self.set_slacks(t, &mut point);
        point
    }

    /// The share of the time of each node, for the free numbers of a path.
    fn shares(&self, t: &Transcription, path: &Path) -> Vec<f64> {
        let n = t.mesh.intervals();
        if self.scheme == super::Scheme::Map {
            return (0..=n).map(|k| k as f64 / n as f64).collect();
        }
        let ends: Vec<f64> = (self.times.iter())
            .map(|e| self.time_value(e, &path.free))
            .collect();
        let (first, last) = (ends[0], ends[ends.len() - 1]);
        let mut all: Vec<f64> = (0..n)
            .map(|k| {
                let (i, share, _) = t.mesh.interval(k);
                (ends[i] + share * (ends[i + 1] - ends[i]) - first) / (last - first)
            })
            .collect();
        all.push(1.0);
        all
    }

    /// A state in the chart of a node.
    fn chart(&self, node: &[f64], state: &[f64]) -> Vec<f64> {
        let plant = &self.posed.plant;
        let (mut chart, _) = super::node::numbers(plant, state);
        for factor in plant.factors() {
            let Some(group) = factor.group else { continue };
            let (from, to) = (&node[factor.base.clone()], &state[factor.base.clone()]);
            let way = match factor.trivialization {
                Trivialization::Body => group.product(&group.inverse(from), to),
                Trivialization::Space => group.product(to, &group.inverse(from)),
            };
            if let Ok(theta) = group.cayley_inverse(&way) {
                chart[factor.fibre.clone()].copy_from_slice(&theta);
            }
        }
        chart
    }

    /// Slacks begin at the values that they stand for.
    fn set_slacks(&self, t: &Transcription, point: &mut Point) {
        let shape = &self.shape;
        let n = t.mesh.intervals();
        let inside = self.slack_rows();
        let last = self.end_slack_rows();
        // Pieces: the start, the intervals, the end.
        for k in 0..=n {
            let rows = if k < n { &inside } else { &last };
            if rows.is_empty() {
                continue;
            }
            let Some(values) = t.problem.values_of(k + 1, point) else {
                continue;
            };
            for &(row, variable) in rows {
                point.variables[t.starts[k] + variable] += values[1 + row];
            }
        }
        for (i, slacks) in self.via_slacks().enumerate().filter(|(_, s)| *s > 0) {
            // Pieces of times on the way come last, their inequalities behind their equations.
            let Some(values) = t.problem.values_of(n + 2 + i, point) else {
                continue;
            };
            let k = t.mesh.node_of_stretch(i + 1);
            let first = t.starts[k + 1] - slacks;
            for (j, value) in values[values.len() - slacks..].iter().enumerate() {
                point.variables[first + j] += value;
            }
        }
        debug_assert!(shape.last_size() <= t.problem.blocks[n]);
    }

    /// The rows of an interval that define slacks, with the slack in its block.
    fn slack_rows(&self) -> Vec<(usize, usize)> {
        let shape = &self.shape;
        let equalities = self.posed.plant.equalities.len();
        let mut rows = Vec::new();
        let mut row = 0;
        if shape.node_controls {
            rows.extend(
                shape
                    .slacks_at_node()
                    .enumerate()
                    .map(|(i, v)| (row + i, v)),
            );
            row += shape.node_slacks + equalities;
        }
        for j in 0..shape.slack_points() {
            rows.extend(shape.slacks_of(j).enumerate().map(|(i, v)| (row + i, v)));
            row += shape.slacks + equalities;
        }
        if !shape.node_controls {
            rows.extend(
                shape
                    .slacks_at_node()
                    .enumerate()
                    .map(|(i, v)| (row + i, v)),
            );
        }
        rows
    }

    fn end_slack_rows(&self) -> Vec<(usize, usize)> {
        let shape = &self.shape;
        let goal = &self.posed.goal;
        let mut equal = goal.requirements.iter().filter(|r| r.equal).count();
        for a in &goal.attitudes {
            equal += self.posed.plant.factors()[a.factor].fibre.len();
        }
        let end = shape
            .slacks_at_end()
            .enumerate()
            .map(|(i, v)| (equal + i, v));
        let from = equal + shape.end_slacks;
        let node = shape.slacks_at_node().enumerate();
        end.chain(node.map(|(i, v)| (from + i, v))).collect()
    }
}
