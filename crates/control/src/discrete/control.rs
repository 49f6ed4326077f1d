//! Discrete-time control of a model with controls and a cost: Bellman's equation and the linear-quadratic regulator, for
//! maps and for sampled plants (DP-A17, A18).

use super::held_flow::HeldFlow;
use rattleback_compile::StartState;
use rattleback_mechanics::problem::ConditionKind;
use rattleback_mechanics::{Clock, Relation, Update};
use rattleback_mechanics::{Form, Problem};
use rattleback_motion::discrete::{DiscretePlant, Optimum, regulator_of_steps};
use rattleback_numeric::{Dense, Plant, Regulator, Sampled, Time, Weights};
use rattleback_symbolic::{Expr, Matrix, Symbol, prove_all_zero, simplify, substitute_all};

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

/// A control problem with its plant.
struct Posed<'a> {
    problem: &'a Problem,
    start: &'a StartState,
    /// The step of a continuous plant.
    h: Option<f64>,
    steps: Option<usize>,
    state: Vec<Symbol>,
    controls: Vec<Symbol>,
    /// The state at the next node, or its rates.
    plant: Vec<Expr>,
    cost: Expr,
    terminal: Expr,
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
        let found = match problem.clock {
            Clock::Map => of_map(problem),
            Clock::Continuous if problem.system.order() == 1 => of_rates(problem),
            _ => Err("controls and costs are treated for maps and for motions of Lagrangians in positions and velocities; use `control`".into()),
        };
        let (state, plant) = match found {
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
        let posed = Posed {
            problem,
            start,
            h,
            steps,
            state,
            controls,
            plant,
            cost: Expr::sum(problem.costs.iter().cloned()),
            terminal: Expr::sum(problem.terminals.iter().cloned()),
        };
        let linear = posed.linear();
        Some(Self {
            lqr: posed.regulator(&linear),
            bellman: posed.bellman(&linear),
            state: posed.state,
            controls: posed.controls,
        })
    }
}

impl Posed<'_> {
    fn regulator(&self, linear: &Result<LinearPlant, String>) -> Result<Lqr, String> {
        let (goals, vias) = (&self.problem.goals, &self.problem.vias);
        if self.steps.is_some() && !(goals.is_empty() && vias.is_empty()) {
            return Err("the model has a goal, or conditions on the way, which a regulator of so many steps does not reach".into());
        }
        let linear = linear.as_ref().map_err(Clone::clone)?;
        linear.regulator(self.steps)
    }

    /// The least cost over the map, the exact flow of a linear plant, or the flow of another one.
    fn bellman(&self, linear: &Result<LinearPlant, String>) -> Result<Optimum, String> {
        let (cost, length) = (&self.cost, self.h.unwrap_or(1.0));
        let (state, controls) = (&self.state, &self.controls);
        match (self.problem.clock, linear) {
            (Clock::Map, _) => self.optimum(self.plant.clone(), cost.clone(), Vec::new()),
            (_, Ok(linear)) => {
                let (map, cost, entries) = sampled(linear, state, controls, cost, length);
                self.optimum(map, cost, entries)
            }
            (_, Err(_)) => {
                let flow = HeldFlow::of(self.start, state, controls, &self.plant, length)?;
                let cost = cost * Expr::from(HeldFlow::step());
                let found = self.optimum(flow.map(), cost, flow.constants())?;
                flow.checked(found, &self.constants(Vec::new()))
            }
        }
    }

    /// The values of constants, with further ones.
    fn constants(&self, entries: Vec<(Symbol, f64)>) -> Vec<(Symbol, f64)> {
        let values = self.start.constant_values.iter().copied();
        let values = self.start.constants.iter().cloned().zip(values);
        let is_constant = |(s, _): &(Symbol, f64)| !self.controls.contains(s);
        values.filter(is_constant).chain(entries).collect()
    }

    /// When the first node is, and how far nodes are apart.
    fn clock(&self) -> [(Symbol, f64); 2] {
        let [begun, length] = ["begun~", "length~"].map(Symbol::constant);
        [(begun, self.start.time), (length, self.h.unwrap_or(1.0))]
    }

    /// Functions of the time as such of the number of the node.
    fn by_node(&self, all: &[Expr]) -> Vec<Expr> {
        let [(begun, _), (length, _)] = self.clock();
        let time = Expr::from(begun) + Expr::from(length) * Expr::from(Symbol::time());
        substitute_all(all, &[(Symbol::time(), time)])
    }

    /// The extremal of a map from the start.
    fn optimum(
        &self,
        map: Vec<Expr>,
        cost: Expr,
        entries: Vec<(Symbol, f64)>,
    ) -> Result<Optimum, String> {
        let goals = goals(self.problem)?;
        let steps = self.steps.or_else(|| count(self.problem, self.h));
        let steps = steps.ok_or("how many steps? give ‹steps›, or a time with an end")?;
        let left_out = [
            ("bounds", self.problem.bounds.is_empty()),
            ("conditions on the way", self.problem.vias.is_empty()),
        ];
        if let Some((what, _)) = left_out.into_iter().find(|(_, is_empty)| !is_empty) {
            return Err(format!(
                "the model has {what}, which Bellman's equation to second order does not treat: use `control`"
            ));
        }
        let costs = self.by_node(&[cost, self.terminal.clone()]);
        let [cost, terminal] = [&costs[0], &costs[1]].map(Expr::clone);
        let plant = DiscretePlant {
            state: self.state.clone(),
            controls: self.controls.clone(),
            map: self.by_node(&map),
            cost,
            terminal,
            goals: self.by_node(&goals),
        };
        let from = self.state.iter().map(|s| self.start.get(s).unwrap_or(0.0));
        let from: Vec<f64> = from.collect();
        let entries = entries.into_iter().chain(self.clock()).collect();
        let found = plant.optimum(&from, steps, &self.constants(entries));
        found.map_err(|e| match plant.goals.is_empty() {
            true => e.to_string(),
            false => format!("{e}; or no controls reach the goal in {steps} steps"),
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

impl Posed<'_> {
    /// The matrices of a linear plant with a quadratic cost, or what is in the way.
    fn linear(&self) -> Result<LinearPlant, String> {
        let (start, state, controls, rates) =
            (self.start, &self.state, &self.controls, &self.plant);
        let (cost, terminal, h) = (&self.cost, &self.terminal, self.h);
        let all: Vec<Symbol> = [&state[..], controls].concat();
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
