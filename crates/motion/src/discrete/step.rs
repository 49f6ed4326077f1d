//! A step of a discrete system on positions and velocities, compiled.

use super::known::Known;
use crate::compiled::{Compiled, fault};
use rattleback_compile::program::Program;
use rattleback_integrate::Fault;
use rattleback_integrate::variational::{SolvedMap, StepEquations, StepMap};
use rattleback_mechanics::Stage;
use rattleback_mechanics::discrete::{LONGEST_TURN, Step};
use rattleback_numeric::copy_few;
use rattleback_symbolic::{Expr, Matrix, MissingInput, Symbol};

/// The map of a step: (t, x) to x at t + h, on the branch that short steps are on.
#[derive(Clone)]
pub enum CompiledStep {
    /// The unknowns are those of linear equations without the step in them.
    Explicit(Landing, u64),
    /// They are found by iteration.
    Implicit(Box<SolvedMap<Equations>>),
}

/// The equations of a step, with their derivative by the unknowns.
#[derive(Clone)]
pub struct Equations {
    residual: Compiled,
    linearized: Compiled,
    landing: Landing,
    unknowns: usize,
    velocities: usize,
    /// The forms of the constraints, where there are any.
    forms: Option<Compiled>,
    constraints: usize,
}

/// The state at the end of a step, and the squared angles by which group factors turn.
#[derive(Clone)]
pub struct Landing {
    code: Compiled,
    /// t, h, the state, what is given, the unknowns, then what the equations know besides them.
    inputs: Vec<f64>,
    known: Option<Compiled>,
    unknowns: usize,
    outputs: Vec<f64>,
    dimension: usize,
    given: usize,
}

impl CompiledStep {
    /// Of a step whose inputs besides time and length are these, in the order of a state, and of numbers that it is given
    /// ([`StepMap::give`]).
    pub fn new(
        step: &Step,
        state: &[Symbol],
        given: &[Symbol],
        constants: &[(Symbol, f64)],
    ) -> Result<Self, MissingInput> {
        let mut inputs = [&step.inputs[..2], state, given].concat();
        let (first, rest) = step.stages.split_first().unzip();
        let Some(Stage::Implicit {
            unknowns,
            residuals,
        }) = first.cloned().map(|first| implicit(first, step))
        else {
            let landing = Landing::new(step, state, given, &inputs, &step.stages, constants)?;
            return Ok(Self::Explicit(landing, 0));
        };
        let before = inputs.len();
        inputs.extend(unknowns.iter().cloned());
        let mut landing = Landing::new(
            step,
            state,
            given,
            &inputs,
            rest.unwrap_or_default(),
            constants,
        )?;
        let jacobian = residuals.iter().flat_map(|r| r.gradient(&unknowns));
        let all: Vec<Expr> = jacobian.chain(residuals.iter().cloned()).collect();
        let known = Known::of(&[&all[..], &step.from].concat(), &unknowns);
        let (names, values): (Vec<Symbol>, Vec<Expr>) = known.values.into_iter().unzip();
        landing.know(Program::new(&inputs[..before], constants, &[], &values)?);
        inputs.extend(names);
        let compiled = |outputs: &[Expr]| -> Result<Compiled, MissingInput> {
            Program::new(&inputs, constants, &[], outputs).map(Compiled::new)
        };
        let (jacobian, n) = (&known.rest, unknowns.len());
        let equations = Equations {
            residual: compiled(&jacobian[n * n..])?,
            linearized: compiled(jacobian)?,
            landing,
            unknowns: unknowns.len(),
            velocities: step.from.len(),
            constraints: step.forms[0].rows(),
            forms: match &step.forms {
                [placed, _] if placed.rows() == 0 => None,
                [placed, end] => Some(compiled(&[placed.entries(), end.entries()].concat())?),
            },
        };
        Ok(Self::Implicit(Box::new(SolvedMap::new(equations))))
    }
}

/// Equations whose matrix changes with the step may come to a pole as it grows, and constraints whose forms change with it
/// to a place where they lose their rank: they are followed like others.
fn implicit(stage: Stage, step: &Step) -> Stage {
    let (h, forms) = (&step.inputs[1], &step.forms[1]);
    let changes = |m: &Matrix| m.entries().iter().any(|e| e.contains(h));
    match stage {
        Stage::Linear {
            unknowns,
            matrix,
            rhs,
        } if changes(&matrix) || changes(forms) => {
            let all: Vec<Expr> = unknowns.iter().map(Expr::from).collect();
            let sides = matrix.apply(&all).into_iter().zip(rhs);
            let residuals = sides.map(|(left, right)| left - right).collect();
            Stage::Implicit {
                unknowns,
                residuals,
            }
        }
        stage => stage,
    }
}

impl StepMap for CompiledStep {
    fn dimension(&self) -> usize {
        match self {
            Self::Explicit(landing, _) => landing.dimension,
            Self::Implicit(map) => map.dimension(),
        }
    }

