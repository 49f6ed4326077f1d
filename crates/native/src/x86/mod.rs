//! Machine code for x86-64 with AVX2 and FMA.

mod allocator;
mod assembler;
mod emit;
mod fused;
mod pool;
mod sincos;
mod trigonometry;

pub use assembler::{Address, Assembler, Condition, Image, Label, Place, VectorRegister};
pub use assembler::{Binary, FusedForm, FusedKind, memory, xmm, ymm};
pub use iced_x86::Register as GeneralRegister;
pub use pool::ConstantPool;

pub(crate) use emit::emit;

/// Can this processor run what this module makes?
pub fn supported() -> bool {
    crate::math::has_wide()
}
