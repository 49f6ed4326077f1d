//! The vector field of a motion: compiled rates, their derivatives and their Taylor series.

use rattleback_compile::Motion;
use rattleback_compile::program::{self, FaultKind};
use rattleback_compile::taylor::{JetFault, JetInterpreter, TaylorPlan};
use rattleback_integrate::{Fault, Jets, VectorField};
use rattleback_native::{Function, Memory};
use rattleback_symbolic::MissingInput;
use std::sync::Arc;

use super::method::Method;

/// The rates of a motion as a vector field. Cheap to clone: the code is shared.
#[derive(Clone)]
pub struct Field {
    dimension: usize,
    rates: Compiled,
    jacobian: Option<Compiled>,
    jets: Option<JetInterpreter<f64>>,
    inputs: Vec<f64>,
}

/// A function with the memory of one caller.
#[derive(Clone)]
pub struct Compiled {
    function: Arc<Function>,
    memory: Memory,
}

impl Compiled {
    /// Compiles a program.
    pub fn new(program: program::Program) -> Self {
        let function = Arc::new(Function::new(program));
        let memory = function.memory();
        Self { function, memory }
    }

    /// Writes the outputs.
    pub fn call(&mut self, inputs: &[f64], outputs: &mut [f64]) -> Result<(), program::Fault> {
        self.function.call(inputs, outputs, &mut self.memory)
    }

    /// The number of outputs.
    pub fn outputs(&self) -> usize {
        self.function.program().outputs.len()
    }
}

impl Field {
    /// Compiles the rates of a motion, and their Jacobian where a method needs it. `varied` are the
    /// values of the motion's varied constants.
    pub fn new(motion: &Motion, method: Method, varied: &[f64]) -> Result<Self, MissingInput> {
        let program = motion.rates()?;
        let dimension = motion.state.len();
        let plan = || TaylorPlan::new(&program).ok();
        let jets = (method == Method::Taylor).then(plan).flatten().map(|plan| {
            let mut jets = JetInterpreter::new(plan, HIGHEST_ORDER);
            jets.set_parameters(0, varied);
            jets
        });
        let jacobian = method
            .needs_jacobian()
            .then(|| Compiled::new(program.jacobian(1..1 + dimension)));
        let mut inputs = vec![0.0; 1 + dimension];
        inputs.extend_from_slice(varied);
        Ok(Self {
            dimension,
            rates: Compiled::new(program),
            jacobian,
            jets,
            inputs,
        })
    }

    fn set(&mut self, t: f64, x: &[f64]) {
        self.inputs[0] = t;
        self.inputs[1..=self.dimension].copy_from_slice(x);
    }
}

/// The highest order of a Taylor series: what the smallest tolerance asks for, and some more.
const HIGHEST_ORDER: usize = 40;

fn fault(fault: program::Fault) -> Fault {
    match fault.kind {
        FaultKind::Singular(_) => Fault::Singular,
        FaultKind::NotConverged(_) => Fault::NotConverged,
    }
}

impl VectorField for Field {
    fn dimension(&self) -> usize {
        self.dimension
    }

    fn rates(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        self.set(t, x);
        self.rates.call(&self.inputs, rates).map_err(fault)
    }

    fn jacobian(&mut self, t: f64, x: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
        self.set(t, x);
        match &mut self.jacobian {
            Some(compiled) => compiled.call(&self.inputs, jacobian).map_err(fault),
            // Only methods that ask for it at construction evaluate it.
            None => Err(Fault::NotConverged),
        }
    }
}

impl Jets for Field {
    fn jet(
        &mut self,
        t: f64,
        x: &[f64],
        order: usize,
        coefficients: &mut [f64],
    ) -> Result<(), Fault> {
        let Some(jets) = &mut self.jets else {
            return Err(Fault::NotConverged);
        };
        let found = jets.jet(t, x, order, coefficients);
        found.map_err(|(_, why)| match why {
            JetFault::Block(block) => fault(block),
            JetFault::NotFinite(i) => Fault::NotFinite(i),
        })
    }
}
