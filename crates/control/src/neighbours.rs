//! Motions next to a motion: directions that are carried along, η' = M(t) η.

use crate::error::LinearizeError;
use crate::plant::Plant;
use rattleback_compile::Linearizer;
use rattleback_integrate::{Dop853, Drive, DriveError, Fault, Output, Tolerance, VectorField};
use rattleback_mechanics::{Chart, Problem};
use rattleback_numeric::{Complex, Dense, Eigen};
use rattleback_symbolic::{Role, checkpoint};
use std::ops::ControlFlow;

/// Tolerances of the motion and of the directions beside it.
const TOLERANCE: f64 = 1e-11;
/// How far a motion may miss its start and still count as closed.
const CLOSED: f64 = 1e-6;

/// A question about neighbouring motions that has no answer.
#[derive(Debug, thiserror::Error)]
pub enum NeighbourError {
    /// There is no linear system.
    #[error(transparent)]
    Linearize(#[from] LinearizeError),
    /// The motion cannot be followed.
    #[error("the motion cannot be followed: {0}")]
    Drive(#[from] DriveError),
    /// The motion does not come back.
    #[error(
        "the motion does not close after {period}: `{name}` misses its start by {by:.1e}; the time of the model is to be one period"
    )]
    Open {
        /// The time that was tried.
        period: f64,
        /// What misses most.
        name: String,
        /// By how much.
        by: f64,
    },
    /// More exponents than directions.
    #[error("there are {most} independent directions, so at most {most} Lyapunov exponents")]
    TooMany {
        /// How many there are.
        most: usize,
    },
    /// No exponents were asked for, or no time.
    #[error("Lyapunov exponents need at least one direction and a time span that is not empty")]
    Empty,
}

/// The monodromy matrix of a periodic motion.
#[derive(Clone, Debug)]
pub struct Monodromy {
    /// The time of one turn.
    pub period: f64,
    /// The independent directions.
    pub state: Vec<String>,
    /// What a turn makes of them.
    pub matrix: Dense,
    /// Its eigenvalues, Floquet's multipliers.
    pub multipliers: Vec<Complex>,
    /// By how much the motion misses its start.
    pub misses: f64,
}

/// The mean growth of neighbouring motions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponent {
    /// Per unit of time.
    pub value: f64,
    /// How far the mean moved about in the second half of the time.
    pub spread: f64,
}

/// Names of independent directions, the chart they belong to, and all of them as vectors.
type Tangent = (Vec<String>, Chart, Vec<Vec<f64>>);

/// The motion of a problem with directions beside it.
pub struct Neighbours {
    plant: Plant,
    linearizer: Linearizer,
    start: Vec<f64>,
    from: f64,
}

impl Neighbours {
    /// Derives and compiles; the laws of the inputs are part of the system.
    pub fn of(problem: &Problem) -> Result<Self, NeighbourError> {
        let plant = Plant::of(problem, true)?;
        let linearizer = Linearizer::new(&plant.variational, &plant.constants, &[], &[]);
        let linearizer = linearizer.map_err(LinearizeError::from)?;
        let start = plant.start.state_of(&plant.equations);
        Ok(Self {
            start: start.map_err(LinearizeError::from)?,
            from: plant.start.time,
            linearizer,
            plant,
        })
    }

    /// The independent directions at the start and all of them as vectors: those, and what follows from them.
    fn tangent(&self) -> Result<Tangent, NeighbourError> {
        let found = self
            .linearizer
            .at_with_chart(self.from, &self.start, &[], None);
        let (system, chart, follow) = found.map_err(LinearizeError::from)?;
        let embed = |k: usize| {
            let mut v = vec![0.0; self.linearizer.directions()];
            v[chart.independent[k]] = 1.0;
            for (&j, row) in chart.dependent.iter().zip(&follow) {
                v[j] = row[k];
            }
            v
        };
        let all = (0..chart.independent.len()).map(embed).collect();
        Ok((system.state, chart, all))
    }

