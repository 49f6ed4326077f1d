//! Nonholonomic mechanics from a page of text: the rooms of Rattleback under one roof.
//!
//! A model goes through the rooms in one direction: [`language`] reads it, [`mechanics`] derives
//! exact equations on the frames of [`geometry`] with the algebra of [`symbolic`], [`compile`] turns
//! equations into numbers, and [`simulation`] and [`ensemble`] follow the motion. What came of it is shown by
//! [`summary`] (a model), [`sheet`] (its equations), [`analysis`] (what is true of it), [`motion_page`],
//! [`ensemble_page`] and [`comparison_page`] (its motions), for a person and for a machine.
//!
//! ```
//! use rattleback::compile::{Evaluator, StartState};
//! use rattleback::language::{Source, parse};
//! use rattleback::mechanics::{Form, Problem};
//!
//! let source = Source::new(
//!     "sleigh.mech",
//!     "system sleigh\n\
//!      param m = 2, J = 1\n\
//!      coord x, y\n\
//!      coord theta : angle\n\
//!      kinetic m/2*(x'^2 + y'^2) + J/2*theta'^2\n\
//!      constraint sin(theta)*x' = cos(theta)*y'\n\
//!      start x' = 1, theta' = 3\n",
//! );
//! let model = parse(&source).model.ok_or("the text has errors")?;
//! let problem = Problem::from_model(&model)?;
//! let system = problem.open();
//! let equations = system.equations(Form::LagrangeDAlembert)?;
//!
//! let start = StartState::of(&problem, &system)?;
//! let state = start.state_of(&equations)?;
//! let evaluator = Evaluator::new(&equations, &start.constants)?;
//! let motion = evaluator.at(start.time, &state, &start.constant_values)?;
//! // The reaction turns the velocity with the heading: y'' = 3 where x' = 1 and theta' = 3.
//! assert_eq!(equations.state[4].to_string(), "y'");
//! assert!((motion.rates[4] - 3.0).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Work is cancelled by unwinding, and a fault in one topic must not take the others along.
#[cfg(not(panic = "unwind"))]
compile_error!("rattleback needs `panic = \"unwind\"`");

mod failed;
pub mod request;
pub mod session;

pub use failed::Failed;
pub use rattleback_compile as compile;
pub use rattleback_control as control;
pub use rattleback_export as export;
pub use rattleback_geometry as geometry;
pub use rattleback_integrate as integrate;
pub use rattleback_language as language;
pub use rattleback_mechanics as mechanics;
pub use rattleback_motion::{comparison, ensemble, simulation};
pub use rattleback_native as native;
pub use rattleback_numeric::number;
pub use rattleback_report as report;
pub use rattleback_report::{
    analysis, comparison_page, complaint, control_page, discrete_page, ensemble_page, kind,
    linear_page, motion_page, notes, reading, record, regulated, sheet, summary,
};
pub use rattleback_symbolic as symbolic;
pub use rattleback_theory as theory;
pub use session::{Error, Model, Phase, Progress, Session};
