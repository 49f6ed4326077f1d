//! Showing: sheets of equations, analyses, pages of motions, tables and plots.
//!
//! What came of a model is shown by [`summary`] (what it is), [`sheet`] (its equations), [`analysis`] (what is true of
//! it), [`motion_page`], [`ensemble_page`] and [`comparison_page`] (its motions), [`linear_page`], [`control_page`] and
//! [`discrete_page`] (what steers it, and what it is in steps), for a person and for a machine.
//!
//! A motion is a stream of rows, one number per [`Column`]. Rows go into [`RowSink`]s: a table file
//! ([`TableWriter`]: CSV or Parquet), a figure ([`Plot`]: SVG), or both ([`Tee`]). Nothing here keeps
//! all rows, so memory does not grow with the length of a motion.
//!
//! ```
//! use rattleback_report::{Column, ColumnKind, Plot, RowSink, Table};
//!
//! let table = Table::new(vec![
//!     Column::new("t", ColumnKind::Time),
//!     Column::new("theta", ColumnKind::Angle),
//! ]);
//! let mut plot = Plot::sensible(&table);
//! for k in 0..1000 {
//!     let t = 0.01 * f64::from(k);
//!     plot.row(&[t, t.sin()])?;
//! }
//! let svg = plot.figure().svg();
//! assert!(svg.contains("θ"));
//! # Ok::<(), rattleback_report::ReportError>(())
//! ```

pub mod analysis;
mod checksum;
mod column;
pub mod comparison_page;
pub mod complaint;
pub mod control_page;
pub mod discrete_page;
pub mod document;
pub mod ensemble_page;
mod error;
mod feed;
mod file;
mod hold;
pub mod kind;
pub mod linear_page;
mod metadata;
pub mod motion_page;
mod name;
pub mod notes;
mod option;
mod plot;
mod posed;
pub mod reading;
pub mod record;
pub mod regulated;
pub mod sheet;
mod sink;
pub mod summary;
mod table;
mod unit;
pub mod varied;

// The rooms whose results are shown.
use rattleback_compile as compile;
use rattleback_control as control;
use rattleback_integrate as integrate;
use rattleback_language as language;
use rattleback_mechanics as mechanics;
use rattleback_motion::{comparison, discrete, ensemble, simulation};
use rattleback_numeric::number;
use rattleback_symbolic as symbolic;
use rattleback_theory as theory;

pub use column::{Column, ColumnKind};
pub use error::ReportError;
pub use feed::{FeedError, Feeds};
pub use file::write_whole;
pub use metadata::Metadata;
pub use name::display_name;
pub use option::spelled;
pub use plot::{Aspect, Axis, Curve, Envelope, Figure, Line, Panel, Plot, PlotWhat, WhatError};
pub use sink::{RowSink, Tee};
pub use table::{EarlierTable, Format, Table, TableReader, TableWriter};
