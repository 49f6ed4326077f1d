//! The problem that a model poses between its ends, as `check` tells it.

use crate::language::{Condition, Given, Model, Relation, Source};
use serde_json::{Value, json};

/// What a model asks `control` for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PosedProblem {
    /// `optimal-control`, `parameter-optimisation` or `boundary-value`.
    pub kind: &'static str,
    /// What is looked for: controls along the path, or the path itself.
    pub unknowns: Vec<String>,
    /// What holds at the start by being stated, at the end, and on the way.
    pub ends: Vec<String>,
    /// Inequalities.
    pub bounds: Vec<String>,
    /// Numbers and start values that may be chosen.
    pub free: Vec<String>,
    /// What is made least.
    pub costs: Vec<String>,
    /// Flat outputs.
    pub flat: Vec<String>,
    /// What the search begins with.
    pub guess: Vec<String>,
}

impl PosedProblem {
    /// The problem of a model, if it has ends.
    pub fn of(model: &Model, source: &Source) -> Option<Self> {
        let posed =
            !model.goals.is_empty() || !model.vias.is_empty() || !model.terminals.is_empty();
        if !posed {
            return None;
        }
        let priced = !model.costs.is_empty() || !model.terminals.is_empty();
        let controls: Vec<String> = model
            .controls
            .iter()
            .map(|c| c.symbol.to_string())
            .collect();
        let path = || {
            let factors = model.configuration.iter().map(|f| f.name().to_owned());
            factors.collect::<Vec<String>>()
        };
        let kind = match (controls.is_empty(), priced) {
            (false, _) => "optimal-control",
            (true, true) => "parameter-optimisation",
            (true, false) => "boundary-value",
        };
        let written = |c: &Condition| condition(c, source);
        let goals = model
            .goals
            .iter()
            .map(|c| format!("{} at the end", written(c)));
        let vias = model.vias.iter().flat_map(|via| {
            let time = via.time.to_string();
            let all = via.conditions.iter();
            all.map(move |c| format!("{} at t = {time}", condition(c, source)))
        });
        let chosen = model.start.iter().filter(|a| a.given == Given::Free);
        let numbers = model.free.iter().map(|f| f.symbol.to_string());
        let guess = model.guesses.iter();
        let mut guess: Vec<String> = guess.map(|g| one_line(source.slice(g.span))).collect();
        // The entries of a group element come of one statement.
        guess.dedup();
        Some(Self {
            kind,
            unknowns: match kind {
                "optimal-control" => controls,
                "boundary-value" => path(),
                _ => Vec::new(),
            },
            ends: goals.chain(vias).collect(),
            bounds: model
                .bounds
                .iter()
                .map(|b| one_line(source.slice(b.span)))
                .collect(),
            free: numbers
                .chain(chosen.map(|a| format!("{} at the start", a.symbol)))
                .collect(),
            costs: model
                .costs
                .iter()
                .map(|c| c.expr.to_string())
                .chain(
                    model
                        .terminals
                        .iter()
                        .map(|c| format!("{} at the end", c.expr)),
                )
                .collect(),
            flat: model.flats.iter().map(|f| f.name.clone()).collect(),
            guess,
        })
    }

    /// Rows of the page, without those that are empty.
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        let all = [
            ("problem", self.kind.to_owned()),
            ("unknowns", self.unknowns.join(", ")),
            ("least", self.costs.join(" + ")),
            ("ends", self.ends.join(", ")),
            ("bounds", self.bounds.join(", ")),
            ("free", self.free.join(", ")),
            ("flat", self.flat.join(", ")),
            ("guess", self.guess.join(", ")),
        ];
        all.into_iter()
            .filter(|(_, value)| !value.is_empty())
            .collect()
    }

    /// JSON.
    pub fn json(&self) -> Value {
        json!({
            "kind": self.kind, "unknowns": self.unknowns, "least": self.costs,
            "ends": self.ends, "bounds": self.bounds, "free": self.free,
            "flat": self.flat, "guess": self.guess,
        })
    }
}

fn condition(c: &Condition, source: &Source) -> String {
    match c {
        Condition::Scalar {
            left,
            relation,
            right,
            ..
        } => {
            let sign = match relation {
                Relation::Less => "<",
                Relation::LessOrEqual => "<=",
                Relation::Greater => ">",
                Relation::GreaterOrEqual => ">=",
                Relation::Equal => "=",
                Relation::NotEqual => "!=",
            };
            format!("{left} {sign} {right}")
        }
        Condition::Element { span, .. } => one_line(source.slice(*span)),
    }
}

/// A statement on one line, without the word at its head.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    text.strip_prefix("bound ").unwrap_or(&text).to_owned()
}
