//! A program in the fastest form that this machine has, with the exact one behind it.

use crate::backend::Backend;
use crate::kernel::{Kernel, Lanes};
use rattleback_compile::program::{Fault, Interpreter, Program};

/// A function of numbers. It holds no state: threads may share it, each with its own [`Memory`].
///
/// The machine code solves small systems without exchanging rows. Where one of its pivots is too
/// small, the interpreter, which exchanges rows, has the last word.
pub struct Function {
    native: Option<Kernel>,
    exact: Interpreter,
}

/// The memory that one caller of a [`Function`] needs.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    scratch: Vec<f64>,
    interpreter: Vec<[f64; 1]>,
}

impl Function {
    /// Compiles a program; where this machine has no native code, it is interpreted.
    pub fn new(program: Program) -> Self {
        let native = Kernel::compile(&program.optimized(), Lanes::One, Backend::Best).ok();
        Self {
            native,
            exact: Interpreter::new(program.scheduled()),
        }
    }

    /// Memory for calls.
    pub fn memory(&self) -> Memory {
        let scratch = self.native.as_ref().map_or(0, Kernel::scratch_len);
        Memory {
            scratch: vec![0.0; scratch],
            interpreter: Vec::new(),
        }
    }

    /// Writes the outputs at these inputs.
    #[inline]
    pub fn call(
        &self,
        inputs: &[f64],
        outputs: &mut [f64],
        memory: &mut Memory,
    ) -> Result<(), Fault> {
        if let Some(kernel) = &self.native
            && kernel.run(inputs, outputs, &mut memory.scratch) == 0
        {
            return Ok(());
        }
        self.exact.run(inputs, outputs, &mut memory.interpreter)
    }

    /// Is there machine code?
    pub fn is_native(&self) -> bool {
        self.native.is_some()
    }

    /// The program.
    pub fn program(&self) -> &Program {
        self.exact.program()
    }
}
