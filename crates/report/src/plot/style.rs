//! Colours, strokes and sizes, in one place.

/// Colours that stay apart for readers with any colour vision (after Okabe and Ito), darkest first
/// where they are drawn thin.
pub(crate) const COLOURS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#4d4d4d",
];
/// Strokes for lines beyond the colours, and for second motions.
pub(crate) const DASHES: [&str; 4] = ["", "6 3", "1.5 2.5", "8 3 1.5 3"];

pub(crate) const INK: &str = "#222222";
pub(crate) const FRAME: &str = "#555555";
pub(crate) const GRID: &str = "#e4e4e4";
pub(crate) const PAPER: &str = "#ffffff";

pub(crate) const SANS: &str = "Helvetica, Arial, sans-serif";
pub(crate) const MATH: &str = "STIX Two Text, Times New Roman, Times, serif";

pub(crate) const TITLE: f64 = 15.0;
pub(crate) const LABEL: f64 = 13.0;
pub(crate) const SMALL: f64 = 11.0;

pub(crate) const LINE: f64 = 1.4;

/// The colour with this number.
pub(crate) fn colour(number: usize) -> &'static str {
    COLOURS.get(number % COLOURS.len()).unwrap_or(&INK)
}

/// The stroke with this number.
pub(crate) fn dash(number: usize) -> &'static str {
    DASHES.get(number % DASHES.len()).unwrap_or(&"")
}