    /// Follows the state and the directions; how far the entries of the state get from where they began.
    fn carry(
        &self,
        (from, until): (f64, f64),
        state: &mut [f64],
        directions: &mut [Vec<f64>],
    ) -> Result<Vec<f64>, NeighbourError> {
        let mut x: Vec<f64> = state.to_vec();
        directions.iter().for_each(|v| x.extend(v));
        let mut field = Beside {
            linearizer: &self.linearizer,
            state: state.len(),
            directions: directions.len(),
        };
        let tolerance = Tolerance {
            relative: TOLERANCE,
            absolute: TOLERANCE * size(state).min(1.0),
        };
        let mut method = Dop853::new(x.len(), tolerance);
        let mut extent = vec![0.0; state.len()];
        Drive::new(from, until).output(Output::Steps).run(
            &mut field,
            &mut method,
            &mut x,
            &mut [],
            &mut |_: f64, x: &[f64]| {
                let ways = x.iter().zip(&*state).map(|(x, begin)| (x - begin).abs());
                let all = extent.iter_mut().zip(ways);
                all.for_each(|(most, way): (&mut f64, f64)| *most = most.max(way));
                ControlFlow::Continue(())
            },
        )?;
        let (here, beside) = x.split_at(state.len());
        state.copy_from_slice(here);
        let n = self.linearizer.directions();
        for (v, found) in directions.iter_mut().zip(beside.chunks(n.max(1))) {
            v.copy_from_slice(found);
        }
        Ok(extent)
    }

    /// Carries orthonormal directions along in as many parts as their growth asks for, and makes them orthonormal again
    /// after each: the logarithms of how much they grew.
    fn grow(
        &self,
        (from, until): (f64, f64),
        (state, directions): (&mut Vec<f64>, &mut Vec<Vec<f64>>),
        parts: &mut u64,
    ) -> Result<Vec<f64>, NeighbourError> {
        loop {
            let (mut x, mut beside) = (state.clone(), directions.clone());
            let mut growth = vec![0.0; beside.len()];
            let mut least = 1.0f64;
            let part = (until - from) / *parts as f64;
            for k in 0..*parts {
                let t = from + part * k as f64;
                self.carry((t, t + part), &mut x, &mut beside)?;
                let lengths = orthonormalise(&mut beside);
                let longest = lengths.iter().copied().fold(0.0, f64::max);
                least = lengths.iter().fold(least, |m, l| m.min(l / longest));
                growth
                    .iter_mut()
                    .zip(&lengths)
                    .for_each(|(g, l)| *g += l.ln());
                if least < LEAST && *parts < MOST_PARTS {
                    break;
                }
            }
            if least < LEAST && *parts < MOST_PARTS {
                *parts *= 2;
                continue;
            }
            if least > AMPLE {
                *parts = (*parts / 2).max(1);
            }
            (*state, *directions) = (x, beside);
            return Ok(growth);
        }
    }

    /// The monodromy matrix of the motion from the start to a time at which it is back; angles may have turned.
    pub fn monodromy(&self, until: f64) -> Result<Monodromy, NeighbourError> {
        let (names, chart, mut directions) = self.tangent()?;
        let mut state = self.start.clone();
        let extent = self.carry((self.from, until), &mut state, &mut directions)?;
        let circles = self.plant.system.circles();
        let gap = |(i, x): (usize, &f64)| {
            let symbol = &self.plant.equations.state[i];
            let by = x - self.start[i];
            let turn = std::f64::consts::TAU;
            let by = match circles.contains(symbol) && symbol.role() == Role::Variable {
                true => by - turn * (by / turn).round(),
                false => by,
            };
            // As far as it has been, but for what the motion is followed with.
            let allowed = CLOSED * extent[i] + 1e2 * TOLERANCE * size(&self.start);
            (symbol.to_string(), by.abs(), by.abs() / allowed)
        };
        let gaps = state.iter().enumerate().map(gap);
        let worst = gaps.max_by(|a, b| a.2.total_cmp(&b.2));
        let (name, misses, off) = worst.unwrap_or_default();
        if off.is_nan() || off > 1.0 {
            return Err(NeighbourError::Open {
                period: until - self.from,
                name,
                by: misses,
            });
        }
        let n = names.len();
        let matrix = Dense::new(n, n, |i, k| directions[k][chart.independent[i]]);
        let eigen = Eigen::of(&matrix).map_err(LinearizeError::from)?;
        Ok(Monodromy {
            period: until - self.from,
            state: names,
            matrix,
            multipliers: eigen.values,
            misses,
        })
    }

