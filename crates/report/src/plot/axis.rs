//! Axes: a label, a scale, and the way from values to pixels.

use super::range::Range;
use super::style::SMALL;
use super::text::Text;
use super::ticks::{self, Ticks};

/// The fewest marks to aim at.
const LEAST: f64 = 3.0;

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
    label: Text,
    /// The unit in brackets, with a space before it.
    unit: Text,
    pub(crate) scale: Scale,
}

impl Axis {
    pub(crate) fn labelled(label: Text, unit: Option<&str>, scale: Scale) -> Axis {
        Axis {
            label,
            unit: Text::default().and_unit(unit),
            scale,
        }
    }

    /// What stands at the axis, within this width. The name is shortened before the unit.
    pub(crate) fn title(&self, size: f64, width: f64) -> Text {
        let whole = self.label.clone().then(&self.unit);
        let unit = self.unit.width(size);
        if whole.width(size) <= width || unit > 0.5 * width {
            return whole.shortened(size, width);
        }
        self.label.shortened(size, width - unit).then(&self.unit)
    }

    /// A linear axis for a quantity of the model language.
    pub fn linear(name: &str, unit: Option<&str>) -> Axis {
        Axis::labelled(Text::symbol(name), unit, Scale::Linear)
    }

    /// A logarithmic axis with these words beside it.
    pub fn logarithmic(words: &str) -> Axis {
        Axis::labelled(Text::plain(words), None, Scale::Logarithmic)
    }

    /// The marks of a horizontal axis, so few that their labels stay apart.
    pub(crate) fn ticks_across(&self, range: Range, pixels: f64) -> Ticks {
        let mut count = (pixels / 80.0).max(LEAST);
        // One mark is no scale.
        while self.ticks(range, count).major.len() < 2 && count < 2.0 * LEAST {
            count += 1.0;
        }
        loop {
            let ticks = self.ticks(range, count);
            if count < 1.0 || ticks.widest(SMALL) + 8.0 <= ticks.distance(range, pixels) {
                return ticks;
            }
            count *= 0.8;
        }
    }

    /// The marks of a vertical axis.
    pub(crate) fn ticks_up(&self, range: Range, pixels: f64) -> Ticks {
        self.ticks(range, (pixels / 27.0).max(LEAST))
    }

    /// About this many marks for a range.
    fn ticks(&self, range: Range, count: f64) -> Ticks {
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