    fn advance(&mut self, t: f64, x: &[f64], h: f64, next: &mut [f64]) -> Result<(), Fault> {
        match self {
            Self::Explicit(landing, evaluations) => {
                *evaluations += 1;
                landing.set(t, x, h);
                landing.land(&[], next)
            }
            Self::Implicit(map) => map.advance(t, x, h, next),
        }
    }

    fn give(&mut self, given: &[f64]) {
        match self {
            Self::Explicit(landing, _) => landing.give(given),
            Self::Implicit(map) => map.give(given),
        }
    }

    fn restart(&mut self) {
        if let Self::Implicit(map) = self {
            map.restart();
        }
    }

    fn evaluations(&self) -> u64 {
        match self {
            Self::Explicit(_, evaluations) => *evaluations,
            Self::Implicit(map) => map.evaluations(),
        }
    }
}

impl Landing {
    /// After what is still to be solved.
    fn new(
        step: &Step,
        state: &[Symbol],
        given: &[Symbol],
        inputs: &[Symbol],
        stages: &[Stage],
        constants: &[(Symbol, f64)],
    ) -> Result<Self, MissingInput> {
        let names = &step.inputs[2..];
        let next_of = |s: &Symbol| {
            let place = names.iter().position(|n| n == s);
            place
                .map(|place| step.next[place].clone())
                .ok_or_else(|| MissingInput(s.clone()))
        };
        let next = state.iter().map(next_of).collect::<Result<Vec<_>, _>>()?;
        let outputs = [&next[..], &step.turns].concat();
        Ok(Self {
            code: Compiled::new(Program::new(inputs, constants, stages, &outputs)?),
            inputs: vec![0.0; inputs.len()],
            known: None,
            unknowns: inputs.len() - 2 - state.len() - given.len(),
            outputs: vec![0.0; outputs.len()],
            dimension: state.len(),
            given: given.len(),
        })
    }

    fn set(&mut self, t: f64, x: &[f64], h: f64) {
        self.inputs[0] = t;
        self.inputs[1] = h;
        copy_few(x, &mut self.inputs[2..2 + x.len()]);
        let before = 2 + self.dimension + self.given;
        if let Some(code) = &mut self.known {
            let (inputs, rest) = self.inputs.split_at_mut(before);
            let known = &mut rest[self.unknowns..];
            if code.call(inputs, known).is_err() {
                known.fill(f64::NAN);
            }
        }
    }

    /// Takes a program of what the equations know besides their unknowns.
    fn know(&mut self, program: Program) {
        let known = program.outputs.len();
        self.inputs.resize(self.inputs.len() + known, 0.0);
        self.known = (known > 0).then(|| Compiled::new(program));
    }

    /// The inputs with these unknowns.
    fn at(&mut self, u: &[f64]) -> &[f64] {
        let before = 2 + self.dimension + self.given;
        copy_few(u, &mut self.inputs[before..before + self.unknowns]);
        &self.inputs
    }

    fn give(&mut self, given: &[f64]) {
        let from = 2 + self.dimension;
        self.inputs[from..from + self.given].copy_from_slice(given);
    }

    fn land(&mut self, u: &[f64], next: &mut [f64]) -> Result<(), Fault> {
        self.at(u);
        let inputs = &self.inputs[..2 + self.dimension + self.given + self.unknowns];
        if self.outputs.len() == self.dimension {
            return self.code.call(inputs, next).map_err(fault);
        }
        self.code.call(inputs, &mut self.outputs).map_err(fault)?;
        let (state, turns) = self.outputs.split_at(self.dimension);
        next.copy_from_slice(state);
        match turns.iter().any(|square| *square > LONGEST_TURN.powi(2)) {
            true => Err(Fault::LongTurn),
            false => Ok(()),
        }
    }
}

impl StepEquations for Equations {
    fn dimension(&self) -> usize {
        self.landing.dimension
    }

    fn unknowns(&self) -> usize {
        self.unknowns
    }

    fn velocities(&self) -> usize {
        self.velocities
    }

    fn constraints(&self) -> usize {
        self.constraints
    }

    fn forms(&mut self, u: &[f64], forms: &mut [f64]) -> Result<(), Fault> {
        match &mut self.forms {
            Some(code) => code.call(self.landing.at(u), forms).map_err(fault),
            None => Ok(()),
        }
    }

    fn set(&mut self, t: f64, x: &[f64], h: f64) {
        self.landing.set(t, x, h);
    }

    fn give(&mut self, given: &[f64]) {
        self.landing.give(given);
    }

    fn residual(&mut self, u: &[f64], residual: &mut [f64]) -> Result<(), Fault> {
        let inputs = self.landing.at(u);
        self.residual.call(inputs, residual).map_err(fault)
    }

    fn linearized(&mut self, u: &[f64], linearized: &mut [f64]) -> Result<(), Fault> {
        let inputs = self.landing.at(u);
        self.linearized.call(inputs, linearized).map_err(fault)
    }

    fn land(&mut self, u: &[f64], next: &mut [f64]) -> Result<(), Fault> {
        self.landing.land(u, next)
    }
}
