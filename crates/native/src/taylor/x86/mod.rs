//! Taylor kernels for x86-64 with AVX2: all orders and all sums written out.

mod blocks;
mod code;
mod emit;
mod groups;
mod linear;

pub(super) use emit::emit;
