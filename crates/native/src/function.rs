//! A program in the fastest form that this machine has, with the exact one behind it.

use crate::backend::Backend;
use crate::kernel::{Kernel, Lanes};
use rattleback_compile::program::{Fault, Interpreter, Program};

/// A function of numbers at `N` places side by side. It holds no state: threads may share it, each with its own
/// [`MemoryOf`].
///
/// The machine code solves small systems without exchanging rows. Where one of its pivots is too
/// small, the interpreter, which exchanges rows, has the last word.
pub struct FunctionOf<const N: usize> {
    native: Option<Kernel>,
    exact: Interpreter,
}

/// A function of numbers.
pub type Function = FunctionOf<1>;

/// A function at four places at once, number i of place l at `[i][l]`.
pub type WideFunction = FunctionOf<4>;

/// The memory that one caller of a [`FunctionOf`] needs.
#[derive(Clone, Debug, Default)]
pub struct MemoryOf<const N: usize> {
    scratch: Vec<f64>,
    interpreter: Vec<[f64; N]>,
}

/// The memory of a [`Function`].
pub type Memory = MemoryOf<1>;

/// The memory of a [`WideFunction`].
pub type WideMemory = MemoryOf<4>;

impl<const N: usize> FunctionOf<N> {
    /// Compiles a program; where this machine has no native code, it is interpreted.
    fn compiled(program: Program, lanes: Lanes) -> Self {
        let native = Kernel::compile(&program.optimized(), lanes, Backend::Best).ok();
        Self {
            native,
            exact: Interpreter::new(program.scheduled()),
        }
    }

    /// Memory for calls.
    pub fn memory(&self) -> MemoryOf<N> {
        let scratch = self.native.as_ref().map_or(0, Kernel::scratch_len);
        MemoryOf {
            scratch: vec![0.0; scratch],
            interpreter: Vec::new(),
        }
    }

    /// Has the machine code found the outputs at all places?
    #[inline]
    fn is_found(&self, inputs: &[f64], outputs: &mut [f64], memory: &mut MemoryOf<N>) -> bool {
        let native = self.native.as_ref();
        native.is_some_and(|kernel| kernel.run(inputs, outputs, &mut memory.scratch) == 0)
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

impl Function {
    /// Compiles a program; where this machine has no native code, it is interpreted.
    pub fn new(program: Program) -> Self {
        Self::compiled(program, Lanes::One)
    }

    /// Writes the outputs at these inputs.
    #[inline]
    pub fn call(
        &self,
        inputs: &[f64],
        outputs: &mut [f64],
        memory: &mut Memory,
    ) -> Result<(), Fault> {
        match self.is_found(inputs, outputs, memory) {
            true => Ok(()),
            false => self.exact.run(inputs, outputs, &mut memory.interpreter),
        }
    }
}

impl WideFunction {
    /// Compiles a program; where this machine has no native code, it is interpreted.
    pub fn new(program: Program) -> Self {
        Self::compiled(program, Lanes::Four)
    }

    /// Writes the outputs at these inputs and returns the mask of the places that have none.
    #[inline]
    pub fn call(
        &self,
        inputs: &[[f64; 4]],
        outputs: &mut [[f64; 4]],
        memory: &mut WideMemory,
    ) -> u8 {
        if self.is_found(inputs.as_flattened(), outputs.as_flattened_mut(), memory) {
            return 0;
        }
        let faults = self
            .exact
            .run_lanes(inputs, outputs, &mut memory.interpreter);
        let failed = faults.iter().enumerate().filter(|(_, f)| f.is_some());
        failed.fold(0, |mask, (lane, _)| mask | 1 << lane)
    }
}
