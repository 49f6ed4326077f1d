//! Taylor coefficients of motions, by the recurrences of the program's own instructions.
//!
//! A vector field x' = f(t, x), given as a [`Program`](crate::program::Program), becomes a
//! [`TaylorPlan`]: a list of power series in time, each with the [`Rule`] that gives its k-th
//! coefficient from coefficients known before. [`JetInterpreter`] runs a plan everywhere; native
//! kernels run the same plan.

mod build;
mod cost;
mod degree;
mod interpret;
mod linear;
mod number;
mod plan;
mod prune;

pub use build::PlanError;
pub use cost::StepCost;
pub use degree::Degree;
pub use interpret::{JetFault, JetInterpreter};
pub use linear::{invert_definite, solve_with_inverse};
pub use number::{Lanes, Number};
pub use plan::{Guard, LinearBlock, Rule, Series, Start, TaylorPlan};
pub use rattleback_numeric::invert;

/// The page about the Taylor method, so that its example runs.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/taylor.md")]
struct Page;
