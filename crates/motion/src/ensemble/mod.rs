//! Ensembles: many motions of one model, with other parameters and start values.

mod assumptions;
mod axis;
mod balance;
mod error;
mod field;
mod gathered;
mod given;
mod inspecting;
mod iterate;
mod members;
mod run;
mod side_by_side;
mod statistics;

pub use axis::{Axis, AxisValues, Distribution, Sample};
pub use error::EnsembleError;
pub use field::{Code, Field};
pub use gathered::{Gathered, Member};
pub use members::Members;
pub use run::{Ensemble, Finished, Status};
pub use statistics::Statistics;
