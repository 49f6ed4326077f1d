//! Events in words: `y = 0`, `x' - 1 : falling`.

use super::field::Compiled;
use rattleback_compile::Motion;
use rattleback_integrate::{Direction, MemberEvent};
use rattleback_language::{Diagnostic, Model, Source};
use rattleback_symbolic::{Expr, MissingInput};

/// Where along a motion to look.
#[derive(Clone, Debug)]
pub struct EventSpec {
    /// How it was written.
    pub text: String,
    /// What crosses zero, in positions and velocities of the model.
    pub function: Expr,
    /// Which crossings count.
    pub direction: Direction,
    /// Does the motion end there?
    pub terminal: bool,
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
        let sides: Vec<&str> = body.splitn(2, '=').collect();
        let mut function = Self::side(model, sides[0])?;
        if let Some(right) = sides.get(1) {
            function -= Self::side(model, right)?;
        }
        Ok(Self {
            text: text.trim().into(),
            function,
            direction,
            terminal,
        })
    }

    /// What crosses zero, as a function of (t, state, varied values) of a motion.
    pub fn compile(&self, motion: &Motion) -> Result<Compiled, MissingInput> {
        let function = motion.express(std::slice::from_ref(&self.function));
        Ok(Compiled::new(motion.program(&function)?))
    }

    /// How it is looked for in ensembles.
    pub fn member_event(&self) -> MemberEvent {
        MemberEvent {
            direction: self.direction,
            terminal: self.terminal,
        }
    }

    fn side(model: &Model, text: &str) -> Result<Expr, EventError> {
        let source = Source::new("the event", text.trim());
        let value = model
            .expression(&source)
            .map_err(|found| EventError::Expression(Box::new(source), found))?;
        let scalar = value.as_scalar().cloned();
        scalar.ok_or_else(|| EventError::NotScalar(text.trim().into()))
    }
}
