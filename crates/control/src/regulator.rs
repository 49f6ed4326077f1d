//! The regulator of a cost about a state: its Hessian as weights of the linear system.

use crate::constancy::Change;
use crate::equilibrium::is_undone;
use crate::orbit::Orbit;
use crate::point::StatePoint;
use crate::reach::Reach;
use rattleback_compile::{EvaluationError, Staged};
use rattleback_mechanics::{Chart, LinearSystem, VariationalEquations};
use rattleback_numeric::{
    Dense, NotFinite, Plant, Regulator, RiccatiError, Sampled, Time, Weights,
};
use rattleback_symbolic::{Expr, Symbol, diff_all};

/// Why there is no regulator.
#[derive(Debug, Clone, thiserror::Error)]
pub enum NoRegulator {
    /// The cost is not least at the state.
    #[error(
        "the gradient of the cost does not vanish at this state ({name}: {value:.3e}): the cost asks for another state"
    )]
    Gradient {
        /// Along what.
        name: String,
        /// How much.
        value: f64,
    },
    /// Nothing holds the state.
    #[error(
        "the state is no equilibrium, and no symmetry that is stated or was found carries it along: a feedback that vanishes there does not hold it"
    )]
    Moves,
    /// What is regulated does not stay as it is.
    #[error("{0}")]
    Varies(Change),
    /// Rounding hides whether the state can be held.
    #[error("{0}")]
    Unsure(String),
    /// The cost has no slopes there.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// The flow over a step is too large.
    #[error(transparent)]
    Flow(#[from] NotFinite),
    /// The Riccati equation says no.
    #[error(transparent)]
    Riccati(#[from] RiccatiError),
}

/// A gradient that changes of the state by this part explain counts as none.
const STATIONARY: f64 = 1e-9;

/// The plant and the cost of a regulator, to first and second order: x' = A x + B u, ½ (xᵀQ x + 2 xᵀN u + uᵀR u).
pub(crate) struct LinearQuadratic {
    a: Dense,
    b: Dense,
    q: Dense,
    r: Dense,
    cross: Dense,
}

impl LinearQuadratic {
    /// Those of a cost at a state where it is least.
    pub fn of(
        equations: &VariationalEquations,
        chart: &Chart,
        linear: &LinearSystem<f64>,
        follow: &[Vec<f64>],
        cost: &Cost<'_>,
    ) -> Result<Self, NoRegulator> {
        let (gradient, hessian) = cost.expansion(equations)?;
        let directions = equations.directions().len();
        let kept = chart.independent.len();
        // The columns of the map from independent directions and controls to all of them.
        let embed = |k: usize| -> Vec<f64> {
            let mut column = vec![0.0; gradient.len()];
            match k < kept {
                true => {
                    column[chart.independent[k]] = 1.0;
                    let others = chart.dependent.iter().zip(follow);
                    others.for_each(|(&j, row)| column[j] = row[k]);
                }
                false => column[directions + k - kept] = 1.0,
            }
            column
        };
        let all: Vec<Vec<f64>> = (0..kept + cost.inputs.len()).map(embed).collect();
        let values: Vec<f64> = (all.iter())
            .map(|column| column.iter().zip(&gradient).map(|(c, g)| c * g).sum())
            .collect();
        let slopes = all.iter().map(|column| -> Vec<f64> {
            let slope = |j: usize| column.iter().zip(&hessian).map(|(c, row)| c * row[j]).sum();
            (0..gradient.len()).map(slope).collect()
        });
        let slopes: Vec<Vec<f64>> = slopes.collect();
        let explains = |k: usize| cost.reach.explains_one(values[k], &slopes[k], STATIONARY);
        let steepest =
            || (0..all.len()).max_by(|&i, &j| values[i].abs().total_cmp(&values[j].abs()));
        let undone = || is_undone(cost.reach, &values, &slopes, STATIONARY);
        let odd = (0..all.len()).find(|k| !explains(*k));
        let odd = odd.or_else(|| if undone() { None } else { steepest() });
        if let Some(k) = odd {
            let name = match k < kept {
                true => linear.state[k].clone(),
                false => cost.inputs[k - kept].to_string(),
            };
            let value = values[k];
            return Err(NoRegulator::Gradient { name, value });
        }
        let entry = |i: usize, j: usize| -> f64 {
            let rows = all[i].iter().zip(&hessian);
            rows.map(|(a, row)| a * all[j].iter().zip(row).map(|(b, h)| b * h).sum::<f64>())
                .sum()
        };
        let m = cost.inputs.len();
        Ok(Self {
            a: Dense::new(kept, kept, |i, j| linear.a[i][j]),
            b: Dense::new(kept, m, |i, j| linear.b[i][j]),
            q: Dense::new(kept, kept, entry),
            r: Dense::new(m, m, |i, j| entry(kept + i, kept + j)),
            cross: Dense::new(kept, m, |i, j| entry(i, kept + j)),
        })
    }

    /// The feedback u = u0 − K (x − x0) of least cost, and its value ½ xᵀP x. With a step h the control is held over each
    /// step: the plant is the exact flow, the cost h C(x_k, u_k) per step.
    pub fn regulator(&self, step: Option<f64>) -> Result<Regulator, NoRegulator> {
        let Some(h) = step else {
            let plant = Plant {
                a: &self.a,
                b: &self.b,
                time: Time::Continuous,
            };
            let weights = Weights {
                state: &self.q,
                control: &self.r,
                cross: Some(&self.cross),
            };
            return Ok(Regulator::of(plant, weights)?);
        };
        let held = Sampled::of(&self.a, &self.b, h)?;
        let plant = Plant {
            a: &held.a,
            b: &held.b,
            time: Time::Discrete,
        };
        let weights = Weights {
            state: &self.q.scaled(h),
            control: &self.r.scaled(h),
            cross: Some(&self.cross.scaled(h)),
        };
        Ok(Regulator::of(plant, weights)?)
    }

    /// The regulator that lets the state go along an orbit on which neither plant nor cost change, x ~ x + v: that of P A E,
    /// P B with the cost on E, read off the state by P.
    pub fn regulator_modulo(
        &self,
        orbit: &Orbit,
        step: Option<f64>,
    ) -> Result<Regulator, NoRegulator> {
        let (p, e) = (orbit.projection(), orbit.embedding());
        let across = Self {
            a: &(&p * &self.a) * &e,
            b: &p * &self.b,
            q: &(&e.transposed() * &self.q) * &e,
            r: self.r.clone(),
            cross: &e.transposed() * &self.cross,
        };
        let found = across.regulator(step)?;
        Ok(Regulator {
            gain: &found.gain * &p,
            cost: &(&p.transposed() * &found.cost) * &p,
            ..found
        })
    }

    /// Does the plant move an orbit into itself, A v ∈ V?
    pub fn keeps(&self, orbit: &Orbit) -> bool {
        let moved = &(&orbit.projection() * &self.a) * &orbit.directions();
        let size = self.a.norm() * orbit.directions().norm();
        moved.norm() <= KEPT * size
    }
}

/// What leaves an orbit by no more than this part stays on it.
const KEPT: f64 = 1e-12;

/// A running cost at a state.
pub struct Cost<'a> {
    /// The cost.
    pub expr: &'a Expr,
    /// The controls.
    pub inputs: &'a [Symbol],
    /// Their values.
    pub values: &'a [f64],
    /// The state.
    pub point: &'a StatePoint,
    /// How far it was looked for.
    pub(crate) reach: &'a Reach,
    /// Parameters with their values.
    pub constants: &'a [(Symbol, f64)],
}

