//! Events in words: `y = 0`, `x' - 1 : falling`.

use super::field::Compiled;
use rattleback_compile::Motion;
use rattleback_integrate::{Direction, MemberEvent};
use rattleback_language::{Diagnostic, Model, Source, Span};
use rattleback_symbolic::{Expr, MissingInput, Symbol};
use std::ops::Range;

/// Where along a motion to look.
#[derive(Clone, Debug)]
pub struct EventSpec {
    /// How it was written.
    pub text: String,
    /// What crosses zero, in positions and velocities of the model and in what is recorded.
    pub function: Expr,
    /// Which crossings count.
    pub direction: Direction,
    /// Does the motion end there?
    pub terminal: bool,
}

/// Names that a message lists.
const MOST: usize = 30;

/// Where a name stands by itself in a text.
fn word_in(text: &str, name: &str) -> Option<usize> {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    let found = text.match_indices(name).find(|(at, _)| {
        let (before, after) = (&text[..*at], &text[at + name.len()..]);
        !before.ends_with(joins) && !after.starts_with(|c| joins(c) || c == '\'')
    });
    found.map(|(at, _)| at)
}

/// The option that an event is given with.
fn option(terminal: bool) -> &'static str {
    if terminal { "--stop" } else { "--event" }
}

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

impl EventSpec {
    /// Reads `EXPR`, `LHS = RHS`, either with `: rising` or `: falling` behind.
    pub fn parse(model: &Model, text: &str, terminal: bool) -> Result<Self, EventError> {
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
        let mut function = Self::side(model, &source, 0..middle)?;
        if middle < body.len() {
            function -= Self::side(model, &source, middle + 1..body.len())?;
        }
        Ok(Self {
            text: text.trim().into(),
            function,
            direction,
            terminal,
        })
    }

    /// What crosses zero, as a function of (t, state, varied values) of a motion.
    pub fn compile(&self, motion: &Motion) -> Result<Compiled, EventError> {
        let function = motion.express_recorded(&self.function);
        let program = motion.program(&[function]);
        let program = program.map_err(|MissingInput(s)| self.without_value(&s, motion))?;
        Ok(Compiled::new(program))
    }

    /// A name that the motion has no value for, with its place and the names that can be used.
    fn without_value(&self, symbol: &Symbol, motion: &Motion) -> EventError {
        let source = Source::new(option(self.terminal), self.text.as_str());
        let name = symbol.to_string();
        let start = word_in(&self.text, &name);
        let span = start.map_or(Span::new(0, self.text.len()), |start| {
            Span::new(start, start + name.len())
        });
        let form = motion.form;
        let message = format!("`{name}` has no value along a motion in the form {form}");
        let inputs = motion.inputs().into_iter().map(|s| s.to_string());
        let recorded = motion.records.iter().map(|r| r.name.clone());
        let mut usable: Vec<String> = inputs.chain(recorded).collect();
        let more = usable.len().saturating_sub(MOST);
        usable.truncate(MOST);
        if more > 0 {
            usable.push(format!("and {more} more"));
        }
        let help = format!(
            "these have: {}; or choose another --form",
            usable.join(", ")
        );
        let diagnostic = Diagnostic::error("event", span, message).help(help);
        EventError::Expression(Box::new(source), vec![diagnostic])
    }

    /// How it is looked for in ensembles.
    pub fn member_event(&self) -> MemberEvent {
        MemberEvent {
            direction: self.direction,
            terminal: self.terminal,
        }
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
}
