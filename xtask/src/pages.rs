//! Pages of `docs/` whose Rust examples run as documentation tests.

#[doc = include_str!("../../docs/algebra.md")]
pub struct Algebra;
#[doc = include_str!("../../docs/zero-proofs.md")]
pub struct ZeroProofs;
#[doc = include_str!("../../docs/linear-algebra.md")]
pub struct LinearAlgebra;
#[doc = include_str!("../../docs/frames.md")]
pub struct Frames;
#[doc = include_str!("../../docs/simulate.md")]
pub struct Simulate;
