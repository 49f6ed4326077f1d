//! Implicit Runge-Kutta methods: Gauss and Radau collocation.

mod coefficients;
mod collocation;
pub(crate) mod gauss;
pub(crate) mod radau;
mod resampled;
mod stages;
mod tableau;

pub use gauss::{Gauss, GaussOrder, Iteration};
pub use radau::Radau5;
pub use resampled::Resampled;
