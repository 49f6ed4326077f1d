//! Straight-line programs: what every backend runs.

mod op;

pub use op::{Block, Fault, FaultKind, Op, Program, Slot, System};
