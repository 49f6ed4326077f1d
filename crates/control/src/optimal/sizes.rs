//! How large states, controls and costs of a problem are, as far as its statements tell: units in which it is solved.
//!
//! Sizes are those of the first iterate and of the bounds. What is zero there follows from what it drives or is driven by:
//! x' = f(…, y) with |∂f/∂y| = j over a time T takes y ~ x/(jT), and gives x ~ jTy. Velocities that nothing drives yet have the
//! kinetic energy of the others.

use super::path::Path;
use super::posed::{Bounded, Posed};
use super::transcribe::{Transcriber, Transcription};
use crate::stage::{Point, Units, unit_of};
use rattleback_compile::program::{Interpreter, Program};
use rattleback_numeric::tolerance::ROUNDING;
use rattleback_symbolic::{Expr, Symbol};
use std::sync::Arc;

/// A part of a size that nothing is symmetric about.
const SHARE: f64 = 0.61;
/// Changes below this part of the largest are those of rounded functions.
const NOISE: f64 = 1e-9;

/// The units of states and controls; one for what turns.
#[derive(Clone, Debug, Default)]
pub(super) struct Sizes {
    /// By direction of the state.
    states: Vec<f64>,
    controls: Vec<f64>,
    /// Of the cost, once the first program was measured.
    pub cost: Option<f64>,
    /// Of the time.
    pub time: f64,
}

impl Sizes {
    pub fn of(transcriber: &Transcriber, path: &Path) -> Self {
        let posed = &transcriber.posed;
        let plant = &posed.plant;
        let time = match plant.is_map {
            true => 1.0,
            false => path
                .times
                .last()
                .zip(path.times.first())
                .map_or(1.0, |(b, a)| b - a),
        };
        let places = places(posed);
        let largest =
            |values: &mut dyn Iterator<Item = f64>| values.map(f64::abs).fold(0.0, f64::max);
        let bound = |on: Bounded| {
            let all = posed.simple.iter().filter(move |b| b.on == on);
            let sides = all.flat_map(|b| [b.lower, b.upper]);
            largest(&mut sides.filter(|b| b.is_finite()))
        };
        let stated = |(i, place): (usize, &Option<usize>)| {
            let place = (*place)?;
            let along = largest(&mut path.states.iter().map(|x| x[place]));
            Some(along.max(bound(Bounded::State(i))))
        };
        // None for groups, whose directions turn.
        let states: Vec<Option<f64>> = places.iter().enumerate().map(stated).collect();
        let controls = (0..plant.controls.len()).map(|i| {
            let along = largest(&mut path.controls.iter().map(|u| u[i]));
            along.max(bound(Bounded::Control(i)))
        });
        let all: Vec<Option<f64>> = states.into_iter().chain(controls.map(Some)).collect();
        let found = match Rates::of(posed, path, time) {
            None => all,
            Some(rates) => {
                let mut all = rates.complete(all, &places);
                share_energy(posed, path, &mut all);
                rates.complete(all, &places)
            }
        };
        let size = |s: &Option<f64>| s.map_or(1.0, unit_of);
        let (states, controls) = found.split_at(places.len());
        let turns = |(s, is_angle): (&Option<f64>, &bool)| if *is_angle { 1.0 } else { size(s) };
        Self {
            states: states.iter().map(size).collect(),
            controls: controls
                .iter()
                .zip(&transcriber.angles)
                .map(turns)
                .collect(),
            cost: None,
            time: unit_of(time),
        }
    }

    /// Are all of them one?
    fn is_plain(&self) -> bool {
        let mut all = self.states.iter().chain(&self.controls).chain([&self.time]);
        all.all(|s| *s == 1.0)
    }
}

/// The place among the numbers of a state of each direction; none for those of groups.
fn places(posed: &Posed) -> Vec<Option<usize>> {
    let plant = &posed.plant;
    let mut all = vec![None; plant.directions()];
    for factor in plant.factors().iter().filter(|f| f.group.is_none()) {
        all[factor.fibre.start] = Some(factor.base.start);
    }
    let (rank, base) = (plant.system.frame().rank(), plant.base().len());
    (rank..all.len()).for_each(|i| all[i] = Some(base + i - rank));
    all
}

/// The rates of all directions at a point of the first iterate.
struct Rates {
    program: Interpreter,
    /// States, then controls, then the rest.
    at: Vec<f64>,
    controls: usize,
    time: f64,
}

