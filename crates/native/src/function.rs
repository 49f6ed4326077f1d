//! A program in the fastest form that this machine has, with the exact one behind it.

use rattleback_compile::program::{Fault, Interpreter, Program};

/// A function of numbers. It holds no state: threads may share it, each with its own [`Memory`].
pub struct Function {
    exact: Interpreter,
}

/// The memory that one caller of a [`Function`] needs.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    interpreter: Vec<[f64; 1]>,
}

impl Function {
    /// Compiles a program.
    pub fn new(program: Program) -> Self {
        Self {
            exact: Interpreter::new(program.scheduled()),
        }
    }

    /// Memory for calls.
    pub fn memory(&self) -> Memory {
        Memory::default()
    }

    /// Writes the outputs at these inputs.
    pub fn call(
        &self,
        inputs: &[f64],
        outputs: &mut [f64],
        memory: &mut Memory,
    ) -> Result<(), Fault> {
        self.exact.run(inputs, outputs, &mut memory.interpreter)
    }

    /// The program.
    pub fn program(&self) -> &Program {
        self.exact.program()
    }
}
