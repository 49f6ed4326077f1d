//! Programs as machine code.
//!
//! A [`Kernel`] is a straight-line program compiled for this machine, over one state or over four
//! states at once. Unsafe code lives in this crate only: where memory is made executable, where it is
//! called, and where it calls back.

#[cfg(feature = "cranelift")]
mod cranelift;
mod error;
mod function;
mod kernel;
mod math;
mod memory;
mod newton;
mod plan;
mod runtime;
mod systems;
pub mod taylor;
mod validate;
#[cfg(target_arch = "x86_64")]
pub mod x86;

pub use error::NativeError;
pub use function::{Function, Memory};
pub use kernel::{Backend, Kernel, Lanes};
pub use memory::ExecutableMemory;
