//! Simulation: one motion from a model, followed so that the geometry survives, watched all the way.

mod assumed;
mod choice;
mod culprit;
mod diagnosis;
mod error;
mod events;
pub(crate) mod feature;
mod field;
mod guard;
mod method;
mod options;
mod oriented;
mod passage;
mod projection;
mod rank;
mod regularity;
mod run;
mod stepper;
mod stiffness;
mod watch;

pub use choice::{Choice, Recurrences};
pub use error::SimulationError;
pub use events::{EventError, EventSpec};
pub use field::{Compiled, Field};
pub(crate) use guard::{BESIDE, FAR, GROSS};
pub use method::{Method, UnknownMethod};
pub use options::{Horizon, Options};
pub use projection::Projection;
pub(crate) use regularity::Regularity;
pub use run::{Hit, Momentum, Outcome, Row, Simulation};
pub(crate) use stepper::space;