    /// The largest Lyapunov exponents of the motion: k directions are carried along and made orthonormal again and
    /// again (Benettin). The first tenth of the time lets them settle.
    pub fn lyapunov(&self, k: usize, until: f64) -> Result<Vec<Exponent>, NeighbourError> {
        let (names, _, all) = self.tangent()?;
        if k > names.len() {
            return Err(NeighbourError::TooMany { most: names.len() });
        }
        let span = until - self.from;
        if k == 0 || span.is_nan() || span <= 0.0 {
            return Err(NeighbourError::Empty);
        }
        // Directions that are nearly the same at first settle into the fastest ones.
        let mix = |j: usize| -> Vec<f64> {
            let weight = |i: usize| {
                if i == j {
                    1.0
                } else {
                    0.1 / (1.0 + (i + j) as f64)
                }
            };
            let mut v = vec![0.0; all[0].len()];
            for (i, e) in all.iter().enumerate() {
                v.iter_mut().zip(e).for_each(|(x, y)| *x += weight(i) * y);
            }
            v
        };
        let mut directions: Vec<Vec<f64>> = (0..k).map(mix).collect();
        orthonormalise(&mut directions);
        let mut state = self.start.clone();
        let mut sums = vec![0.0; k];
        let mut means: Vec<Vec<f64>> = vec![Vec::new(); k];
        let settled = PIECES / 10;
        let piece = span / PIECES as f64;
        let mut parts = 1;
        for i in 0..PIECES {
            let from = self.from + piece * i as f64;
            let beside = (&mut state, &mut directions);
            let growth = self.grow((from, from + piece), beside, &mut parts)?;
            if i < settled {
                continue;
            }
            let elapsed = piece * (i + 1 - settled) as f64;
            for (j, g) in growth.iter().enumerate() {
                sums[j] += g;
                means[j].push(sums[j] / elapsed);
            }
        }
        let exponent = |means: &Vec<f64>| {
            let half = &means[means.len() / 2..];
            let low = half.iter().copied().fold(f64::INFINITY, f64::min);
            let high = half.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            Exponent {
                value: means.last().copied().unwrap_or(f64::NAN),
                spread: high - low,
            }
        };
        let mut found: Vec<Exponent> = means.iter().map(exponent).collect();
        found.sort_by(|a, b| b.value.total_cmp(&a.value));
        Ok(found)
    }
}

/// Pieces of the time after which means are taken.
const PIECES: usize = 400;
/// Directions are made orthonormal before one of them is this part of another: what is left of it then is accurate...
const LEAST: f64 = 1e-4;
/// ...and less often where all stay above this.
const AMPLE: f64 = 1e-1;
/// More often than this in a piece of the time is a motion that cannot be followed.
const MOST_PARTS: u64 = 1 << 20;

/// The largest entry of a state; 1 where all are zero.
fn size(state: &[f64]) -> f64 {
    match state.iter().fold(0.0, |m: f64, x| m.max(x.abs())) {
        0.0 => 1.0,
        size => size,
    }
}

/// Gram and Schmidt, with the lengths before.
fn orthonormalise(all: &mut [Vec<f64>]) -> Vec<f64> {
    let mut lengths = Vec::with_capacity(all.len());
    for j in 0..all.len() {
        let (done, rest) = all.split_at_mut(j);
        let v = &mut rest[0];
        for e in done.iter() {
            let part: f64 = e.iter().zip(v.iter()).map(|(a, b)| a * b).sum();
            v.iter_mut().zip(e).for_each(|(x, y)| *x -= part * y);
        }
        let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
        v.iter_mut().for_each(|x| *x /= length);
        lengths.push(length);
    }
    lengths
}

/// The state with directions beside it.
struct Beside<'a> {
    linearizer: &'a Linearizer,
    state: usize,
    directions: usize,
}

