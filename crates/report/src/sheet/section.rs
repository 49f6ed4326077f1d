//! The sections of a sheet, in the order in which they are read.

use super::Sheet;
use super::implicit;
use super::length::{Limit, left_out, written_length};
use crate::language::at_next;
use crate::mechanics::{Equations, Form, Quantity};
use crate::symbolic::{Expr, Symbol};

/// A heading and what stands under it.
pub struct Section {
    /// The heading.
    pub heading: String,
    /// Symbols that the heading ends with.
    pub of: Vec<Symbol>,
    /// What stands under it.
    pub body: Body,
}

/// What stands under a heading.
pub enum Body {
    /// Sentences.
    Lines(Vec<String>),
    /// Symbols in a row.
    Symbols(Vec<Symbol>),
    /// Equations, left and right side.
    Equations(Vec<(Expr, Expr)>),
    /// Brackets {a, b} = value.
    Brackets(Vec<(Symbol, Symbol, Expr)>),
    /// Functions that must not vanish.
    NonZero(Vec<Expr>),
}

impl Section {
    fn new(heading: impl Into<String>, body: Body) -> Self {
        Self {
            heading: heading.into(),
            of: Vec::new(),
            body,
        }
    }
}

/// All sections of formulas; empty ones are left out.
pub fn sections(sheet: &Sheet) -> Vec<Section> {
    let eq = sheet.equations;
    let mut builder = Builder {
        limit: sheet.limit(Limit::READABLE),
        sections: Vec::new(),
    };
    builder.push(Section::new("State", Body::Symbols(eq.state.to_vec())));
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
    builder.push(Section::new("Notes", Body::Lines(sheet.notes.clone())));
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

/// A named quantity as a symbol: primes behind the name are derivatives.
pub fn symbol_of(name: &str) -> Symbol {
    let bare = name.trim_end_matches('\'');
    let order = u32::try_from(name.len() - bare.len()).unwrap_or(0);
    Symbol::variable(bare).jet(order)
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
        let empty = match &section.body {
            Body::Lines(x) => x.is_empty(),
            Body::Symbols(x) => x.is_empty(),
            Body::Equations(x) => x.is_empty(),
            Body::Brackets(x) => x.is_empty(),
            Body::NonZero(x) => x.is_empty(),
        };
        if !empty {
            self.sections.push(section);
        }
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
        self.push(Section::new(heading, Body::Equations(short)));
        self.push(Section::new(
            format!("{heading}, left out"),
            Body::Lines(long),
        ));
    }

    fn conditions(&mut self, eq: &Equations) {
        let variable = eq.conditions.iter().filter(|c| c.as_number().is_none());
        let (short, long): (Vec<&Expr>, Vec<&Expr>) =
            variable.partition(|c| self.limit.allows(written_length(c)));
        self.push(Section::new(
            "Valid where",
            Body::NonZero(short.into_iter().cloned().collect()),
        ));
        let long = long
            .into_iter()
            .map(|c| left_out("a function that must not vanish", written_length(c)));
        self.push(Section::new(
            "Valid where, left out",
            Body::Lines(long.collect()),
        ));
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
        self.push(Section::new(
            "Brackets, all others 0",
            Body::Brackets(short),
        ));
        self.push(Section::new("Brackets, left out", Body::Lines(long)));
    }
}
