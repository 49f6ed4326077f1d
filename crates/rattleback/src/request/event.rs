//! Events in words: `y = 0`, `x' - 1 : falling`.

use crate::integrate::Direction;
use crate::language::{Diagnostic, Model, Source, Span};
use crate::simulation::{EventSpec, WithoutValue};
use crate::symbolic::Expr;
use std::ops::Range;

/// Names that a message lists.
const MOST: usize = 30;

/// A text that is no event.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    /// The expression has errors.
    #[error("the event has errors")]
    Expression(Box<Source>, Vec<Diagnostic>),
    /// The expression is a vector or a matrix.
    #[error("an event is a scalar that crosses zero, but `{0}` is not a scalar")]
    NotScalar(String),
    /// A direction that there is not.
    #[error("`{0}` is no direction: write rising or falling")]
    Direction(String),
}

/// Reads `EXPR`, `LHS = RHS`, either with `: rising` or `: falling` behind.
pub fn event(model: &Model, text: &str, terminal: bool) -> Result<EventSpec, EventError> {
    let (body, direction) = match text.split_once(':') {
        None => (text, Direction::Any),
        Some((body, word)) => {
            let direction = match word.trim() {
                "rising" => Direction::Rising,
                "falling" => Direction::Falling,
                other => return Err(EventError::Direction(other.into())),
            };
            (body, direction)
        }
    };
    let source = Source::new(option(terminal), text);
    let middle = body.find('=').unwrap_or(body.len());
    let mut function = side(model, &source, 0..middle)?;
    if middle < body.len() {
        function -= side(model, &source, middle + 1..body.len())?;
    }
    Ok(EventSpec {
        text: text.trim().into(),
        function,
        direction,
        terminal,
    })
}

/// The expression in a part of the text.
fn side(model: &Model, source: &Source, part: Range<usize>) -> Result<Expr, EventError> {
    let text = &source.text()[part.clone()];
    // Behind as many blanks as stand before it, so that its places are places in the whole text.
    let alone = Source::new(source.name(), " ".repeat(part.start) + text);
    let value = model
        .expression(&alone)
        .map_err(|found| EventError::Expression(Box::new(source.clone()), found))?;
    let scalar = value.as_scalar().cloned();
    scalar.ok_or_else(|| EventError::NotScalar(text.trim().into()))
}

/// With its place and the names that can be used.
impl From<WithoutValue> for EventError {
    fn from(found: WithoutValue) -> Self {
        let (text, name) = (&found.text, &found.name);
        let source = Source::new(option(found.terminal), text.as_str());
        let span = source.find_word(name).unwrap_or(Span::new(0, text.len()));
        let message = found.to_string();
        let mut usable = found.usable;
        let more = usable.len().saturating_sub(MOST);
        usable.truncate(MOST);
        if more > 0 {
            usable.push(format!("and {more} more"));
        }
        let help = format!(
            "these have: {}; or choose another ‹form›",
            usable.join(", ")
        );
        let diagnostic = Diagnostic::error("event", span, message).help(help);
        EventError::Expression(Box::new(source), vec![diagnostic])
    }
}

/// The option that an event is given with.
fn option(terminal: bool) -> &'static str {
    if terminal {
        "‹stop›"
    } else {
        "‹event›"
    }
}