impl VectorField for Beside<'_> {
    fn dimension(&self) -> usize {
        self.state + self.directions * self.linearizer.directions()
    }

    fn rates(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        checkpoint();
        let found = self.linearizer.neighbours(t, &x[..self.state], &[]);
        let (flow, rows) = found.map_err(|_| Fault::Singular)?;
        rates[..self.state].copy_from_slice(&flow);
        let n = rows.len();
        let beside = x[self.state..].chunks(n.max(1));
        for (v, out) in beside.zip(rates[self.state..].chunks_mut(n.max(1))) {
            for (r, row) in out.iter_mut().zip(&rows) {
                *r = row.iter().zip(v).map(|(m, x)| m * x).sum();
            }
        }
        Ok(())
    }

    fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> {
        // An explicit method does not ask.
        Err(Fault::NotConverged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::StatePoint;
    use rattleback_language::{Source, parse};

    fn neighbours(text: &str) -> Neighbours {
        let parsed = parse(&Source::new("case.mech", text));
        let model = parsed.model;
        let model = model.unwrap_or_else(|| panic!("{:?} in\n{text}", parsed.diagnostics));
        let problem = Problem::from_model(&model).unwrap();
        Neighbours::of(&problem).unwrap_or_else(|e| panic!("{e} in\n{text}"))
    }

    /// Directions that are carried along are the differences of the flow.
    fn agrees(text: &str) {
        let beside = neighbours(text);
        let (names, _, directions) = beside.tangent().unwrap();
        assert!(!names.is_empty());
        let span = (beside.from, beside.from + 0.4);
        let mut end = beside.start.clone();
        let mut carried = directions.clone();
        beside.carry(span, &mut end, &mut carried).unwrap();
        let anchor = beside.linearizer.anchor(span.1, &end, &[]).unwrap();
        let sections = beside.plant.system.frame().rank();
        let h = 1e-5;
        for (k, v) in directions.iter().enumerate() {
            let moved = |by: f64| {
                let step: Vec<f64> = v.iter().map(|x| by * x).collect();
                let point = StatePoint {
                    time: beside.from,
                    state: beside.start.clone(),
                    exact: None,
                };
                let mut state = point.moved(&beside.plant.system, &step);
                beside.carry(span, &mut state, &mut []).unwrap();
                state
            };
            let (up, down) = (moved(h), moved(-h));
            let found: Vec<f64> = up
                .iter()
                .zip(&down)
                .map(|(a, b)| (a - b) / (2.0 * h))
                .collect();
            let eta = &carried[k];
            let along = |row: &Vec<f64>| row.iter().zip(eta).map(|(r, x)| r * x).sum::<f64>();
            let positions = anchor.iter().map(along);
            let expected: Vec<f64> = positions.chain(eta[sections..].iter().copied()).collect();
            for (i, (a, b)) in found.iter().zip(&expected).enumerate() {
                let size = 1.0 + b.abs();
                assert!(
                    (a - b).abs() < 2e-6 * size,
                    "{} {i}: {a} {b} in\n{text}",
                    names[k]
                );
            }
        }
    }

    /// A number from 0.3 to 1.3 that depends on the seed and the place.
    fn some(seed: u32, place: u32) -> f64 {
        let mixed = seed
            .wrapping_mul(2_654_435_761)
            .wrapping_add(place.wrapping_mul(40_503));
        0.3 + f64::from(mixed >> 7 & 1023) / 1023.0
    }

    #[test]
    fn linear_flows_are_differences_of_flows_with_constraints_and_groups() {
        for seed in 1..4 {
            let c = |k: u32| some(seed, k);
            let coordinates = format!(
                "coord x, y\ncoord theta : angle\nkinetic x'^2*(1 + {}*sin(y)^2)/2 + y'^2 + {}*theta'^2 + {}*x'*theta'*cos(theta)/5\n\
                 potential {}*cos(theta) + {}*x^2 + x*y/3\nforce (x: -{}*x', theta: x*y)\n",
                c(1),
                c(2),
                c(3),
                c(4),
                c(5),
                c(6)
            );
            agrees(&format!(
                "system free\n{coordinates}start x = {}, y' = {}, theta' = {}\n",
                c(7),
                c(8),
                c(9)
            ));
            agrees(&format!(
                "system rolling\n{coordinates}constraint sin(theta)*x' = cos(theta)*y'\nstart theta = {}, x = {}, theta' = {}, x' = {}\n",
                c(7),
                c(8),
                c(9),
                c(10)
            ));
            agrees(&format!(
                "system moving\n{coordinates}constraint y' = x*theta' + {}\nstart theta = {}, x = {}, theta' = {}\n",
                c(11),
                c(7),
                c(8),
                c(9)
            ));
            agrees(&format!(
                "system held\n{coordinates}constraint x^2 + y^2 = {}\nstart x = {}, theta' = {}\n",
                c(7).powi(2),
                c(7),
                c(9)
            ));
            for (group, turning, velocity) in [
                (
                    "SO(3)",
                    "w[1]^2 + 2*w[2]^2 + 3*w[3]^2 + w[1]*w[3]/2",
                    "w = [0.3, -1.1, 0.7]",
                ),
                (
                    "SE(2)",
                    "w[1]^2 + 2*w[2]^2 + 3*w[3]^2 + w[1]*w[3]/2",
                    "w = [0.9, -0.4, 0.2]",
                ),
                (
                    "SU(2)",
                    "w[1]^2 + 2*w[2]^2 + 3*w[3]^2 + w[1]*w[3]/2",
                    "w = [0.3, -1.1, 0.7]",
                ),
                ("SO(2)", "w^2", "w = 0.8"),
            ] {
                for side in ["", " space"] {
                    let entry = if group == "SU(2)" {
                        "g[2]*g[3]"
                    } else {
                        "g[1,1]*g[2,1]"
                    };
                    let entry = if group == "SO(2)" { "g[2,1]" } else { entry };
                    agrees(&format!(
                        "system group\ncoord q\ngroup g : {group} velocity w{side}\nkinetic q'^2/2 + {}*({turning})\n\
                         potential {}*{entry}*(1 + q)\nstart q = {}, q' = {}, {velocity}\n",
                        c(1),
                        c(2),
                        c(3),
                        c(4)
                    ));
                }
            }
            agrees(&format!(
                "system ball\ngroup R : SO(3) velocity w\ncoord x, y\nparam r = {}\nkinetic (x'^2 + y'^2)/2 + w[1]^2 + w[2]^2*{} + w[3]^2\n\
                 potential {}*R[1,3]*x\nlet W = R*w\nconstraint x' = r*W[2]\nconstraint y' = -r*W[1]\nstart w = [0.4, {}, -0.6]\n",
                c(1),
                c(2),
                c(3),
                c(4)
            ));
        }
    }

    #[test]
    fn a_limit_cycle_has_the_multiplier_of_its_radius() {
        // r' = r (1 − r²), one turn in 2π: exp(−4π).
        let beside = neighbours(
            "system cycle\nstate x, y\nrate x' = x*(1 - x^2 - y^2) - y\nrate y' = y*(1 - x^2 - y^2) + x\nstart x = 1\n",
        );
        let turn = beside.monodromy(std::f64::consts::TAU).unwrap();
        let mut sizes: Vec<f64> = turn.multipliers.iter().map(|m| m.modulus()).collect();
        sizes.sort_by(f64::total_cmp);
        assert!((sizes[1] - 1.0).abs() < 1e-9);
        assert!((sizes[0] - (-4.0 * std::f64::consts::PI).exp()).abs() < 1e-9);
        let open = beside.monodromy(3.0);
        assert!(matches!(open, Err(NeighbourError::Open { .. })));
    }

    #[test]
    fn exponents_of_a_linear_system_are_its_eigenvalues() {
        let beside = neighbours(
            "system saddle\nstate x, y, z\nrate x' = 0.3*x + y\nrate y' = -0.7*y\nrate z' = -0.1*z\nstart x = 1e-3\n",
        );
        let found = beside.lyapunov(3, 400.0).unwrap();
        for (e, expected) in found.iter().zip([0.3, -0.1, -0.7]) {
            assert!((e.value - expected).abs() < 2e-2, "{found:?}");
        }
        assert!(matches!(
            beside.lyapunov(4, 1.0),
            Err(NeighbourError::TooMany { most: 3 })
        ));
        assert!(matches!(
            beside.lyapunov(0, 1.0),
            Err(NeighbourError::Empty)
        ));
    }
}
