//! What a discrete system comes to with numbers: a step from the start, its order, its limit, Jacobi's action.

use super::hamilton_jacobi::HamiltonJacobi;
use super::space::{Kind, Space};
use super::{Formulas, InStepsError, Making, Request};
use rattleback_compile::{EvaluationError, StartState};
use rattleback_integrate::variational::StepMap;
use rattleback_mechanics::discrete::{DiscreteSystem, JetRule, PhaseFlow, Placement, Rule, Step};
use rattleback_mechanics::{Problem, System};
use rattleback_motion::discrete::{
    ActionError, CompiledStep, Limit, MomentumMap, Node, measured_order, variational_order,
};
use rattleback_numeric::{Dense, singular_values};
use rattleback_symbolic::{Expr, Symbol, Tape};

/// Numbers of a discrete system.
pub struct Numbers {
    /// The step; none where the discrete Lagrangian is given.
    pub step: Option<f64>,
    /// The state and the momenta after one step from the start, by name.
    pub next: Vec<(String, f64)>,
    /// The order that the rule should have; none for the exact one and given ones.
    pub expected: Option<u32>,
    /// The order that was measured on the map, where it could be.
    pub measured: Option<f64>,
    /// The order that L_d has along a motion, where it could be measured.
    pub variational: Option<f64>,
    /// The condition of the scaled D₁D₂L_d at h, h/2 and h/4, for Lagrangians with accelerations.
    pub conditions: Vec<f64>,
    /// The continuous limit of the discrete Hamiltonians at the start.
    pub limit: Option<Limit>,
    /// Jacobi's action, where it was asked for.
    pub action: Option<HamiltonJacobi>,
    /// What the reader should know.
    pub warnings: Vec<String>,
}

/// A system with the values of its constants.
pub(super) struct With<'a> {
    pub problem: &'a Problem,
    pub system: &'a System,
    pub space: &'a Space,
    pub start: &'a StartState,
    pub constants: Vec<(Symbol, f64)>,
    pub h: f64,
    /// F̃ as equations, where the model is in coordinates without constraints.
    step: Option<Step>,
    /// The flow, where there is one.
    flow: Option<PhaseFlow>,
}

/// How often the step is halved for the limit,
const HALVINGS: u32 = 5;
/// and how often it begins with a step of a part of the one before.
const SHORTENINGS: i32 = 3;
const SHORTER: f64 = 8.0;

impl Numbers {
    pub(super) fn new(
        problem: &Problem,
        system: &System,
        space: &Space,
        start: &StartState,
        discrete: Option<&DiscreteSystem>,
        formulas: Option<&Formulas>,
        request: &Request,
    ) -> Result<Self, InStepsError> {
        let h = length(start, request)?;
        let constants = start.constants.iter().cloned();
        let mut with = With {
            problem,
            system,
            space,
            start,
            constants: constants
                .zip(start.constant_values.iter().copied())
                .collect(),
            h,
            step: None,
            flow: None,
        };
        with.flow = match space.kind {
            Kind::Given => None,
            _ => PhaseFlow::new(system, |s| {
                let at = space.positions.iter().position(|q| q == s);
                at.map_or_else(|| s.clone(), |i| space.momenta[i].clone())
            })
            .ok(),
        };
        // Formulas of the exact one lose digits that the flow keeps: they are to be read.
        with.step = match (request.making, &with.flow) {
            (Making::Exact, Some(_)) => None,
            _ => with.momentum_step(discrete, formulas),
        };
        let (next, measured) = match discrete {
            Some(discrete) => {
                let step = discrete.step();
                (with.next(&step)?, with.measured(&step, &step.inputs[2..])?)
            }
            None => (with.next_by_momenta()?, with.measured_by_momenta()?),
        };
        let action = match request.steps {
            Some(steps) if !space.positions.is_empty() => {
                match HamiltonJacobi::new(&with, steps, request) {
                    // The steps are those of a regulator.
                    Err(InStepsError::NoAction) if is_controlled(problem, request) => None,
                    found => Some(found.map_err(|e| space.without_step(e))?),
                }
            }
            _ => None,
        };
        let warnings = with.warnings(request)?;
        Ok(Self {
            step: request.step.as_ref().map(|_| h),
            next,
            expected: expected(system, space, request)?,
            measured: measured.filter(|_| space.kind != Kind::Given),
            variational: formulas.and_then(|f| with.variational(f)),
            conditions: formulas.map_or_else(Vec::new, |f| with.conditions(f)),
            limit: with.limit(),
            action,
            warnings,
        })
    }