impl Rates {
    fn of(posed: &Posed, path: &Path, time: f64) -> Option<Self> {
        let plant = &posed.plant;
        let inputs: Vec<Symbol> = (plant.state_symbols().into_iter())
            .chain(plant.controls.iter().cloned())
            .chain([Symbol::time()])
            .chain(posed.free.iter().map(|(s, _)| s.clone()))
            .collect();
        let outputs: Vec<Expr> = plant.velocity.iter().chain(&plant.rates).cloned().collect();
        let program = Program::new(&inputs, &posed.constants, &plant.stages, &outputs).ok()?;
        let middle = path.times.len() * 37 / 100;
        let (x, u) = (&path.states[middle][..], &path.controls[middle][..]);
        Some(Self {
            program: Interpreter::new(program),
            at: [x, u, &[path.times[middle]], &path.free].concat(),
            controls: x.len(),
            time,
        })
    }

    /// |∂f_i/∂z_j| T by a difference.
    fn slopes(&self, place: usize, size: f64) -> Option<Vec<f64>> {
        let before = self.program.values(&self.at).ok()?;
        let mut at = self.at.clone();
        at[place] += size;
        let behind = self.program.values(&at).ok()?;
        let pairs = before.iter().zip(&behind);
        let changes: Vec<f64> = pairs.map(|(a, b)| (b - a).abs()).collect();
        let largest = changes.iter().copied().fold(0.0, f64::max);
        let slope = |c: &f64| {
            if *c > NOISE * largest {
                c / size * self.time
            } else {
                0.0
            }
        };
        Some(changes.iter().map(slope).collect())
    }

    /// Sizes for those that are zero.
    fn complete(&self, mut all: Vec<Option<f64>>, places: &[Option<usize>]) -> Vec<Option<f64>> {
        let largest = all.iter().flatten().copied().fold(0.0, f64::max);
        let is_known = |s: f64| s > ROUNDING * largest;
        let place = |j: usize| match j.checked_sub(places.len()) {
            Some(control) => Some(self.controls + control),
            None => places[j],
        };
        for _ in 0..all.len() {
            let before = all.clone();
            for j in 0..all.len() {
                let (Some(size), Some(place)) = (before[j], place(j)) else {
                    continue;
                };
                let known = is_known(size);
                let Some(slopes) = self.slopes(place, if known { SHARE * size } else { SHARE })
                else {
                    continue;
                };
                let driven = slopes
                    .iter()
                    .enumerate()
                    .filter(|(_, s)| **s > 0.0 && s.is_finite());
                if known {
                    for (i, slope) in driven {
                        let unknown = before[i].is_some_and(|s| !is_known(s));
                        let taken = all[i].filter(|_| unknown).map(|s| s.max(slope * size));
                        all[i] = taken.or(all[i]);
                    }
                    continue;
                }
                let needs = driven
                    .filter_map(|(i, slope)| Some(before[i].filter(|s| is_known(*s))? / slope));
                let need = needs.fold(f64::INFINITY, f64::min);
                all[j] = Some(if need.is_finite() { need } else { 0.0 });
            }
            if all == before {
                break;
            }
        }
        all
    }
}

/// Gives velocities without a size the kinetic energy of the others: ∂²L/∂v² v².
fn share_energy(posed: &Posed, path: &Path, all: &mut [Option<f64>]) {
    let plant = &posed.plant;
    let fibre = plant.system.frame().fibre();
    let rank = fibre.len();
    let velocities: Vec<(usize, usize)> = (plant.components.iter().enumerate())
        .filter_map(|(i, c)| Some((rank + i, fibre.iter().position(|v| *v == c.symbol)?)))
        .collect();
    let free = posed.free.iter().map(|(s, _)| s.clone());
    let inputs: Vec<Symbol> = (fibre.iter().cloned())
        .chain(plant.base().iter().cloned())
        .chain([Symbol::time()])
        .chain(free)
        .collect();
    let lagrangian = std::slice::from_ref(plant.system.lagrangian());
    let Ok(program) = Program::new(&inputs, &posed.constants, &[], lagrangian) else {
        return;
    };
    let program = Interpreter::new(program);
    let middle = path.times.len() / 2;
    let base = &path.states[middle][..plant.base().len()];
    let mass = |j: usize| {
        let value = |v: f64| {
            let mut at = vec![0.0; rank];
            at[j] = v;
            let rest = [base, &[path.times[middle]], &path.free].concat();
            Some(*program.values(&[at, rest].concat()).ok()?.first()?)
        };
        Some(value(1.0)? - 2.0 * value(0.0)? + value(-1.0)?).filter(|m| *m > 0.0 && m.is_finite())
    };
    let masses: Vec<Option<f64>> = velocities.iter().map(|(_, j)| mass(*j)).collect();
    let both = velocities.iter().zip(&masses);
    let energies = both
        .clone()
        .filter_map(|((i, _), m)| Some((*m)? * all[*i]?.powi(2)));
    let most = energies.fold(0.0, f64::max);
    for ((i, _), mass) in both {
        let unknown = all[*i].is_some_and(|size| size == 0.0);
        if let Some(mass) = mass.filter(|_| unknown && most > 0.0) {
            all[*i] = Some((most / mass).sqrt());
        }
    }
}

