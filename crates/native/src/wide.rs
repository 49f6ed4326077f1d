//! A program over four states at once, in the fastest form that this machine has, with the exact one behind it.

use crate::backend::Backend;
use crate::kernel::{Kernel, Lanes};
use rattleback_compile::program::{Interpreter, Program};

/// The same number of four states.
type Four = [f64; 4];

/// A function of numbers at four places side by side, number i of place l at `[i][l]`. It holds no state: threads may
/// share it, each with its own [`WideMemory`].
///
/// Where the machine code fails at a place, the interpreter has the last word, as in [`Function`](crate::Function).
pub struct WideFunction {
    native: Option<Kernel>,
    exact: Interpreter,
}

/// The memory that one caller of a [`WideFunction`] needs.
#[derive(Clone, Debug, Default)]
pub struct WideMemory {
    scratch: Vec<f64>,
    interpreter: Vec<Four>,
}

impl WideFunction {
    /// Compiles a program; where this machine has no native code, it is interpreted.
    pub fn new(program: Program) -> Self {
        let native = Kernel::compile(&program.optimized(), Lanes::Four, Backend::Best).ok();
        Self {
            native,
            exact: Interpreter::new(program.scheduled()),
        }
    }

    /// Memory for calls.
    pub fn memory(&self) -> WideMemory {
        let scratch = self.native.as_ref().map_or(0, Kernel::scratch_len);
        WideMemory {
            scratch: vec![0.0; scratch],
            interpreter: Vec::new(),
        }
    }

    /// Writes the outputs at these inputs and returns the mask of the places that have none.
    #[inline]
    pub fn call(&self, inputs: &[Four], outputs: &mut [Four], memory: &mut WideMemory) -> u8 {
        if let Some(kernel) = &self.native
            && kernel.run(
                inputs.as_flattened(),
                outputs.as_flattened_mut(),
                &mut memory.scratch,
            ) == 0
        {
            return 0;
        }
        let faults = self
            .exact
            .run_lanes(inputs, outputs, &mut memory.interpreter);
        let failed = faults.iter().enumerate().filter(|(_, f)| f.is_some());
        failed.fold(0, |mask, (lane, _)| mask | 1 << lane)
    }
}
