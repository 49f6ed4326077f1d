//! Figures: panels with a title, as SVG.

use std::fmt::Write;
use std::path::Path;

use super::furniture::nothing_to_draw;
use super::layout::{TITLE_ROW, arrange};
use super::panel::{Panel, Prepared};
use super::style::{PAPER, SANS, TITLE};
use super::text::{Anchor, Text, escaped};
use crate::error::ReportError;
use crate::file::write_whole;

/// Lines of a title; more of it is left out.
const MOST_LINES: usize = 3;

/// Panels with a title.
///
/// ```
/// use rattleback_report::{Aspect, Axis, Curve, Figure, Line, Panel};
///
/// let mut circle = Curve::new();
/// for k in 0..=100 {
///     let s = f64::from(k) * 0.0628;
///     circle.push(s.cos(), s.sin());
/// }
/// let panel = Panel::new(Axis::linear("x", Some("m")), Axis::linear("y", Some("m")), Aspect::Equal);
/// let figure = Figure::new("A circle").with(panel.with(Line::path("circle", circle)));
/// assert!(figure.svg().starts_with("<svg"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Figure {
    title: String,
    panels: Vec<Panel>,
}

impl Figure {
    /// A figure without panels.
    pub fn new(title: impl Into<String>) -> Figure {
        Figure {
            title: title.into(),
            panels: Vec::new(),
        }
    }

    /// The figure with one more panel.
    #[must_use]
    pub fn with(mut self, panel: Panel) -> Figure {
        self.panels.push(panel);
        self
    }

    /// The figure as a document on its own.
    pub fn svg(&self) -> String {
        let prepared: Vec<Prepared> = self.panels.iter().map(Panel::prepared).collect();
        let layout = arrange(&prepared, 0);
        let left = layout.places.first().map_or(16.0, |p| p.frame.left);
        // Bold letters are wider than others.
        let room = (layout.width - left) / 1.1 - 8.0;
        let lines = Text::lines(&self.title, TITLE, room, MOST_LINES);
        let layout = arrange(&prepared, lines.len());
        let (width, height) = (layout.width.ceil(), layout.height.ceil().max(80.0));
        let title = escaped(&self.title);
        // Without `preserve`, some viewers drop the spaces between symbols and words.
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"{SANS}\" role=\"img\" xml:space=\"preserve\">\n<title>{title}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>\n<defs>\n"
        );
        for (number, place) in layout.places.iter().enumerate() {
            let frame = place.frame;
            // Writing to a string cannot fail.
            let _ = writeln!(
                svg,
                "<clipPath id=\"plot{number}\"><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/></clipPath>",
                frame.left,
                frame.top - 1.0,
                frame.width + 1.0,
                frame.height + 2.0
            );
        }
        svg += "</defs>\n";
        for (row, line) in lines.iter().enumerate() {
            let at = [left, 28.0 + row as f64 * TITLE_ROW];
            svg += &line.svg(at, TITLE, Anchor::Start, " font-weight=\"bold\"");
        }
        for (number, place) in layout.places.iter().enumerate() {
            if let Some(panel) = prepared.get(place.panel) {
                svg += &panel.draw(place.frame, place.labelled, number);
            }
        }
        if layout.places.is_empty() {
            svg += &nothing_to_draw([0.5 * width, 56.0]);
        }
        svg + "</svg>\n"
    }

    /// Writes the figure to a file, replacing what was there in one step.
    pub fn write(&self, path: &Path) -> Result<(), ReportError> {
        write_whole(path, &self.svg())
    }
}
