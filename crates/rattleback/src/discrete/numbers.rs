//! What a discrete system comes to with numbers: a step from the start, its order, Jacobi's action.

use super::{DiscretePageError, Formulas, Making, Request};
use crate::compile::program::{Interpreter, Program};
use crate::compile::{EvaluationError, StartState};
use crate::mechanics::System;
use crate::mechanics::discrete::{DiscreteSystem, Step};
use crate::symbolic::{Expr, Symbol, Tape};
use rattleback_motion::discrete::{Action, Data, MomentumMap, Node, Residuals, measured_order};

/// Numbers of a discrete system.
pub struct Numbers {
    /// The step.
    pub step: f64,
    /// The state and the momenta after one step from the start, by name.
    pub next: Vec<(String, f64)>,
    /// The order that the rule should have; none for the exact one.
    pub expected: Option<u32>,
    /// The order that was measured, where it could be.
    pub measured: Option<f64>,
    /// Jacobi's action, where it was asked for.
    pub action: Option<ActionFound>,
}

/// Jacobi's action at a point.
pub struct ActionFound {
    /// The action.
    pub action: Action,
    /// How well it fulfils the discrete Hamilton-Jacobi equations.
    pub residuals: Residuals,
}

/// A system with the values of its constants.
struct With<'a> {
    system: &'a System,
    start: &'a StartState,
    constants: Vec<(Symbol, f64)>,
    h: f64,
}

impl Numbers {
    pub(super) fn new(
        system: &System,
        start: &StartState,
        discrete: Option<&DiscreteSystem>,
        formulas: Option<&Formulas>,
        request: &Request,
    ) -> Result<Self, DiscretePageError> {
        let h = start.evaluate(std::slice::from_ref(&request.step))?[0];
        if !(h > 0.0 && h.is_finite()) {
            return Err(DiscretePageError::Step);
        }
        let constants = start.constants.iter().cloned();
        let with = With {
            system,
            start,
            constants: constants
                .zip(start.constant_values.iter().copied())
                .collect(),
            h,
        };
        let by_momenta = with.momentum_step(discrete, formulas);
        let (next, measured) = match (discrete, &by_momenta) {
            (Some(discrete), _) => {
                let step = discrete.step();
                (with.next(&step)?, with.measured(&step)?)
            }
            (None, Some(step)) => (with.next_by_momenta(step)?, None),
            (None, None) => (Vec::new(), None),
        };
        let action = match request.steps {
            Some(steps) => Some(with.action(by_momenta.as_ref(), steps, request)?),
            None => None,
        };
        Ok(Self {
            step: h,
            next,
            expected: match request.making {
                Making::Rule(rule) => Some(rule.order()),
                Making::Exact => None,
            },
            measured,
            action,
        })
    }
}

