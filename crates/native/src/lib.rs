//! Programs as machine code.
//!
//! A [`Kernel`] is a straight-line program compiled for this machine, over one state or over four
//! states at once. Unsafe code lives in this crate only: where memory is made executable, where it is
//! called, and where it calls back.

mod backend;
mod code;
#[cfg(feature = "cranelift")]
mod cranelift;
mod error;
mod function;
#[cfg(feature = "cranelift")]
mod jit_memory;
mod kernel;
mod math;
mod memory;
mod plan;
mod runtime;
pub mod taylor;
mod validate;
#[cfg(target_arch = "x86_64")]
pub mod x86;

pub use backend::Backend;
pub use error::NativeError;
pub use function::{Function, FunctionOf, Memory, MemoryOf, WideFunction, WideMemory};
pub use kernel::{Kernel, Lanes};
pub use memory::ExecutableMemory;
