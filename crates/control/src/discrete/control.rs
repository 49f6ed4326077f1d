//! Discrete-time control of a model with controls and a cost: Bellman's equation and the linear-quadratic regulator, for
//! maps and for sampled plants (DP-A17, A18).

use super::held_flow::HeldFlow;
use rattleback_compile::StartState;
use rattleback_mechanics::problem::ConditionKind;
use rattleback_mechanics::{Clock, Relation, Update};
use rattleback_mechanics::{Form, Problem};
use rattleback_motion::discrete::{DiscretePlant, Optimum, regulator_of_steps};
use rattleback_numeric::{Dense, Plant, Regulator, Sampled, Time, Weights};
use rattleback_symbolic::{Expr, Matrix, Symbol, prove_all_zero, simplify};

/// What control comes to in steps.
pub struct ControlNumbers {
    /// The state, in its order.
    pub state: Vec<Symbol>,
    /// The controls.
    pub controls: Vec<Symbol>,
    /// The extremal from the start, or why there is none.
    pub bellman: Result<Optimum, String>,
    /// The regulator, or why there is none.
    pub lqr: Result<Lqr, String>,
}

/// A linear-quadratic regulator.
pub struct Lqr {
    /// K in u = −K x.
    pub gains: Dense,
    /// P in x·P x/2.
    pub value: Dense,
    /// How many steps are left; none for ever.
    pub steps: Option<usize>,
}

/// A linear plant in steps with a quadratic cost per step.
struct LinearPlant {
    a: Dense,
    b: Dense,
    q: Dense,
    r: Dense,
    cross: Dense,
    terminal: Dense,
}

impl ControlNumbers {
    /// Of a model with controls and a cost; none for others. `h` is the step of a continuous one.
    pub(super) fn of(
        problem: &Problem,
        start: &StartState,
        h: Option<f64>,
        steps: Option<usize>,
    ) -> Option<Self> {
        if problem.controls.is_empty() || problem.costs.is_empty() {
            return None;
        }
        let controls: Vec<Symbol> = problem.controls.iter().map(|c| c.symbol.clone()).collect();
        let cost = Expr::sum(problem.costs.iter().cloned());
        let terminal = Expr::sum(problem.terminals.iter().cloned());
        let found = match problem.clock {
            Clock::Map => of_map(problem),
            _ => of_rates(problem),
        };
        let (state, rates) = match found {
            Ok(found) => found,
            Err(why) => {
                return Some(Self {
                    state: Vec::new(),
                    controls,
                    bellman: Err(why.clone()),
                    lqr: Err(why),
                });
            }
        };
        let linear = linear(start, &state, &controls, &rates, &cost, &terminal, h);
        let lqr = match (steps, problem.goals.is_empty()) {
            (Some(_), false) => Err("the model has a goal, which a regulator of so many steps does not reach: `bellman` does".into()),
            _ => linear
                .as_ref()
                .map_err(Clone::clone)
                .and_then(|plant| plant.regulator(steps)),
        };
        let length = h.unwrap_or(1.0);
        let flow = match (problem.clock, &linear) {
            (Clock::Map, _) | (_, Ok(_)) => None,
            (_, Err(_)) => Some(HeldFlow::of(start, &state, &controls, &rates, length)),
        };
        let plant = match (&flow, &linear) {
            (Some(Ok(flow)), _) => {
                let cost = &cost * Expr::from(&flow.step.0);
                Ok((flow.map(), cost, vec![flow.step.clone()]))
            }
            (Some(Err(why)), _) => Err(why.clone()),
            (None, Ok(linear)) if problem.clock != Clock::Map => {
                Ok(sampled(linear, &state, &controls, &cost, length))
            }
            (None, _) => Ok((rates.clone(), cost.clone(), Vec::new())),
        };
        let bellman = plant.and_then(|(map, cost, entries)| {
            let goals = goals(problem)?;
            let steps = steps
                .or_else(|| count(problem, h))
                .ok_or("how many steps? give ‹steps›, or a time with an end")?;
            if !problem.bounds.is_empty() {
                return Err("the model has bounds, which Bellman's equation to second order does not treat: use `control`".into());
            }
            let plant = DiscretePlant {
                state: state.clone(),
                controls: controls.clone(),
                map,
                cost,
                terminal: terminal.clone(),
                goals,
            };
            let values = start.constants.iter().cloned().zip(start.constant_values.iter().copied());
            let constants: Vec<(Symbol, f64)> =
                values.filter(|(s, _)| !controls.contains(s)).chain(entries).collect();
            let from = state.iter().map(|s| start.get(s).unwrap_or(0.0));
            let from: Vec<f64> = from.collect();
            let found = plant.optimum(&from, steps, &constants).map_err(|e| e.to_string())?;
            match &flow {
                Some(Ok(flow)) => flow.checked(found, &constants),
                _ => Ok(found),
            }
        });
        Some(Self {
            state,
            controls,
            bellman,
            lqr,
        })
    }
}

