//! Functions in machine code, each with a memory of its own.

use rattleback_compile::program::{self, FaultKind, Program};
use rattleback_integrate::Fault;
use rattleback_native::{Function, Memory};
use std::sync::Arc;

/// A function with the memory of one caller.
#[derive(Clone)]
pub struct Compiled {
    function: Arc<Function>,
    memory: Memory,
}

impl Compiled {
    /// Compiles a program.
    pub fn new(program: Program) -> Self {
        let function = Arc::new(Function::new(program));
        let memory = function.memory();
        Self { function, memory }
    }

    /// Writes the outputs.
    #[inline]
    pub fn call(&mut self, inputs: &[f64], outputs: &mut [f64]) -> Result<(), program::Fault> {
        self.function.call(inputs, outputs, &mut self.memory)
    }

    /// The number of outputs.
    pub fn outputs(&self) -> usize {
        self.function.program().outputs.len()
    }
}

/// What has no value, in the words of methods.
pub(crate) fn fault(fault: program::Fault) -> Fault {
    match fault.kind {
        FaultKind::Singular(_) => Fault::Singular,
        FaultKind::NotConverged(_) => Fault::NotConverged,
    }
}
