//! The sections of a sheet, in the order in which they are read.

use super::Sheet;
use super::implicit;
use super::length::{READABLE, WRITABLE, written_length};
use rattleback::mechanics::{Equations, Quantity};
use rattleback::symbolic::{Expr, Symbol};

/// A heading and what stands under it.
pub struct Section {
    /// The heading.
    pub heading: String,
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
            body,
        }
    }
}

/// All sections of formulas; empty ones are left out.
pub fn sections(sheet: &Sheet) -> Vec<Section> {
    let eq = sheet.equations;
    let mut builder = Builder {
        full: sheet.full,
        sections: Vec::new(),
    };
    builder.push(Section::new("State", Body::Symbols(eq.state.clone())));
    builder.equations("Equations of motion", written_rates(eq));
    implicit::sections(eq, sheet.full)
        .into_iter()
        .for_each(|s| builder.push(s));
    builder.equations("Multipliers", named(&eq.multipliers, ""));
    builder.equations("Reaction forces", named(&eq.reactions, "F_"));
    builder.equations(
        "Energy",
        vec![(Symbol::variable("E").into(), eq.energy.clone())],
    );
    builder.equations("Momenta", named(&eq.momenta, ""));
    let residuals = eq.residuals.iter().map(|r| (r.clone(), Expr::zero()));
    builder.equations("Constraints", residuals.collect());
    builder.equations("Of this formulation", named(&eq.extras, ""));
    builder.equations("Reconstruction", named(&eq.reconstruction, ""));
    builder.brackets(eq);
    let conditions = eq
        .conditions
        .iter()
        .filter(|c| c.as_number().is_none())
        .cloned();
    builder.push(Section::new(
        "Valid where",
        Body::NonZero(conditions.collect()),
    ));
    builder.push(Section::new("Notes", Body::Lines(sheet.notes.clone())));
    builder.sections
}

/// The rates that say something: not x' = x', and not unknowns of a solve that is left.
pub fn written_rates(eq: &Equations) -> Vec<(Expr, Expr)> {
    eq.state
        .iter()
        .map(|s| Expr::from(s.derivative()))
        .zip(eq.rates.iter().cloned())
        .filter(|(left, right)| left != right)
        .collect()
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
    full: bool,
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
        let limit = if self.full { WRITABLE } else { READABLE };
        let mut long = Vec::new();
        let mut short = Vec::new();
        for (left, right) in all {
            let length = written_length(&left).max(written_length(&right));
            if length <= limit {
                short.push((left, right));
            } else if left.as_symbol().is_some() {
                long.push(left_out(&left.to_string(), length, self.full));
            } else {
                long.push(left_out("one of them", length, self.full));
            }
        }
        self.push(Section::new(heading, Body::Equations(short)));
        self.push(Section::new(
            format!("{heading}, left out"),
            Body::Lines(long),
        ));
    }

    fn brackets(&mut self, eq: &Equations) {
        let Some(bracket) = &eq.bracket else { return };
        let z = &bracket.coordinates;
        let pairs = (0..z.len()).flat_map(|i| (i + 1..z.len()).map(move |j| (i, j)));
        let nonzero = pairs
            .map(|(i, j)| (z[i].clone(), z[j].clone(), bracket.matrix[(i, j)].clone()))
            .filter(|(.., value)| !value.is_zero());
        self.push(Section::new(
            "Brackets, all others 0",
            Body::Brackets(nonzero.collect()),
        ));
    }
}

/// Says how long a formula is and how to see it.
pub fn left_out(name: &str, length: u64, full: bool) -> String {
    let size = if length == u64::MAX {
        "far more than 10^18".to_owned()
    } else {
        length.to_string()
    };
    if full {
        format!("{name}: {size} operations are too many to write out")
    } else {
        format!("{name}: {size} operations; --full writes them out")
    }
}