/// The states with their values at the next node.
fn of_map(problem: &Problem) -> Result<(Vec<Symbol>, Vec<Expr>), String> {
    let states = problem.auxiliary.iter();
    let pairs = states.map(|a| match &a.update {
        Update::Map(e) => Ok((a.symbol.clone(), e.clone())),
        Update::Rate(_) => Err(format!("`{}` has a rate, not a map", a.symbol)),
    });
    let pairs: Result<Vec<(Symbol, Expr)>, String> = pairs.collect();
    Ok(pairs?.into_iter().unzip())
}

/// The state of the open system with its rates, solved.
fn of_rates(problem: &Problem) -> Result<(Vec<Symbol>, Vec<Expr>), String> {
    let open = problem.open();
    if open.has_groups() || open.is_constrained() {
        return Err(
            "the regulator of a sampled plant is for models in coordinates without constraints"
                .into(),
        );
    }
    let equations = open
        .equations(Form::default_for(&open))
        .map_err(|e| e.to_string())?;
    let equations = equations.explicit();
    if !equations.stages.is_empty() {
        return Err("the accelerations have no closed form".into());
    }
    Ok((equations.state.iter().cloned().collect(), equations.rates))
}

/// What vanishes at the end.
fn goals(problem: &Problem) -> Result<Vec<Expr>, String> {
    let one = |c: &rattleback_mechanics::problem::Condition| match &c.kind {
        ConditionKind::Scalar {
            left,
            relation: Relation::Equal,
            right,
        } => Ok(left - right),
        _ => Err("Bellman's equation takes goals that are equations in the state".to_owned()),
    };
    problem.goals.iter().map(one).collect()
}

/// How many steps the horizon has.
fn count(problem: &Problem, h: Option<f64>) -> Option<usize> {
    let horizon = problem.horizon.as_ref()?;
    let number = |e: &Expr| problem.values.number(e);
    let step = match h {
        Some(h) => h,
        None => horizon.step.as_ref().map_or(Some(1.0), number)?,
    };
    let steps = (number(&horizon.to)? - number(&horizon.from)?) / step;
    (0.5..1e6).contains(&steps).then(|| steps.round() as usize)
}

