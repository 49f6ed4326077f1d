//! Axes: a label, a scale, and the way from values to pixels.

use super::range::Range;
use super::text::Text;
use super::ticks::{self, Ticks};

/// How values are spread along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    Linear,
    /// Linear, with marks at multiples of π where that helps.
    Angular,
    /// By powers of ten. Zero and below lie at the lower edge.
    Logarithmic,
}

/// An axis of a panel.
#[derive(Clone, Debug)]
pub struct Axis {
    pub(crate) label: Text,
    pub(crate) scale: Scale,
}

impl Axis {
    pub(crate) fn labelled(label: Text, scale: Scale) -> Axis {
        Axis { label, scale }
    }

    /// A linear axis for a quantity of the model language.
    pub fn linear(name: &str, unit: Option<&str>) -> Axis {
        Axis::labelled(Text::symbol(name).and_unit(unit), Scale::Linear)
    }

    /// A logarithmic axis with these words beside it.
    pub fn logarithmic(words: &str) -> Axis {
        Axis::labelled(Text::plain(words), Scale::Logarithmic)
    }

    /// The marks for a range that takes this many pixels, one per `spacing` of them.
    pub(crate) fn ticks(&self, range: Range, pixels: f64, spacing: f64) -> Ticks {
        let count = (pixels / spacing).max(3.0);
        match self.scale {
            Scale::Linear => ticks::linear(range, count),
            Scale::Angular => {
                ticks::angular(range, count).unwrap_or_else(|| ticks::linear(range, count))
            }
            Scale::Logarithmic => ticks::decades(range, count),
        }
    }
}

/// The way from values, or from exponents on a logarithmic axis, to pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mapping {
    pub range: Range,
    /// The pixel of the lower end of the range.
    pub start: f64,
    /// The pixel of the upper end.
    pub end: f64,
}

impl Mapping {
    pub fn pixel(self, value: f64) -> f64 {
        let share = (value - self.range.low) / self.range.length();
        self.start + share * (self.end - self.start)
    }
}
