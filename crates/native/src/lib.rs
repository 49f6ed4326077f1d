//! Programs as machine code.

mod function;

pub use function::{Function, Memory};
