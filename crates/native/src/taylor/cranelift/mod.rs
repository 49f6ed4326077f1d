//! Taylor kernels through Cranelift: orders and sums as loops, so that the code is as long as the recurrences.
//!
//! The first orders, of which polynomials in time differ, are written out; one loop serves all others. Sums
//! over coefficients of earlier orders need nothing of the order at hand: those of several recurrences run
//! side by side in one loop, and the recurrences then add their newest terms one after the other.

mod blocks;
mod code;
mod emit;
mod groups;
mod linear;
mod order;
mod parts;
mod steps;
mod sums;

pub(super) use parts::emit;
