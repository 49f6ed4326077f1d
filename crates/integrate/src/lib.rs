//! Motion: integrators, events, dense output, ensembles.
//!
//! A [`VectorField`] is followed by a [`Stepper`], one step at a time, under the hand of a [`Drive`]:
//!
//! ```
//! use rattleback_integrate::*;
//! use std::ops::ControlFlow;
//!
//! /// θ'' = −sin θ.
//! struct Pendulum;
//!
//! impl VectorField for Pendulum {
//!     fn dimension(&self) -> usize {
//!         2
//!     }
//!     fn rates(&mut self, _t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
//!         rates.copy_from_slice(&[x[1], -x[0].sin()]);
//!         Ok(())
//!     }
//!     fn jacobian(&mut self, _t: f64, x: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
//!         jacobian.copy_from_slice(&[0.0, 1.0, -x[0].cos(), 0.0]);
//!         Ok(())
//!     }
//! }
//!
//! // From rest at 1 rad, the first turning point on the other side is at −1 rad.
//! let mut x = [1.0, 0.0];
//! let mut turning = [Event::new(|_t, x| x[1]).direction(Direction::Rising).terminal()];
//! let mut method = Dop853::new(2, Tolerance::both(1e-12));
//! let summary = Drive::new(0.0, 100.0)
//!     .output(Output::Ends)
//!     .run(&mut Pendulum, &mut method, &mut x, &mut turning, &mut |_: f64, _: &[f64]| {
//!         ControlFlow::Continue(())
//!     })?;
//! assert_eq!(summary.end, End::Event(0));
//! assert!((x[0] + 1.0).abs() < 1e-10);
//! # Ok::<(), DriveError>(())
//! ```

mod batch;
mod compensated;
mod control;
mod convergence;
mod drive;
mod dynamics;
mod event;
mod explicit;
mod field;
pub mod group;
pub mod implicit;
mod map;
mod method;
pub mod methods;
mod pace;
mod partition;
mod quadrature;
mod simd;
mod space;
mod step_policy;
mod stepper;
pub mod symplectic;
pub mod taylor;
mod tolerance;
pub mod variational;

pub use batch::{
    Abreast, BatchDop853, BatchField, BatchStepper, Crossings, Desk, Ensemble, EnsembleRun,
    EnsembleSummary, Inspector, Lanes, MemberError, MemberEvent, MemberOutcome, Next, Round,
    Singly, Span,
};
pub use control::{Controller, FirstStep, Tolerance};
pub use drive::{Drive, DriveError, End, Inside, Inspection, Observer, Output, StepSize, Summary};
pub use dynamics::Dynamics;
pub use event::{Bounds, Direction, Event, Tube};
pub use explicit::{Dop853, DormandPrince, Explicit, RungeKutta4};
pub use field::{Fault, Jets, VectorField};
pub use map::{Iterated, Nodes, StateMap};
pub use method::{AnyStepper, Method, Needs, Order, Setting};
pub use methods::UnknownMethod;
pub use quadrature::{gauss_legendre, legendre_on_unit};
pub use simd::{Block, LANES, copy_narrow};
pub use stepper::{Step, Stepper};

/// The page about this crate, so that its example runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/integrators.md")]
struct Page;
