//! The presymplectic constraint algorithm.

use crate::analysis::page::Topic;
use crate::document::length::written_length;
use crate::document::{Item, Labelled, Value};
use crate::mechanics::System;
use crate::symbolic::Expr;
use crate::theory::Effort;
use crate::theory::presymplectic::{Chain, Presymplectic};

const STATEMENT: &str = "the variational equations have a motion on a final set";

/// Longer conditions and branches tell nothing.
const SHORT: u64 = 150;

pub fn judge(system: &System, effort: Effort) -> Topic {
    let chain = Presymplectic::of_lagrangian(system).chain(effort);
    page(&chain)
}

/// Each function once: its negative vanishes where it does.
fn up_to_sign(all: Vec<Expr>) -> Vec<Expr> {
    let mut kept: Vec<Expr> = Vec::new();
    for e in all {
        if !kept.contains(&e) && !kept.contains(&-&e) {
            kept.push(e);
        }
    }
    kept
}

fn page(c: &Chain) -> Topic {
    let formulas = |all: &[Expr]| {
        let one = |e: &Expr| Labelled::new("", e.clone());
        Value::Formulas(all.iter().map(one).collect())
    };
    let constraints = |all: &[Expr]| -> Vec<Expr> {
        let mut shown: Vec<Expr> = all.iter().map(|e| c.shown_constraint(e)).collect();
        shown.dedup();
        shown
    };
    let steps = c.steps.iter().map(|s| {
        vec![
            Item::new("dimension", "dimension", Value::Count(s.dimension)),
            Item::new(
                "constraints",
                "each = 0",
                formulas(&constraints(&s.constraints)),
            ),
        ]
    });
    let rates: Vec<Expr> = c.rates.iter().map(|e| c.shown(e)).collect();
    let field =
        c.coordinates.iter().zip(&rates).map(|(s, e)| {
            Labelled::new(format!("d{s}/dt"), e.clone()).key("of", vec![s.to_string()])
        });
    let parameters = c
        .chart
        .iter()
        .map(|(s, e)| Labelled::new(s.to_string(), e.clone()).key("of", vec![s.to_string()]));
    let some = |mut all: Vec<Expr>| {
        all.retain(|e| written_length(e) <= SHORT);
        let all = up_to_sign(all);
        (!all.is_empty()).then(|| formulas(&all))
    };
    Topic::new("presymplectic", STATEMENT, c.claim.clone())
        .with("dimensions", "dimensions", Value::Counts(c.dimensions()))
        .with("gauge", "free directions", Value::Count(c.freedom))
        .maybe(
            "form_rank",
            "rank of the form on the final set",
            c.form_rank.map(Value::Count),
        )
        .with("steps", "steps", Value::List(steps.collect()))
        .maybe(
            "irregular",
            "irregular, replaced by what vanishes there",
            some(constraints(&c.irregular)),
        )
        .maybe(
            "conditions",
            "taken not to vanish",
            some(constraints(&c.conditions)),
        )
        .maybe(
            "branches",
            "might vanish instead",
            some(constraints(&c.branches)),
        )
        .maybe(
            "chart",
            "in the chart",
            (!c.chart.is_empty()).then(|| Value::Formulas(parameters.collect())),
        )
        .with(
            "field",
            "a motion on the final set",
            Value::Formulas(field.map(Labelled::component).collect()),
        )
        .cases(&c.cases)
}
