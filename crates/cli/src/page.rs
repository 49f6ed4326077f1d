//! Documents in the notation that was asked for.

use crate::arguments::{Format, PageArguments};
use crate::failure::Failure;
use crate::terminal;
use rattleback::report::document::Document;

/// Writes a page to standard output: JSON, or in a notation.
pub fn write(document: &Document, json: bool, how: &PageArguments) -> Result<(), Failure> {
    terminal::show(&match how.format {
        _ if json => format!("{:#}\n", document.json(false)),
        Format::Text => terminal::text(document, true),
        Format::Latex if how.standalone => document.latex_page(),
        Format::Latex => document.latex(),
        Format::Mathml => document.html(),
    })
}
