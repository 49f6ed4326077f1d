//! Implicit Runge-Kutta methods: Gauss and Radau collocation.

mod coefficients;
mod collocation;
mod complex;
mod gauss;
mod linear;
mod radau;
mod resampled;
mod stages;
mod tableau;

pub use complex::Complex;
pub use gauss::{Gauss, GaussOrder, Iteration};
pub use linear::{Lu, Scalar};
pub use radau::Radau5;
pub use resampled::Resampled;
