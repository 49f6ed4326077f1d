//! Machine code for x86-64 with AVX2 and FMA.

mod allocator;
mod assembler;
mod emit;
mod fused;
mod opcodes;
mod operand;
mod pool;
mod sincos;
mod trigonometry;

pub use assembler::{Assembler, Image, Label};
pub use iced_x86::Register as GeneralRegister;
pub use operand::{Address, Binary, Condition, FusedForm, FusedKind, Place, VectorRegister};
pub use operand::{memory, xmm, ymm};
pub use pool::ConstantPool;

pub(crate) use emit::emit;
pub(crate) use sincos::SincosConstants;

/// Can this processor run what this module makes?
pub fn supported() -> bool {
    crate::math::has_wide()
}
