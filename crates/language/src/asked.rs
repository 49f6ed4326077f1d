//! What is asked for beside a model, in its names: scalars, what crosses zero, values by name.

use crate::diagnostic::Diagnostic;
use crate::model::Model;
use crate::source::Source;
use rattleback_symbolic::Expr;
use std::ops::Range;

/// A text that says nothing that can be used.
#[derive(Clone, Debug, thiserror::Error)]
pub enum AskedError {
    /// An expression has errors.
    #[error("the text has errors")]
    Expression(Box<Source>, Vec<Diagnostic>),
    /// It says something else.
    #[error("{0}")]
    Text(String),
}

/// `EXPR`, `LHS = RHS`, either with `: rising` or `: falling` behind: a function and how it crosses zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossing {
    /// How it is written.
    pub text: String,
    /// What crosses zero.
    pub function: Expr,
    /// Does it rise there? Either way where nothing is said.
    pub rising: Option<bool>,
}

impl Model {
    /// A scalar in the names of the model. `name` is what messages call the text.
    pub fn scalar(&self, name: &str, text: &str) -> Result<Expr, AskedError> {
        self.scalar_in(&Source::new(name, text), 0..text.len())?
            .ok_or_else(|| AskedError::Text(format!("`{}` is not a scalar", text.trim())))
    }

    /// What crosses zero, such as `y = 0` or `x' - 1 : falling`.
    pub fn crossing(&self, name: &str, text: &str) -> Result<Crossing, AskedError> {
        let (body, rising) = match text.split_once(':') {
            None => (text, None),
            Some((body, word)) => match word.trim() {
                "rising" => (body, Some(true)),
                "falling" => (body, Some(false)),
                other => {
                    let why = format!("`{other}` is no direction: write rising or falling");
                    return Err(AskedError::Text(why));
                }
            },
        };
        let source = Source::new(name, text);
        let side = |part: Range<usize>| {
            let not_scalar = || {
                AskedError::Text(format!(
                    "an event is a scalar that crosses zero, but `{}` is not a scalar",
                    text[part.clone()].trim()
                ))
            };
            self.scalar_in(&source, part.clone())?
                .ok_or_else(not_scalar)
        };
        let middle = body.find('=').unwrap_or(body.len());
        let mut function = side(0..middle)?;
        if middle < body.len() {
            function -= side(middle + 1..body.len())?;
        }
        Ok(Crossing {
            text: text.trim().into(),
            function,
            rising,
        })
    }

    /// The expression in a part of the text; none where it is no scalar.
    fn scalar_in(&self, source: &Source, part: Range<usize>) -> Result<Option<Expr>, AskedError> {
        // Behind as many blanks as stand before it, so that its places are places in the whole text.
        let text = " ".repeat(part.start) + &source.text()[part];
        let value = self.expression(&Source::new(source.name(), text));
        let wrong = |found| AskedError::Expression(Box::new(source.clone()), found);
        Ok(value.map_err(wrong)?.as_scalar().cloned())
    }
}

/// The parts of a list between commas that stand in no bracket; empty ones are left out.
///
/// ```
/// use rattleback_language::{listed, named_value};
/// let parts = listed("x = atan2(1, 2), y = 1");
/// assert_eq!(parts, ["x = atan2(1, 2)", " y = 1"]);
/// assert_eq!(named_value(parts[1]), Some(("y", "1")));
/// ```
pub fn listed(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// The sides of `NAME = VALUE`.
pub fn named_value(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once('=')?;
    Some((name.trim(), value.trim()))
}
