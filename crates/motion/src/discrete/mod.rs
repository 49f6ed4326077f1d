//! Discrete systems with numbers: their map on positions and momenta, Jacobi's action, measured orders.

mod action;
mod error;
mod map;
mod order;

pub use action::{Action, Data, Initial, Residuals};
pub use error::ActionError;
pub use map::{MomentumMap, Node};
pub use order::measured_order;
