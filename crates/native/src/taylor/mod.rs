//! Taylor coefficients in machine code.
//!
//! [`TaylorKernel`] turns the recurrences of a [`TaylorPlan`](rattleback_compile::taylor::TaylorPlan)
//! into code for one order. Code for one motion packs four independent convolutions into the lanes of
//! registers: their operands are brought together once per order, which costs little against the sums.
//! Code for four motions has one motion per lane. Memory and schedule are the same for all processors; for
//! x86-64 with AVX2 all sums are written out, and Cranelift makes loops for the others.
//! [`TaylorFunction`] is a kernel where there can be one, and the interpreter elsewhere.

// Without Cranelift other processors than x86-64 interpret.
#![cfg_attr(
    not(any(target_arch = "x86_64", feature = "cranelift")),
    allow(dead_code)
)]

mod blocks;
mod cache;
#[cfg(feature = "cranelift")]
mod cranelift;
mod function;
mod groups;
mod kernel;
mod layout;
mod runtime;
mod schedule;
mod steep;
mod tasks;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use function::{TaylorFunction, TaylorMemory};
pub use kernel::{TaylorKernel, TaylorWorkspace};
