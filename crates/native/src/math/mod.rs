//! Numerical kernels that generated code calls or writes out.

mod linear;
mod sincos;
pub(crate) mod trigonometric;

pub(crate) use linear::{solve, solve_lanes};
#[cfg(target_arch = "x86_64")]
pub(crate) use sincos::has_wide;
pub(crate) use sincos::sincos;
