//! Numerical kernels that generated code calls or writes out.

mod arcsine;
mod arctangent;
mod elementary;
mod exponential;
mod function;
mod hyperbolic;
mod linear;
mod logarithm;
mod power;
mod sincos;
pub(crate) mod trigonometric;

use arcsine::{Arccosine, Arcsine};
pub(crate) use arctangent::AngleOfPoint;
use arctangent::Arctangent;
pub(crate) use elementary::each;
use exponential::Exponential;
pub(crate) use function::{CALLED, function};
pub(crate) use hyperbolic::{HyperbolicCosine, HyperbolicSine, HyperbolicTangent};
pub(crate) use linear::solve_lanes;
use logarithm::Logarithm;
pub(crate) use power::{PowerOf, power};
#[cfg(target_arch = "x86_64")]
pub(crate) use sincos::has_wide;
pub(crate) use sincos::sincos;
