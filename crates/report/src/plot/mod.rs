//! Plots: streams of rows drawn as figures.
//!
//! Rows go into buffers of bounded size ([`Envelope`], [`Curve`]); panels and figures draw these.

mod axis;
mod canvas;
mod curve;
mod decimals;
mod envelope;
mod figure;
mod furniture;
mod layout;
mod line;
mod magnitude;
mod over_time;
mod panel;
mod plan;
mod range;
mod simplify;
mod stream;
mod stroke;
mod style;
mod text;
mod ticks;
mod what;
mod wrap;

pub use axis::Axis;
pub use curve::Curve;
pub use envelope::Envelope;
pub use figure::Figure;
pub use line::Line;
pub use panel::{Aspect, Panel};
pub use stream::Plot;
pub use what::{PlotWhat, WhatError};

/// A point of a line; NaN where the line is broken.
pub(crate) type Point = [f64; 2];

/// Where a line is broken.
pub(crate) const GAP: Point = [f64::NAN, f64::NAN];

pub(crate) fn is_gap(point: Point) -> bool {
    !(point[0].is_finite() && point[1].is_finite())
}
