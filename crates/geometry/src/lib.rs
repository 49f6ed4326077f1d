//! Vector fields, forms, distributions, frames, connections and Lie groups.
//!
//! This crate knows nothing of time evolution laws or forces.

mod connection;
mod distribution;
mod forms;
mod frame;
mod group;
mod inverse;
mod metric;
mod minors;
mod morphism;
mod nonvanishing;
mod primitive;
mod projection;
mod proof;
mod span;
mod structure;
mod tidy;

pub use connection::Connection;
pub use distribution::{
    Distribution, DistributionError, Growth, Independence, Redundant, independent_rows,
};
pub use forms::{Form, lie_derivative_of_function};
pub use frame::{Frame, FrameError, Section};
pub use group::{Group, Trivialization};
pub use metric::{Metric, MetricError};
pub use morphism::Morphism;
pub use projection::Projection;
pub use proof::{Parametrization, vanish_on};
pub use structure::StructureFunctions;
