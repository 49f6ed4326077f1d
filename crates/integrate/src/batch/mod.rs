//! Ensembles: many motions of one system, several at once in the lanes of the processor's vectors.

mod abreast;
mod delivery;
mod dop853;
mod events;
mod field;
mod inspected;
mod lanes;
mod passenger;
mod run;
mod stepper;

pub use abreast::{Abreast, Singly};
pub use dop853::BatchDop853;
pub use events::{Crossings, MemberEvent};
pub use field::{BatchField, Ensemble, Inspector, Span};
pub use lanes::{Desk, Lanes, Next};
pub use run::{EnsembleRun, EnsembleSummary};
pub use stepper::{BatchStepper, MemberError, MemberOutcome, Round};