    /// Of a plant that is only regulated.
    pub(super) fn of_step(h: f64) -> Self {
        Self {
            step: Some(h),
            next: Vec::new(),
            expected: None,
            measured: None,
            variational: None,
            conditions: Vec::new(),
            limit: None,
            action: None,
            warnings: Vec::new(),
        }
    }
}

/// The length of a step; 1 where nodes are counted.
pub(super) fn length(start: &StartState, request: &Request) -> Result<f64, InStepsError> {
    let h = match &request.step {
        Some(step) => start.evaluate(std::slice::from_ref(step))?[0],
        None => 1.0,
    };
    match h > 0.0 && h.is_finite() {
        true => Ok(h),
        false => Err(InStepsError::Step),
    }
}

/// Is it control that steps are asked for, and no action?
fn is_controlled(problem: &Problem, request: &Request) -> bool {
    let asks = request.at.is_empty() && request.from.is_none() && !request.picture;
    asks && !problem.controls.is_empty() && !problem.costs.is_empty()
}

fn expected(
    system: &System,
    space: &Space,
    request: &Request,
) -> Result<Option<u32>, InStepsError> {
    let constraints = system.constraints();
    let is_nonholonomic = constraints.len() > constraints.holonomic().len();
    Ok(match (space.kind, request.making) {
        (Kind::Given, _) | (_, Making::Exact) => None,
        (Kind::Jets(k), Making::Rule(rule)) => Some(JetRule::of(rule, k)?.order(k)),
        // Reactions along A(q_k) that constraints at the end of the step answer are of first order.
        (Kind::Velocities, _) if is_nonholonomic && request.placement == Placement::Node => Some(1),
        (Kind::Velocities, Making::Rule(rule)) => Some(rule.order()),
    })
}

