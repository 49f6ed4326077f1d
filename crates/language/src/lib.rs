//! The model language: lexer, parser, shapes, diagnostics and the Model.
//!
//! ```
//! use rattleback_language::{Source, parse};
//! let source = Source::new("fall.mech", "system fall\nparam m = 1, g = 9.81\ncoord z\nlagrangian m/2*z'^2 - m*g*z\n");
//! let outcome = parse(&source);
//! assert!(outcome.diagnostics.is_empty());
//! assert_eq!(outcome.model.unwrap().order, 1);
//! ```

mod around;
mod asked;
mod at_values;
mod auxiliary;
mod diagnostic;
mod drawing;
mod elaborate;
mod ends;
mod expression;
mod finding;
mod format;
mod group;
mod layout;
mod letters;
mod model;
mod moments;
mod names;
mod numeric;
mod overrides;
mod parse;
mod piece;
mod rates;
mod render;
mod scope;
mod slips;
mod source;
mod suggest;
mod syntax;
mod token;
mod unit;
mod value;
pub mod vocabulary;
mod words;

pub use asked::{AskedError, Crossing, listed, named_value};
pub use auxiliary::{AuxiliaryState, Clock, Input, Update};
pub use diagnostic::{Diagnostic, MAX_DIAGNOSTICS, Severity};
pub use ends::{Condition, Cost, FreeNumber, Guess, Via};
pub use finding::Finding;
pub use format::format;
pub use model::{
    Assignment, Assumption, Bound, Constraint, ConstraintKind, Control, CoordinateKind, Definition,
    Draw, DrawArgument, Factor, FibreItem, Given, Horizon, Model, Observable, OneForm, Parameter,
    Start, State, VectorField,
};
pub use moments::{at_next, at_start};
pub use names::{Moved, Names};
pub use numeric::Values;
pub use overrides::{OverrideError, Overrides, Rejected, TimeOption};
pub use piece::{Near, Piece};
pub use rattleback_lie::{Group, Trivialization};
pub use source::{
    LoadError, Location, MAX_FILE_BYTES, MAX_LINE_BYTES, Source, Span, from_bytes, load,
};
pub use suggest::closest;
pub use syntax::Relation;
pub use unit::{rate_of_unit, unit_in_comment};
pub use value::{Shape, Value};
pub use words::reserved;

use diagnostic::Sink;
use rattleback_symbolic::{Expr, Fact};
use std::collections::HashMap;

/// What reading a source text gives.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The model; none if there are errors.
    pub model: Option<Model>,
    /// What could be read of a text with errors: nothing can be derived from it, but names and places are there.
    pub partial: Option<Box<Model>>,
    /// All findings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a model. Every independent mistake is reported.
pub fn parse(source: &Source) -> Outcome {
    parse_at(source, HashMap::new())
}

/// [`parse`] with some parameters replaced by values.
pub(crate) fn parse_at(source: &Source, fixed: HashMap<String, Expr>) -> Outcome {
    parse_with(source, fixed, &[])
}

/// [`parse_at`] with further assumptions.
pub(crate) fn parse_with(
    source: &Source,
    fixed: HashMap<String, Expr>,
    assumed: &[Fact],
) -> Outcome {
    let mut sink = Sink::default();
    if let Some(diagnostic) = oversize(source) {
        return Outcome {
            model: None,
            partial: None,
            diagnostics: vec![diagnostic],
        };
    }
    let statements = parse::statements(source, &mut sink);
    let model = elaborate::elaborate(source, &statements, fixed, assumed, &mut sink);
    let (model, partial) = match sink.has_errors() {
        true => (None, Some(Box::new(model))),
        false => (Some(model), None),
    };
    Outcome {
        model,
        partial,
        diagnostics: sink.finish(),
    }
}

/// Texts and lines beyond reason are not read at all.
fn oversize(source: &Source) -> Option<Diagnostic> {
    if source.text().len() > MAX_FILE_BYTES {
        let message = format!(
            "the text has more than {MAX_FILE_BYTES} bytes; a model file is a page of text"
        );
        return Some(Diagnostic::error("size", Span::default(), message));
    }
    let long = (1..=source.line_count())
        .map(|line| source.line_span(line))
        .find(|s| s.range().len() > MAX_LINE_BYTES)?;
    let message = format!("this line has more than {MAX_LINE_BYTES} bytes");
    Some(
        Diagnostic::error(
            "size",
            Span {
                start: long.start,
                end: long.start,
            },
            message,
        )
        .help("break it into several lines"),
    )
}
