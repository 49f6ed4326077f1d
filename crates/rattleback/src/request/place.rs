//! Where steps begin, in words: `x = 0.3, y = 1`, `S = x^2/2`.

use crate::compile::StartState;
use crate::control::discrete::Space;
use crate::language::{AskedError, Model, Source, closest, listed, named_value};
use crate::mechanics::{Problem, System};
use crate::symbolic::{Expr, Symbol};

/// An expression of the model that is a number.
fn expression(model: &Model, option: &str, text: &str) -> Result<Expr, AskedError> {
    let found = model.scalar(&format!("‹{option}›"), text);
    found.map_err(|e| match e {
        AskedError::Text(_) => {
            AskedError::Text(format!("‹{option} \"{text}\"›: a number is expected"))
        }
        wrong => wrong,
    })
}

/// `x = 0.3, y = 1`: every coordinate with a constant value.
pub fn point(
    model: &Model,
    (problem, system): (&Problem, &System),
    start: &StartState,
    text: &str,
) -> Result<Vec<(Symbol, f64)>, AskedError> {
    let coordinates = Space::of(problem, system).positions;
    let bad = |why: String| AskedError::Text(format!("‹at \"{text}\"›: {why}"));
    let mut point = Vec::new();
    for part in listed(text) {
        let parts = named_value(part);
        let (name, value) =
            parts.ok_or_else(|| bad("write NAME = VALUE, separated by commas".into()))?;
        // As the model writes it, in Greek too.
        let read = model.expression(&Source::new("‹at›", name)).ok();
        let read = read.and_then(|value| value.as_scalar().cloned());
        let is_meant = |s: &&Symbol| s.to_string() == name || read == Some(Expr::from(*s));
        let found = coordinates.iter().find(is_meant);
        let symbol = found.ok_or_else(|| {
            let names: Vec<String> = coordinates.iter().map(ToString::to_string).collect();
            let near = closest(name, names.iter().map(String::as_str));
            let help = near.map_or(String::new(), |n| format!("; did you mean `{n}`?"));
            bad(format!("there is no coordinate `{name}`{help}"))
        })?;
        let value = expression(model, "at", value)?;
        let moves = value.contains_any(&coordinates);
        let number = start.evaluate(&[value]).ok().map(|v| v[0]);
        let number = number.filter(|x| x.is_finite() && !moves);
        let number = number.ok_or_else(|| bad(format!("the value of `{name}` is no number")))?;
        point.push((symbol.clone(), number));
    }
    let is_missing = |s: &&Symbol| !point.iter().any(|(p, _)| p == *s);
    match coordinates.iter().find(is_missing) {
        Some(missing) => Err(bad(format!("the coordinate `{missing}` is missing"))),
        None => Ok(point),
    }
}

/// `start` (none), or the function of `S = EXPR`.
pub fn beginning(model: &Model, text: &str) -> Result<Option<Expr>, AskedError> {
    if text.trim() == "start" {
        return Ok(None);
    }
    let function = named_value(text).filter(|(name, _)| *name == "S");
    let (_, function) = function.ok_or_else(|| {
        AskedError::Text(format!(
            "‹from \"{text}\"›: write `start`, or `S = ` and a function of the coordinates"
        ))
    })?;
    expression(model, "from", function).map(Some)
}