impl Cost<'_> {
    /// Gradient and Hessian along the directions, then along the controls. Where the gradient vanishes the Hessian
    /// does not depend on how directions are continued.
    fn expansion(
        &self,
        equations: &VariationalEquations,
    ) -> Result<(Vec<f64>, Vec<Vec<f64>>), NoRegulator> {
        let directions = equations.directions();
        let along = |j: usize, f: &[Expr]| match directions.get(j) {
            Some(direction) => equations.along(direction, f),
            None => diff_all(f, &self.inputs[j - directions.len()]),
        };
        let n = directions.len() + self.inputs.len();
        let gradient: Vec<Expr> = (0..n)
            .map(|j| along(j, std::slice::from_ref(self.expr)).swap_remove(0))
            .collect();
        let mut all = gradient.clone();
        all.extend((0..n).flat_map(|j| along(j, &gradient)));
        let positions = equations.frame().base().iter();
        let state = positions.chain(equations.components());
        let symbols = std::iter::once(Symbol::time())
            .chain(state.cloned())
            .chain(self.inputs.iter().cloned())
            .chain(self.constants.iter().map(|(s, _)| s.clone()));
        let symbols: Vec<Symbol> = symbols.collect();
        let numbers = self.constants.iter().map(|(_, v)| *v);
        let values: Vec<f64> = std::iter::once(self.point.time)
            .chain(self.point.state.iter().copied())
            .chain(self.values.iter().copied())
            .chain(numbers)
            .collect();
        let found = Staged::new(&symbols, equations.stages(), &all)?.evaluate(&values)?;
        let rows = found[n..].chunks(n.max(1)).map(<[f64]>::to_vec);
        Ok((found[..n].to_vec(), rows.collect()))
    }
}
