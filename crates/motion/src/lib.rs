//! Following motions: [`simulation`] follows one, [`ensemble`] many, [`comparison`] two side by side.
//!
//! This room chooses the form and the method, projects, watches what must not drift and looks for events. It
//! hands rows and outcomes over; showing them is for others.

pub mod comparison;
mod compiled;
pub mod discrete;
pub mod ensemble;
pub mod simulation;

pub use compiled::Compiled;
