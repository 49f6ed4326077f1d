//! The numbers at the start.

use super::element::lines;
use super::vector::Turning;
use crate::compile::AtStart;
use crate::document::{Block, Name, Tabular, symbol_of};
use crate::mechanics::{Equations, Form, Quantity};
use crate::symbolic::Symbol;
use rattleback_numeric::number::shown;

/// State with rates, then what else has a value there, the energy by the name it has on the page; the entries of `folded`
/// in one row, and none for what is `fixed`.
pub fn start_table(
    eq: &Equations,
    at_start: &AtStart,
    folded: &[Turning],
    fixed: &[Symbol],
    energy: &Symbol,
) -> Block {
    let values = &at_start.values;
    let scale = scale(at_start);
    let update = match eq.form {
        Form::Map => "next",
        _ => "rate",
    };
    let mut rows: Vec<(Name, Vec<String>)> = Vec::new();
    let state = eq.state.iter().zip(&at_start.state).zip(&values.rates);
    for ((s, value), rate) in state.filter(|((s, _), _)| !fixed.contains(s)) {
        match folded.iter().find(|t| t.entries.contains(s)) {
            None => {
                let cells = vec![shown(*value, 0.0), shown(*rate, scale)];
                rows.push((Name::Symbol(s.clone()), cells));
            }
            Some(t) if t.entries.first() == Some(s) => {
                let entry = |s: &Symbol| shown(entry(eq, at_start, s), 1.0);
                let named = |name: String| match name.is_empty() {
                    true => Name::Words(name),
                    false if name == t.name.name() => Name::Symbol(t.name.clone()),
                    false => Name::Plain(name),
                };
                let lines = lines(t, entry).into_iter();
                rows.extend(lines.map(|(name, line)| (named(name), vec![line])));
            }
            Some(_) => {}
        }
    }
    let in_state = |q: &Quantity| eq.state.iter().any(|s| s.to_string() == q.name);
    let multipliers = eq.multipliers.iter().zip(&values.multipliers);
    let multipliers = multipliers.filter(|(q, _)| !in_state(q)).map(|(q, value)| {
        let name = Name::Symbol(symbol_of(&q.name));
        (name, vec![shown(*value, scale)])
    });
    rows.extend(multipliers);
    if !eq.energy.is_undefined() {
        let energy = Name::Plain(energy.name().to_owned());
        rows.push((energy, vec![shown(values.energy, scale)]));
    }
    Block::Table(Tabular::of_words(&["", "value", update], rows, false))
}

/// An entry of an element.
fn entry(eq: &Equations, at_start: &AtStart, s: &Symbol) -> f64 {
    let place = eq.state.iter().position(|x| x == s);
    place.map_or(0.0, |i| at_start.state[i])
}

/// The model's observables.
pub fn observed_table(at_start: &AtStart) -> Block {
    let scale = scale(at_start);
    let row =
        |(name, value): &(String, f64)| (Name::Symbol(symbol_of(name)), vec![shown(*value, scale)]);
    let rows = at_start.observed.iter().map(row);
    Block::Table(Tabular::of_words(&[], rows, false))
}

/// Formulas are worked out to some roundings of the largest rate; what is smaller than those is 0.
fn scale(at_start: &AtStart) -> f64 {
    const ROUNDINGS: f64 = 0.05;
    let rates = at_start.values.rates.iter();
    ROUNDINGS * rates.fold(0.0f64, |m, v| m.max(v.abs()))
}
