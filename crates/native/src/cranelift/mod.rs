//! Machine code through Cranelift: for aarch64, and for x86-64 without AVX2.

mod emit;
mod target;

pub(crate) use emit::emit;
pub(crate) use target::{convention, encoding, flags, has_fused, module, signature};
