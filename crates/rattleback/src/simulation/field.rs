//! The vector field of a motion: compiled rates, their derivatives and their Taylor series.

use rattleback_compile::Motion;
use rattleback_compile::program::{self, FaultKind};
use rattleback_compile::taylor::{JetFault, TaylorPlan};
use rattleback_integrate::taylor::StepPolicy;
use rattleback_integrate::{Fault, Jets, Tolerance, VectorField};
use rattleback_native::taylor::{TaylorFunction, TaylorMemory};
use rattleback_native::{Function, Lanes, Memory};
use rattleback_symbolic::MissingInput;
use std::sync::Arc;

use super::method::Method;

/// The rates of a motion as a vector field. Cheap to clone: the code is shared.
#[derive(Clone)]
pub struct Field {
    dimension: usize,
    rates: Compiled,
    jacobian: Option<Compiled>,
    series: Option<(Arc<TaylorFunction>, TaylorMemory)>,
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
    /// Compiles the rates of a motion and what the method needs besides. `varied` are the values of
    /// the motion's varied constants.
    pub fn new(
        motion: &Motion,
        method: Method,
        tolerance: Tolerance,
        varied: &[f64],
    ) -> Result<Self, MissingInput> {
        Ok(Self::of_program(motion.rates()?, method, tolerance, varied))
    }

    /// The same for a program with inputs (t, x, constants) and outputs x'.
    pub fn of_program(
        program: program::Program,
        method: Method,
        tolerance: Tolerance,
        constants: &[f64],
    ) -> Self {
        let dimension = program.outputs.len();
        let series = || {
            let order = StepPolicy::new(tolerance).order();
            let plan = TaylorPlan::new(&program).ok()?;
            let function = TaylorFunction::new(plan, order, Lanes::One);
            let mut memory = function.memory();
            function.set_parameters(&mut memory, 0, constants);
            Some((Arc::new(function), memory))
        };
        let jacobian = || Compiled::new(program.jacobian(1..1 + dimension));
        let mut inputs = vec![0.0; 1 + dimension];
        inputs.extend_from_slice(constants);
        Self {
            dimension,
            series: (method == Method::Taylor).then(series).flatten(),
            jacobian: method.needs_jacobian().then(jacobian),
            rates: Compiled::new(program),
            inputs,
        }
    }

    fn set(&mut self, t: f64, x: &[f64]) {
        self.inputs[0] = t;
        self.inputs[1..=self.dimension].copy_from_slice(x);
    }
}

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
        // The field of a Taylor method is compiled for the order that the method works with.
        let Some((function, memory)) = self.series.as_mut().filter(|s| s.0.order() == order) else {
            return Err(Fault::NotConverged);
        };
        let found = function.jet(memory, &[t], x, coefficients);
        found.map_err(|(_, why)| match why {
            JetFault::Block(block) => fault(block),
            JetFault::NotFinite(i) => Fault::NotFinite(i),
        })
    }
}
