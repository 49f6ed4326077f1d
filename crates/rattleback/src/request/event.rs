//! Events in words: `y = 0`, `x' - 1 : falling`.

use crate::complaint::event_option;
use crate::integrate::Direction;
use crate::language::{AskedError, Model};
use crate::simulation::EventSpec;

/// Reads `EXPR`, `LHS = RHS`, either with `: rising` or `: falling` behind.
pub fn event(model: &Model, text: &str, terminal: bool) -> Result<EventSpec, AskedError> {
    let crossing = model.crossing(event_option(terminal), text)?;
    Ok(EventSpec {
        text: crossing.text,
        function: crossing.function,
        direction: match crossing.rising {
            None => Direction::Any,
            Some(true) => Direction::Rising,
            Some(false) => Direction::Falling,
        },
        terminal,
    })
}
