//! Taylor coefficients in machine code.
//!
//! [`TaylorKernel`] turns the recurrences of a [`TaylorPlan`](rattleback_compile::taylor::TaylorPlan)
//! into straight-line code for one order, all sums written out. Code for one motion packs four
//! independent convolutions into the lanes of a register: their operands are brought together once
//! per order, which costs little against the sums. Code for four motions has one motion per lane.

mod blocks;
mod cache;
mod code;
mod emit;
mod groups;
mod kernel;
mod layout;
mod runtime;
mod schedule;

pub use kernel::{TaylorKernel, TaylorWorkspace};
