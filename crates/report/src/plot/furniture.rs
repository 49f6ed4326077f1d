//! Grids and axes as SVG.

use std::fmt::Write;

use super::Point;
use super::axis::Mapping;
use super::layout::Frame;
use super::style::{FRAME, GRID, LABEL, SMALL};
use super::text::{Anchor, Text};
use super::ticks::Ticks;

/// Lines across the panel at the marks.
pub(super) fn grid(frame: Frame, x: Mapping, y: Mapping, across: &Ticks, up: &Ticks) -> String {
    let mut d = String::new();
    for (value, _) in &across.major {
        let _ = write!(
            d,
            "M{:.1} {:.1}v{:.1}",
            x.pixel(*value),
            frame.top,
            frame.height
        );
    }
    for (value, _) in &up.major {
        let _ = write!(
            d,
            "M{:.1} {:.1}h{:.1}",
            frame.left,
            y.pixel(*value),
            frame.width
        );
    }
    format!("<path d=\"{d}\" stroke=\"{GRID}\" stroke-width=\"1\" fill=\"none\"/>\n")
}

/// The axes with their marks and numbers.
pub(super) fn axes(
    frame: Frame,
    x: Mapping,
    y: Mapping,
    across: &Ticks,
    up: &Ticks,
    labelled: bool,
) -> String {
    let bottom = frame.top + frame.height;
    let mut d = format!(
        "M{:.1} {:.1}v{:.1}h{:.1}",
        frame.left, frame.top, frame.height, frame.width
    );
    let mut labels = String::new();
    for (value, label) in &across.major {
        let at = x.pixel(*value);
        let _ = write!(d, "M{at:.1} {bottom:.1}v5");
        if labelled {
            labels += &Text::plain(label).svg([at, bottom + 18.0], SMALL, Anchor::Middle, "");
        }
    }
    for (value, label) in &up.major {
        let at = y.pixel(*value);
        let _ = write!(d, "M{:.1} {at:.1}h-5", frame.left);
        labels += &Text::plain(label).svg([frame.left - 8.0, at + 4.0], SMALL, Anchor::End, "");
    }
    for value in &up.minor {
        let _ = write!(d, "M{:.1} {:.1}h-3", frame.left, y.pixel(*value));
    }
    format!("<path d=\"{d}\" stroke=\"{FRAME}\" stroke-width=\"1\" fill=\"none\"/>\n{labels}")
}

/// What stands at an empty figure.
pub(crate) fn nothing_to_draw(at: Point) -> String {
    Text::plain("nothing to draw").svg(at, LABEL, Anchor::Middle, " opacity=\"0.6\"")
}
