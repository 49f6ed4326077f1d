//! Explicit Runge-Kutta methods.

pub(crate) mod dop853;
pub(crate) mod dop853_tableau;
pub(crate) mod dormand_prince;
mod dormand_prince_tableau;
pub(crate) mod frame;
pub(crate) mod rk4;
mod stages;
mod tableau;
#[cfg(test)]
mod tests;

pub use dop853::Dop853;
pub use dormand_prince::DormandPrince;
pub use frame::Explicit;
pub use rk4::RungeKutta4;
pub(crate) use stages::scales;
pub(crate) use tableau::Row;