/// The matrices of a linear plant with a quadratic cost, or what is in the way.
fn linear(
    start: &StartState,
    state: &[Symbol],
    controls: &[Symbol],
    rates: &[Expr],
    cost: &Expr,
    terminal: &Expr,
    h: Option<f64>,
) -> Result<LinearPlant, String> {
    let all: Vec<Symbol> = [state, controls].concat();
    let moving = |e: &Expr| e.contains_any(&all) || e.contains(&Symbol::time());
    let slopes = |f: &[Expr], by: &[Symbol]| -> Matrix {
        let rows: Vec<Vec<Expr>> = f.iter().map(|e| e.gradient(by)).collect();
        Matrix::new(f.len(), by.len(), |i, j| simplify(&rows[i][j]))
    };
    let zero: Vec<(Symbol, Expr)> = all.iter().map(|s| (s.clone(), Expr::zero())).collect();
    let dense = |m: &Matrix| -> Result<Dense, String> {
        let values = start.evaluate(m.entries()).map_err(|e| e.to_string())?;
        Ok(Dense::of_rows(m.rows(), m.cols(), &values))
    };
    let (a, b) = (slopes(rates, state), slopes(rates, controls));
    if a.entries().iter().chain(b.entries()).any(moving) {
        return Err("the plant is not linear with constant coefficients".into());
    }
    let rest: Vec<Expr> = rates.iter().map(|f| f.substitute(&zero)).collect();
    if !prove_all_zero(&rest).is_proven() {
        return Err("the plant does not rest at the origin".into());
    }
    let weights = |f: &Expr, by: &[Symbol]| slopes(&f.gradient(by), by);
    let w = weights(cost, &all);
    let wt = weights(terminal, state);
    if w.entries().iter().chain(wt.entries()).any(moving) {
        return Err("the cost is not quadratic".into());
    }
    let mut tilt: Vec<Expr> = cost.gradient(&all);
    tilt.extend(terminal.gradient(state));
    let tilt: Vec<Expr> = tilt.iter().map(|e| e.substitute(&zero)).collect();
    if !prove_all_zero(&tilt).is_proven() {
        return Err("the cost is not least at the origin: it has linear terms".into());
    }
    let (n, m) = (state.len(), controls.len());
    let (mut a, mut b, w) = (dense(&a)?, dense(&b)?, dense(&w)?);
    let mut scale = 1.0;
    if let Some(h) = h {
        let held = Sampled::of(&a, &b, h).map_err(|e| e.to_string())?;
        (a, b, scale) = (held.a, held.b, h);
    }
    let part = |i: usize, j: usize, r: usize, c: usize| w.part((i, j), r, c).scaled(scale);
    Ok(LinearPlant {
        q: part(0, 0, n, n),
        r: part(n, n, m, m),
        cross: part(0, n, n, m),
        terminal: dense(&wt)?,
        a,
        b,
    })
}

impl LinearPlant {
    fn regulator(&self, steps: Option<usize>) -> Result<Lqr, String> {
        match steps {
            Some(k) => {
                let (plant, weights) = ((&self.a, &self.b), (&self.q, &self.r, &self.cross));
                let found = regulator_of_steps(plant, weights, &self.terminal, k);
                let (value, gains) = found.map_err(|_| {
                    "the weight of the controls is not positive definite".to_owned()
                })?;
                Ok(Lqr {
                    gains,
                    value,
                    steps: Some(k),
                })
            }
            None => {
                let plant = Plant {
                    a: &self.a,
                    b: &self.b,
                    time: Time::Discrete,
                };
                let weights = Weights {
                    state: &self.q,
                    control: &self.r,
                    cross: Some(&self.cross),
                };
                let found = Regulator::of(plant, weights).map_err(|e| e.to_string())?;
                Ok(Lqr {
                    gains: found.gain,
                    value: found.cost,
                    steps: None,
                })
            }
        }
    }
}

/// A sampled linear plant as a map, with symbols for its numbers, and the cost h C.
fn sampled(
    plant: &LinearPlant,
    state: &[Symbol],
    controls: &[Symbol],
    cost: &Expr,
    h: f64,
) -> (Vec<Expr>, Expr, Vec<(Symbol, f64)>) {
    let mut entries = Vec::new();
    let mut named = |name: String, value: f64| {
        let symbol = Symbol::constant(&name);
        entries.push((symbol.clone(), value));
        Expr::from(symbol)
    };
    let map = (0..state.len())
        .map(|i| {
            let free = (0..state.len()).map(|j| (format!("A~{i}~{j}"), plant.a[(i, j)], &state[j]));
            let held =
                (0..controls.len()).map(|j| (format!("B~{i}~{j}"), plant.b[(i, j)], &controls[j]));
            let terms = free.chain(held).map(|(name, x, s)| named(name, x) * s);
            Expr::sum(terms.collect::<Vec<_>>())
        })
        .collect();
    let cost = named("h~".into(), h) * cost;
    (map, cost, entries)
}
