//! The code generators, and which of them compiles a program.

use crate::code::Code;
use crate::kernel::{Kernel, Lanes, Systems};
use crate::{NativeError, validate::validate};
use rattleback_compile::program::Program;

/// Which code generator to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Backend {
    /// The best that this processor supports.
    #[default]
    Best,
    /// Cranelift: any supported processor.
    Cranelift,
}

impl Kernel {
    /// Compiles a program.
    pub fn compile(program: &Program, lanes: Lanes, backend: Backend) -> Result<Self, NativeError> {
        validate(program)?;
        let equations = |newton: &Program| Kernel::compile(newton, Lanes::One, backend);
        let systems = Systems::new(program, lanes, &equations)?;
        let code = generate(program, lanes, backend, &systems)?;
        Ok(Self::new(program, lanes, code, systems))
    }
}

fn generate(
    program: &Program,
    lanes: Lanes,
    backend: Backend,
    systems: &Systems,
) -> Result<Code, NativeError> {
    match backend {
        #[cfg(target_arch = "x86_64")]
        Backend::Best if crate::x86::supported() => crate::x86::emit(program, lanes, systems),
        #[cfg(feature = "cranelift")]
        _ => crate::cranelift::emit(program, lanes, systems),
        #[cfg(not(feature = "cranelift"))]
        _ => Err(NativeError::UnsupportedProcessor),
    }
}