impl With<'_> {
    fn positions(&self) -> Vec<Symbol> {
        self.system.frame().base().to_vec()
    }

    fn at_start(&self, symbols: &[Symbol]) -> Result<Vec<f64>, EvaluationError> {
        let all: Vec<Expr> = symbols.iter().map(Expr::from).collect();
        self.start.evaluate(&all)
    }

    fn momenta_at(&self, z: &[f64], y: &[f64]) -> Result<Vec<f64>, EvaluationError> {
        let frame = self.system.frame();
        let state = [frame.base(), frame.fibre()].concat();
        let time = [Symbol::time()];
        let constants = self.constants.iter().map(|(s, _)| s.clone());
        let symbols: Vec<Symbol> = time.into_iter().chain(constants).chain(state).collect();
        let values = self.constants.iter().map(|(_, x)| *x);
        let values: Vec<f64> = std::iter::once(self.start.time)
            .chain(values)
            .chain(z.iter().chain(y).copied())
            .collect();
        Ok(Tape::new(&symbols, &self.system.momenta())?.evaluate(&values))
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
        let momentum = |s: &Symbol| Symbol::variable(&format!("p~{}", s.name()));
        let momenta: Vec<Symbol> = self.positions().iter().map(momentum).collect();
        match (discrete, formulas) {
            (Some(discrete), _) => Some(discrete.momentum_step(&momenta)),
            (None, Some(f)) => Some(f.lagrangian.momentum_step(&f.h, &momenta)),
            (None, None) => None,
        }
    }

    fn compiled(&self, step: &Step) -> Result<Interpreter, EvaluationError> {
        let program = Program::new(&step.inputs, &self.constants, &step.stages, &step.next)?;
        Ok(Interpreter::new(program))
    }

    /// One step from the start on positions and velocities, with the momenta there.
    fn next(&self, step: &Step) -> Result<Vec<(String, f64)>, DiscretePageError> {
        let map = self.compiled(step)?;
        let state = self.at_start(&step.inputs[2..])?;
        let inputs = [&[self.start.time, self.h], &state[..]].concat();
        let found = map.values(&inputs);
        let next = found.map_err(|fault| EvaluationError::of(fault, map.program()))?;
        let (z, y) = next.split_at(self.system.frame().base().len());
        let momenta = self.momenta_at(z, y)?;
        let names = step.inputs[2..].iter().map(ToString::to_string);
        let fibre = self.system.frame().fibre().iter();
        let p_names = fibre.map(|y| format!("p_{}", y.name()));
        Ok(names
            .zip(next.clone())
            .chain(p_names.zip(momenta))
            .collect())
    }

    /// The same on positions and momenta alone.
    fn next_by_momenta(&self, step: &Step) -> Result<Vec<(String, f64)>, DiscretePageError> {
        let map = self.map(step)?;
        let (next, _) = map.advance(0, &self.first()?)?;
        let q = self.positions();
        let positions = q.iter().map(ToString::to_string).zip(next.q);
        let momenta = q.iter().map(|s| format!("p_{}", s.name())).zip(next.p);
        Ok(positions.chain(momenta).collect())
    }

    fn measured(&self, step: &Step) -> Result<Option<f64>, DiscretePageError> {
        let map = self.compiled(step)?;
        let state = self.at_start(&step.inputs[2..])?;
        Ok(measured_order(&state, self.h, |t, x, h| {
            let inputs = [&[self.start.time + t, h], x].concat();
            let next = map.values(&inputs).ok()?;
            next.iter().all(|x| x.is_finite()).then_some(next)
        }))
    }

    fn map(&self, step: &Step) -> Result<MomentumMap, DiscretePageError> {
        let mut constants = self.constants.clone();
        constants.retain(|(s, _)| !step.inputs.contains(s));
        Ok(MomentumMap::new(step, &constants, self.start.time, self.h)?)
    }

    /// The start as positions and momenta.
    fn first(&self) -> Result<Node, EvaluationError> {
        let frame = self.system.frame();
        let (q, v) = (self.at_start(frame.base())?, self.at_start(frame.fibre())?);
        let p = self.momenta_at(&q, &v)?;
        Ok(Node { q, p })
    }

    fn action(
        &self,
        step: Option<&Step>,
        steps: usize,
        request: &Request,
    ) -> Result<ActionFound, DiscretePageError> {
        let forced = self.system.force().iter().any(|f| !f.is_zero());
        let step = step
            .filter(|_| !forced)
            .ok_or(DiscretePageError::NoAction)?;
        let map = self.map(step)?;
        let symbols = self.positions();
        let first = self.first()?;
        let wanted = |(s, q): (&Symbol, &f64)| {
            let given = request.at.iter().find(|(name, _)| name == s);
            given.map_or(*q, |(_, x)| *x)
        };
        let at: Vec<f64> = symbols.iter().zip(&first.q).map(wanted).collect();
        match &request.from {
            None => {
                // The momentum of uniform motion to the point is the first guess.
                let time = self.h * steps.max(1) as f64;
                let v: Vec<f64> = at
                    .iter()
                    .zip(&first.q)
                    .map(|(b, a)| (b - a) / time)
                    .collect();
                let guess = self.momenta_at(&first.q, &v)?;
                let data = Data::Point {
                    q: &first.q,
                    guess: &guess,
                };
                found(&map, steps, &data, &at)
            }
            Some(function) => {
                let jets = self.jets(function, &symbols)?;
                let initial = |x: &[f64]| jets.at(x);
                let data = Data::Cauchy {
                    initial: &initial,
                    guess: &at,
                };
                found(&map, steps, &data, &at)
            }
        }
    }

    /// S₀ with its first and second derivatives.
    fn jets(&self, function: &Expr, q: &[Symbol]) -> Result<Jets, EvaluationError> {
        let slopes = function.gradient(q);
        let second = slopes.iter().flat_map(|s| s.gradient(q));
        let all: Vec<Expr> = std::iter::once(function.clone())
            .chain(slopes.clone())
            .chain(second)
            .collect();
        let constants = self.constants.iter().map(|(s, _)| s.clone());
        let symbols: Vec<Symbol> = constants.chain(q.iter().cloned()).collect();
        Ok(Jets {
            tape: Tape::new(&symbols, &all)?,
            constants: self.constants.iter().map(|(_, x)| *x).collect(),
        })
    }
}

/// A function with its derivatives, as a tape.
struct Jets {
    tape: Tape,
    constants: Vec<f64>,
}

impl Jets {
    fn at(&self, x: &[f64]) -> (f64, Vec<f64>, Vec<f64>) {
        let values = self.tape.evaluate(&[&self.constants[..], x].concat());
        let n = x.len();
        (values[0], values[1..=n].to_vec(), values[n + 1..].to_vec())
    }
}

fn found(
    map: &MomentumMap,
    steps: usize,
    data: &Data<'_>,
    at: &[f64],
) -> Result<ActionFound, DiscretePageError> {
    let action = map.action(steps, data, at)?;
    let residuals = map.residuals(steps, data, &action)?;
    Ok(ActionFound { action, residuals })
}
