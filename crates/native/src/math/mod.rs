//! Numerical kernels that generated code calls or writes out.

mod linear;
mod sincos;
#[cfg(target_arch = "x86_64")]
mod sincos_wide;
pub(crate) mod trigonometric;

pub(crate) use linear::solve_lanes;
pub(crate) use sincos::{has_wide, sincos};