impl Transcriber {
    /// The units of a program on a mesh; none where all are one.
    pub(super) fn units(&self, sizes: &Sizes, t: &Transcription, at: &Point) -> Option<Arc<Units>> {
        if sizes.is_plain() {
            return None;
        }
        let mut variables = vec![1.0; t.problem.variables()];
        let (shape, n) = (&self.shape, t.mesh.intervals());
        for k in 0..=n {
            let block = &mut variables[t.starts[k]..];
            block[..shape.directions].copy_from_slice(&sizes.states);
            if k < n {
                (0..shape.inside)
                    .for_each(|j| block[shape.inside(j)].copy_from_slice(&sizes.states));
                let rank = shape.staggered;
                block[shape.staggered()]
                    .copy_from_slice(&sizes.states[sizes.states.len() - rank..]);
            }
        }
        for (i, unit) in sizes.controls.iter().enumerate() {
            let places = self.control_places(&t.starts, n, i);
            places
                .into_iter()
                .for_each(|place| variables[place] = *unit);
        }
        let size = |i: usize| {
            let sides = [t.problem.lower[i], t.problem.upper[i], at.variables[i]];
            let finite = sides.iter().filter(|x| x.is_finite());
            finite.fold(0.0, |m: f64, x| m.max(x.abs()))
        };
        let slacks = self.slack_places(t);
        for kind in slacks {
            let unit = unit_of(kind.iter().map(|&i| size(i)).fold(0.0, f64::max));
            kind.into_iter().for_each(|i| variables[i] = unit);
        }
        let shared = variables.iter_mut().enumerate().skip(t.starts[n + 1]);
        shared.for_each(|(i, unit)| *unit = unit_of(size(i)));
        let rows = t.problem.row_sizes(at, &variables).ok()?;
        let largest = rows.iter().copied().fold(0.0, f64::max);
        let row = |r: &f64| {
            if *r > ROUNDING * largest {
                unit_of(*r)
            } else {
                1.0
            }
        };
        let units = Units {
            rows: rows.iter().map(row).collect(),
            objective: sizes.cost.unwrap_or(1.0),
            variables,
        };
        Some(Arc::new(units))
    }

    /// Slacks of one condition each.
    fn slack_places(&self, t: &Transcription) -> Vec<Vec<usize>> {
        let (shape, n) = (&self.shape, t.mesh.intervals());
        let all = |range: std::ops::Range<usize>, blocks: usize| {
            let starts = &t.starts[..blocks];
            let of = move |i: usize| starts.iter().map(|s| s + i).collect();
            range.map(of).collect::<Vec<Vec<usize>>>()
        };
        let mut kinds = all(shape.slacks_at_node(), n + 1);
        for j in 0..shape.slack_points() {
            kinds.extend(all(shape.slacks_of(j), n));
        }
        kinds.extend(shape.slacks_at_end().map(|i| vec![t.starts[n] + i]));
        let vias = (0..n).flat_map(|k| t.starts[k] + shape.size()..t.starts[k + 1]);
        kinds.extend(vias.map(|i| vec![i]));
        kinds
    }

    /// The size of the cost, with controls of their size.
    pub(super) fn cost_unit(&self, sizes: &Sizes, t: &Transcription, at: &Point) -> f64 {
        let mut with = at.clone();
        for (i, unit) in sizes.controls.iter().enumerate() {
            for place in self.control_places(&t.starts, t.mesh.intervals(), i) {
                let u = &mut with.variables[place];
                *u = if u.abs() < *unit { *unit } else { *u };
            }
        }
        let cost = t.problem.objective_at(&with).map_or(1.0, f64::abs);
        match sizes.is_plain() {
            true => 1.0,
            false => unit_of(cost),
        }
    }
}
