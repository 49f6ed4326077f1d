//! Straight-line programs: what every backend runs.
//!
//! Expressions become instructions ([`Program::new`]), linear solves are written out
//! ([`Program::unrolled`]), multiplications are fused with additions ([`Program::fused`]) and calls
//! are brought together ([`Program::scheduled`]); [`Program::optimized`] does all three.

mod builder;
mod cost;
mod derivatives;
mod factors;
mod forward;
mod fuse;
mod interpreter;
mod lower;
mod newton;
mod op;
mod partial;
mod reverse;
mod schedule;
mod sparsity;
mod unroll;

pub use derivatives::{Derivatives, Parts};
pub use interpreter::Interpreter;
pub use op::{Block, Fault, FaultKind, Op, Program, Slot, System};
pub use sparsity::Sparsity;
