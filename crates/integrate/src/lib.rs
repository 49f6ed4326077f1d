//! Motion: integrators, events, dense output, ensembles.

mod batch;
mod compensated;
mod control;
mod convergence;
mod drive;
mod event;
mod explicit;
mod field;
pub mod group;
pub mod implicit;
mod simd;
mod stepper;
pub mod symplectic;
pub mod taylor;

pub use batch::{
    BatchDop853, BatchField, BatchStepper, Desk, Ensemble, EnsembleRun, EnsembleSummary, Lanes,
    MemberError, MemberOutcome, Next, Round, Span,
};
pub use control::{Controller, FirstStep, Tolerance};
pub use drive::{Drive, DriveError, End, Observer, Output, StepSize, Summary};
pub use event::{Direction, Event};
pub use explicit::{Dop853, DormandPrince, RungeKutta4};
pub use field::{Fault, Jets, VectorField};
pub use simd::{Block, LANES};
pub use stepper::{Step, Stepper};