impl With<'_> {
    pub(super) fn at_start(&self, symbols: &[Symbol]) -> Result<Vec<f64>, EvaluationError> {
        let all: Vec<Expr> = symbols.iter().map(Expr::from).collect();
        self.start.evaluate(&all)
    }

    /// Expressions in time, constants and these symbols.
    fn values(
        &self,
        e: &[Expr],
        t: f64,
        symbols: &[Symbol],
        values: &[f64],
    ) -> Result<Vec<f64>, EvaluationError> {
        let constants = self.constants.iter().map(|(s, _)| s.clone());
        let all: Vec<Symbol> = std::iter::once(Symbol::time())
            .chain(constants)
            .chain(symbols.iter().cloned())
            .collect();
        let numbers: Vec<f64> = std::iter::once(t)
            .chain(self.constants.iter().map(|(_, x)| *x))
            .chain(values.iter().copied())
            .collect();
        Ok(Tape::new(&all, e)?.evaluate(&numbers))
    }

    /// The momenta of a state at a time.
    pub(super) fn momenta_at(
        &self,
        t: f64,
        z: &[f64],
        y: &[f64],
    ) -> Result<Vec<f64>, EvaluationError> {
        let frame = self.system.frame();
        let state = [frame.base(), frame.fibre()].concat();
        self.values(&self.system.momenta(), t, &state, &[z, y].concat())
    }

    /// F̃ where the model is in coordinates without constraints.
    fn momentum_step(
        &self,
        discrete: Option<&DiscreteSystem>,
        formulas: Option<&Formulas>,
    ) -> Option<Step> {
        if self.system.has_groups() || !self.system.constraints().is_empty() {
            return None;
        }
        let momentum = |s: &Symbol| Symbol::variable(&format!("{}~", s.name()));
        let momenta: Vec<Symbol> = self.space.momenta.iter().map(momentum).collect();
        match (discrete, formulas) {
            (Some(discrete), _) => Some(discrete.momentum_step(&momenta)),
            (None, Some(f)) => Some(f.lagrangian.momentum_step(&f.h, &momenta)),
            (None, None) => None,
        }
    }

    /// One step from the start on positions and velocities, with the momenta there.
    fn next(&self, step: &Step) -> Result<Vec<(String, f64)>, InStepsError> {
        let names = &step.inputs[2..];
        let state = self.at_start(names)?;
        let map = CompiledStep::new(step, names, &[], &self.constants);
        let mut next = vec![0.0; state.len()];
        map.map_err(EvaluationError::from)?
            .advance(self.start.time, &state, self.h, &mut next)
            .map_err(|fault| ActionError::NoStep {
                step: 1,
                why: fault.to_string(),
            })?;
        let (z, y) = next.split_at(self.system.frame().base().len());
        let momenta = self.momenta_at(self.start.time + self.h, z, y)?;
        let names = names.iter().map(ToString::to_string);
        let p_names = self.system.jet_momentum_symbols(0);
        let p_names = p_names.iter().map(ToString::to_string);
        Ok(names.zip(next).chain(p_names.zip(momenta)).collect())
    }

    /// The same on positions and momenta alone.
    fn next_by_momenta(&self) -> Result<Vec<(String, f64)>, InStepsError> {
        let found = self.map(self.h)?.advance(0, &self.first()?);
        let (next, _) = found.map_err(|e| match (self.space.kind, e) {
            (Kind::Given, ActionError::NoStep { .. }) => InStepsError::NoNext,
            (_, e) => e.into(),
        })?;
        let positions = self.space.positions.iter().map(ToString::to_string);
        let momenta = self.space.momenta_names();
        Ok(positions
            .zip(next.q)
            .chain(momenta.into_iter().zip(next.p))
            .collect())
    }

    fn measured(&self, step: &Step, names: &[Symbol]) -> Result<Option<f64>, InStepsError> {
        let map = CompiledStep::new(step, names, &[], &self.constants);
        let mut map = map.map_err(EvaluationError::from)?;
        let state = self.at_start(names)?;
        Ok(measured_order(&state, self.h, |t, x, h| {
            let mut next = vec![0.0; x.len()];
            let from = self.start.time + t;
            map.advance(from, x, h, &mut next).ok()?;
            next.iter().all(|x| x.is_finite()).then_some(next)
        }))
    }

    fn measured_by_momenta(&self) -> Result<Option<f64>, InStepsError> {
        if self.step.is_none() {
            // The exact map has nothing to be measured against.
            return Ok(None);
        }
        let (map, first) = (self.map(self.h)?, self.first()?);
        let n = first.q.len();
        let state = [first.q, first.p].concat();
        Ok(measured_order(&state, self.h, |t, x, h| {
            let node = Node {
                q: x[..n].to_vec(),
                p: x[n..].to_vec(),
            };
            let (next, _) = map.advance_at(self.start.time + t, &node, h).ok()?;
            Some([next.q, next.p].concat())
        }))
    }

    /// F̃ with a step of some length.
    pub(super) fn map(&self, h: f64) -> Result<MomentumMap, InStepsError> {
        match (&self.step, &self.flow) {
            (Some(step), _) => {
                let mut constants = self.constants.clone();
                constants.retain(|(s, _)| !step.inputs.contains(s));
                Ok(MomentumMap::new(step, &constants, self.start.time, h)?)
            }
            (None, Some(flow)) => Ok(MomentumMap::exact(
                flow,
                &self.constants,
                self.start.time,
                h,
            )?),
            (None, None) => Err(InStepsError::NoAction),
        }
    }

    /// The flow over a step.
    fn exact(&self) -> Option<MomentumMap> {
        let flow = self.flow.as_ref()?;
        MomentumMap::exact(flow, &self.constants, self.start.time, self.h).ok()
    }

    /// The start as positions and momenta.
    pub(super) fn first(&self) -> Result<Node, InStepsError> {
        let q = self.at_start(&self.space.positions)?;
        let p = match (self.space.kind, &self.flow) {
            (Kind::Given, _) => {
                let stated = |p: &Symbol| {
                    let given = self.problem.start.momenta.iter().find(|a| a.symbol == *p);
                    given.map_or(Some(0.0), |a| self.problem.values.number(&a.value))
                };
                let all: Option<Vec<f64>> = self.space.momenta.iter().map(stated).collect();
                all.ok_or(InStepsError::Start)?
            }
            (Kind::Jets(_), Some(flow)) => self.start.evaluate(&flow.legendre)?,
            _ => {
                let v = self.at_start(self.system.frame().fibre())?;
                self.momenta_at(self.start.time, &q, &v)?
            }
        };
        Ok(Node { q, p })
    }

    /// Momenta to begin a search for the motion to a point with: those of the simplest path there.
    pub(super) fn guess(&self, from: &Node, to: &[f64], time: f64) -> Vec<f64> {
        let n = self.system.frame().base().len();
        let found = match (self.space.kind, &self.flow) {
            (Kind::Velocities, _) => {
                let ends = to.iter().zip(&from.q);
                let v: Vec<f64> = ends.map(|(b, a)| (b - a) / time).collect();
                self.momenta_at(self.start.time, &from.q, &v).ok()
            }
            (Kind::Jets(k), Some(flow)) => {
                // The jets at the start of the polynomial through both ends.
                let jets = |i: usize, order: u32| -> f64 {
                    if order < k {
                        return from.q[order as usize * n + i];
                    }
                    let (q0, q1) = (from.q[i], to[i]);
                    let (v0, v1) = (from.q[n + i], to[n + i]);
                    let mean = (q1 - q0) / time;
                    match order {
                        2 => (6.0 * mean - 4.0 * v0 - 2.0 * v1) / time,
                        3 => (6.0 * (v0 + v1) - 12.0 * mean) / (time * time),
                        _ => 0.0,
                    }
                };
                let base = self.system.frame().base();
                let orders = (0..2 * k).flat_map(|o| (0..n).map(move |i| (i, o)));
                let (symbols, values): (Vec<Symbol>, Vec<f64>) =
                    orders.map(|(i, o)| (base[i].jet(o), jets(i, o))).unzip();
                self.values(&flow.legendre, self.start.time, &symbols, &values)
                    .ok()
            }
            _ => None,
        };
        found.unwrap_or_else(|| from.p.clone())
    }

    fn variational(&self, formulas: &Formulas) -> Option<f64> {
        let exact = self.exact()?;
        let l = &formulas.lagrangian;
        let symbols = [&l.start[..], &l.end, std::slice::from_ref(&formulas.h)].concat();
        let constants = self.constants.iter().map(|(s, _)| s.clone());
        let inputs: Vec<Symbol> = std::iter::once(Symbol::time())
            .chain(constants)
            .chain(symbols)
            .collect();
        let tape = Tape::new(&inputs, std::slice::from_ref(&l.value)).ok()?;
        variational_order(&exact, &self.first().ok()?, |t, h, a, b| {
            let values: Vec<f64> = std::iter::once(t)
                .chain(self.constants.iter().map(|(_, x)| *x))
                .chain(a.iter().chain(b).copied())
                .chain([h])
                .collect();
            let found = tape.evaluate(&values)[0];
            found.is_finite().then_some(found)
        })
    }

    /// cond(S_h D₁D₂L_d S_h) with S_h = diag(h^(k−1/2), …, h^(1/2)): bounded as h → 0 where L_d is regular uniformly.
    fn conditions(&self, formulas: &Formulas) -> Vec<f64> {
        let Kind::Jets(k) = self.space.kind else {
            return Vec::new();
        };
        let (l, n) = (&formulas.lagrangian, self.space.positions.len());
        let block = l.mixed_block();
        let symbols = [&l.start[..], &l.end, std::slice::from_ref(&formulas.h)].concat();
        let Ok(first) = self.first() else {
            return Vec::new();
        };
        let level = n / k as usize;
        let condition = |h: f64| -> Option<f64> {
            let (next, _) = self.map(h).ok()?.advance(0, &first).ok()?;
            let values = [&first.q[..], &next.q, &[h]].concat();
            let entries = self
                .values(block.entries(), self.start.time, &symbols, &values)
                .ok()?;
            let scale = |i: usize| h.powf(f64::from(k) - (i / level) as f64 - 0.5);
            let scaled = Dense::new(n, n, |i, j| scale(i) * entries[i * n + j] * scale(j));
            let sigma = singular_values(&scaled);
            Some(sigma.first()? / sigma.last()?)
        };
        let steps = [1.0, 2.0, 4.0].map(|d| self.h / d);
        steps.into_iter().filter_map(condition).collect()
    }

    fn limit(&self) -> Option<Limit> {
        let node = self.first().ok()?;
        let energy = self.exact()?.energy(&node)?;
        let map = |h: f64| self.map(h).map_err(|_| ActionError::NotFinite);
        let from = |h: f64| Limit::measured(&node, energy, h, HALVINGS, map).ok();
        // A limit is a matter of short steps: where those at hand do not show it, shorter ones may.
        let shorter = (0..=SHORTENINGS).map(|k| self.h / SHORTER.powi(k));
        let mut limits = shorter.filter_map(from);
        let first = limits.next()?;
        match first.is_consistent() {
            true => Some(first),
            false => limits.find(Limit::is_consistent).or(Some(first)),
        }
    }

    /// What ends or begins in a step from the start. The exact Lagrangian has no value where its ends are conjugate.
    fn warnings(&self, request: &Request) -> Result<Vec<String>, InStepsError> {
        let mut warnings = Vec::new();
        if self.step.is_some() || request.making == Making::Exact {
            let (map, first) = (self.map(self.h)?, self.first()?);
            if map.is_exact() && map.is_conjugate(0, &first)? {
                return Err(InStepsError::Conjugate);
            }
            let (next, _) = map.advance(0, &first)?;
            if let Err(e) = map.check_steps(&[first, next]) {
                warnings.push(e.to_string());
            }
        }
        if self.space.kind == Kind::Given && request.making != Making::Rule(Rule::Midpoint) {
            warnings.push("the discrete Lagrangian is given: ‹rule› is not used".into());
        }
        Ok(warnings)
    }
}
