//! Many motions of one problem from given starts, four at once.

use crate::motion::MotionProblem;
use rattleback::simulation::Recurrences;
use rattleback_integrate::taylor::{BatchJets, StepPolicy};
use rattleback_integrate::{BatchField, Block, Ensemble, LANES, Span, Tolerance};
use rattleback_native::taylor::{TaylorFunction, TaylorMemory};
use rattleback_native::{Backend, Kernel, Lanes};
use std::sync::Arc;

/// The code for four lanes: rates, and Taylor series of one order where they are asked for.
pub struct Code {
    rates: Kernel,
    series: Option<TaylorFunction>,
}

/// Members from their starts to one end time.
pub struct Crowd {
    code: Arc<Code>,
    policy: Option<StepPolicy>,
    starts: Vec<f64>,
    dimension: usize,
    until: f64,
}

impl Crowd {
    /// Compiles; `starts` has the states one after the other.
    pub fn new(
        problem: &MotionProblem,
        by_series: bool,
        tolerance: Tolerance,
        starts: Vec<f64>,
        until: f64,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let program = problem.program()?;
        let series = by_series.then(|| Recurrences::of(&program, tolerance));
        let series = series.transpose()?;
        let policy = series.as_ref().map(|series| series.policy);
        let compiled = |s: Recurrences| TaylorFunction::new(s.plan, s.policy.order(), Lanes::Four);
        let code = Code {
            rates: Kernel::compile(&program.optimized(), Lanes::Four, Backend::Best)?,
            series: series.map(compiled),
        };
        Ok(Self {
            policy,
            code: Arc::new(code),
            starts,
            dimension: problem.state.len(),
            until,
        })
    }

    /// The order and the step sizes of the series, where they are followed.
    pub fn policy(&self) -> Option<StepPolicy> {
        self.policy
    }
}

impl Ensemble for Crowd {
    type Field = CrowdField;

    fn members(&self) -> usize {
        self.starts.len() / self.dimension
    }

    fn field(&self) -> CrowdField {
        CrowdField {
            dimension: self.dimension,
            inputs: vec![[0.0; LANES]; 1 + self.dimension],
            scratch: vec![0.0; self.code.rates.scratch_len()],
            series: self.code.series.as_ref().map(TaylorFunction::memory),
            code: Arc::clone(&self.code),
        }
    }

    fn start(&self, member: usize, x: &mut [f64]) -> Span {
        x.copy_from_slice(&self.starts[member * self.dimension..][..self.dimension]);
        Span {
            start: 0.0,
            end: self.until,
        }
    }
}

/// The field of one thread.
pub struct CrowdField {
    code: Arc<Code>,
    dimension: usize,
    inputs: Vec<Block>,
    scratch: Vec<f64>,
    series: Option<TaylorMemory>,
}

impl BatchField for CrowdField {
    fn dimension(&self) -> usize {
        self.dimension
    }

    fn assign(&mut self, _lane: usize, _member: usize) {}

    fn rates(&mut self, t: &[f64; LANES], x: &[Block], rates: &mut [Block]) -> u8 {
        self.inputs[0] = *t;
        self.inputs[1..].copy_from_slice(x);
        let (inputs, outputs) = (self.inputs.as_flattened(), rates.as_flattened_mut());
        self.code.rates.run(inputs, outputs, &mut self.scratch)
    }
}

impl BatchJets for CrowdField {
    fn jets(&mut self, t: &[f64; LANES], x: &[Block], _: usize, coefficients: &mut [Block]) -> u8 {
        let (Some(function), Some(memory)) = (&self.code.series, &mut self.series) else {
            return Lanes::Four.mask();
        };
        let (x, coefficients) = (x.as_flattened(), coefficients.as_flattened_mut());
        match function.jet(memory, t, x, coefficients) {
            Ok(()) => 0,
            Err((failed, _)) => failed,
        }
    }
}
