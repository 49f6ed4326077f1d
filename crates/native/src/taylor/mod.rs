//! Taylor coefficients in machine code.
//!
//! [`TaylorKernel`] turns the recurrences of a [`TaylorPlan`](rattleback_compile::taylor::TaylorPlan)
//! into straight-line code for one order, all sums written out. Code for one motion packs four
//! independent convolutions into the lanes of a register: their operands are brought together once
//! per order, which costs little against the sums. Code for four motions has one motion per lane.
//! [`TaylorFunction`] is a kernel where there can be one, and the interpreter elsewhere.

#[cfg(target_arch = "x86_64")]
mod blocks;
#[cfg(target_arch = "x86_64")]
mod cache;
#[cfg(target_arch = "x86_64")]
mod code;
#[cfg(target_arch = "x86_64")]
mod emit;
mod function;
#[cfg(target_arch = "x86_64")]
mod groups;
#[cfg(target_arch = "x86_64")]
mod kernel;
#[cfg(not(target_arch = "x86_64"))]
mod kernel_elsewhere;
#[cfg(target_arch = "x86_64")]
mod layout;
#[cfg(target_arch = "x86_64")]
mod linear;
#[cfg(target_arch = "x86_64")]
mod runtime;
#[cfg(target_arch = "x86_64")]
mod schedule;

pub use function::{TaylorFunction, TaylorMemory};
#[cfg(target_arch = "x86_64")]
pub use kernel::{TaylorKernel, TaylorWorkspace};
#[cfg(not(target_arch = "x86_64"))]
pub use kernel_elsewhere::{TaylorKernel, TaylorWorkspace};
