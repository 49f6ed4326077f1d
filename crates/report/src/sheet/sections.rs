//! The sections of a sheet, in the order in which they are read.

use super::Sheet;
use super::implicit;
use crate::compile::AtStart;
use crate::document::length::{Limit, left_out, written_length};
use crate::document::{Block, Name, Section, Tabular, symbol_of};
use crate::language::at_next;
use crate::mechanics::{Equations, Form, Quantity};
use crate::symbolic::{Expr, Symbol};
use rattleback_numeric::number::shown;

/// All sections of formulas; empty ones are left out.
pub fn sections(sheet: &Sheet) -> Vec<Section> {
    let eq = sheet.spoken;
    let mut builder = Builder {
        limit: sheet.limit(Limit::READABLE),
        sections: Vec::new(),
    };
    builder.put("State", Block::Symbols(eq.state.to_vec()));
    builder.equations("Equations of motion", written_rates(eq));
    implicit::sections(eq, builder.limit)
        .into_iter()
        .for_each(|s| builder.push(s));
    builder.equations("Multipliers", named(&eq.multipliers, ""));
    builder.equations("Reaction forces", named(&eq.reactions, "F_"));
    let energy = Some(&eq.energy).filter(|e| !e.is_undefined());
    let energy = energy.map(|e| (Symbol::variable("E").into(), e.clone()));
    builder.equations("Energy", energy.into_iter().collect());
    builder.equations("Momenta", named(&eq.momenta, ""));
    let residuals = eq.residuals.iter().map(|r| (r.clone(), Expr::zero()));
    builder.equations("Constraints", residuals.collect());
    builder.equations("Of this formulation", named(&eq.extras, ""));
    builder.equations("Reconstruction", named(&eq.reconstruction, ""));
    builder.brackets(eq);
    builder.conditions(eq);
    builder.put("Notes", Block::Lines(sheet.notes.clone()));
    if let Some(at_start) = sheet.at_start {
        let heading = format!("At the start, t = {}", shown(at_start.time, 1.0));
        builder.put(heading, start_table(eq, at_start));
        // Under a heading of their own: a model may call an observable `E` as the energy is called.
        builder.put("Observed at the start", observed_table(at_start));
    }
    builder.sections
}

/// The rates that say something: not x' = x', and not unknowns of a solve that is left.
pub fn written_rates(eq: &Equations) -> Vec<(Expr, Expr)> {
    eq.state
        .iter()
        .map(|s| Expr::from(updated(eq.form, s)))
        .zip(eq.rates.iter().cloned())
        .filter(|(left, right)| left != right)
        .collect()
}

/// What an equation of motion gives of a component of the state: its rate, or its value at the next node.
pub fn updated(form: Form, s: &Symbol) -> Symbol {
    match form {
        Form::Map => at_next(s),
        _ => s.derivative(),
    }
}

/// Quantities with a value of their own; an unknown of a solve that is left stands for itself.
fn named(quantities: &[Quantity], prefix: &str) -> Vec<(Expr, Expr)> {
    quantities
        .iter()
        .map(|q| {
            (
                Expr::from(symbol_of(&format!("{prefix}{}", q.name))),
                q.value.clone(),
            )
        })
        .filter(|(left, right)| left != right)
        .collect()
}

struct Builder {
    limit: Limit,
    sections: Vec<Section>,
}

impl Builder {
    fn push(&mut self, section: Section) {
        if !section.is_empty() {
            self.sections.push(section);
        }
    }

    fn put(&mut self, heading: impl Into<String>, block: Block) {
        self.push(Section::new(heading, [block]));
    }

    /// Equations that a person can read; the others are named with their length.
    fn equations(&mut self, heading: &str, all: Vec<(Expr, Expr)>) {
        let mut long = Vec::new();
        let mut short = Vec::new();
        for (left, right) in all {
            let length = written_length(&left).max(written_length(&right));
            if self.limit.allows(length) {
                short.push((left, right));
            } else {
                let name = left
                    .as_symbol()
                    .map_or("one of them".to_owned(), ToString::to_string);
                long.push(left_out(&name, length));
            }
        }
        self.put(heading, Block::Equations(short));
        self.put(format!("{heading}, left out"), Block::Lines(long));
    }

    fn conditions(&mut self, eq: &Equations) {
        let variable = eq.conditions.iter().filter(|c| c.as_number().is_none());
        let (short, long): (Vec<&Expr>, Vec<&Expr>) =
            variable.partition(|c| self.limit.allows(written_length(c)));
        let short = short.into_iter().cloned().collect();
        self.put("Valid where", Block::NonZero(short));
        let long = long
            .into_iter()
            .map(|c| left_out("a function that must not vanish", written_length(c)));
        self.put("Valid where, left out", Block::Lines(long.collect()));
    }

    fn brackets(&mut self, eq: &Equations) {
        let Some(bracket) = &eq.bracket else { return };
        let z = &bracket.coordinates;
        let pairs = (0..z.len()).flat_map(|i| (i + 1..z.len()).map(move |j| (i, j)));
        let (mut short, mut long) = (Vec::new(), Vec::new());
        for (i, j) in pairs {
            let value = &bracket.matrix[(i, j)];
            let length = written_length(value);
            if !self.limit.allows(length) {
                long.push(left_out(&format!("{{{}, {}}}", z[i], z[j]), length));
            } else if !value.is_zero() {
                short.push((z[i].clone(), z[j].clone(), value.clone()));
            }
        }
        self.put("Brackets, all others 0", Block::Brackets(short));
        self.put("Brackets, left out", Block::Lines(long));
    }
}

/// State with rates, then what else has a value there.
fn start_table(eq: &Equations, at_start: &AtStart) -> Block {
    let values = &at_start.values;
    let scale = scale(at_start);
    let update = match eq.form {
        Form::Map => "next",
        _ => "rate",
    };
    let state = eq.state.iter().zip(&at_start.state).zip(&values.rates);
    let state = state.map(|((s, value), rate)| {
        let cells = vec![shown(*value, scale), shown(*rate, scale)];
        (Name::Symbol(s.clone()), cells)
    });
    let in_state = |q: &Quantity| eq.state.iter().any(|s| s.to_string() == q.name);
    let multipliers = eq.multipliers.iter().zip(&values.multipliers);
    let multipliers = multipliers.filter(|(q, _)| !in_state(q)).map(|(q, value)| {
        let name = Name::Symbol(symbol_of(&q.name));
        (name, vec![shown(*value, scale)])
    });
    let energy = (!eq.energy.is_undefined())
        .then(|| (Name::Plain("E".into()), vec![shown(values.energy, scale)]));
    Block::Table(Tabular {
        head: ["", "value", update].map(str::to_owned).to_vec(),
        rows: state.chain(multipliers).chain(energy).collect(),
        wide: false,
    })
}

/// The model's observables.
fn observed_table(at_start: &AtStart) -> Block {
    let scale = scale(at_start);
    let row =
        |(name, value): &(String, f64)| (Name::Symbol(symbol_of(name)), vec![shown(*value, scale)]);
    Block::Table(Tabular {
        head: Vec::new(),
        rows: at_start.observed.iter().map(row).collect(),
        wide: false,
    })
}

/// The largest number of the state and its rates, which round-off is measured by.
fn scale(at_start: &AtStart) -> f64 {
    let numbers = at_start.state.iter().chain(&at_start.values.rates);
    numbers.fold(0.0f64, |m, v| m.max(v.abs()))
}
