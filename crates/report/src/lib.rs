//! Tables and plots of motions.
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

mod checksum;
mod column;
mod error;
mod file;
mod hold;
mod metadata;
mod name;
mod plot;
mod sink;
mod table;
mod unit;

pub use column::{Column, ColumnKind};
pub use error::ReportError;
pub use file::write_whole;
pub use metadata::Metadata;
pub use name::display_name;
pub use plot::{Aspect, Axis, Curve, Envelope, Figure, Line, Panel, Plot, PlotWhat, WhatError};
pub use sink::{RowSink, Tee};
pub use table::{EarlierTable, Format, Table, TableReader, TableWriter};
pub use unit::{rate_of_unit, unit_in_comment};
