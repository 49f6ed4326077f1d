//! The presymplectic constraint algorithm.

use crate::analysis::page::{Item, Labelled, Topic, Value};
use rattleback::mechanics::System;
use rattleback::symbolic::{Expr, Kind, Map, postorder};
use rattleback::theory::Deadline;
use rattleback::theory::presymplectic::{Chain, Presymplectic};

const STATEMENT: &str = "the variational equations have a motion on a final set";

/// Longer formulas are not shown.
const READABLE: usize = 1_500;

pub fn judge(system: &System, deadline: Deadline) -> Topic {
    let chain = Presymplectic::of_lagrangian(system).chain(deadline);
    page(&chain)
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
        all.retain(|e| length(e) <= READABLE / 10);
        (!all.is_empty()).then(|| formulas(&all))
    };
    let readable = !rates.is_empty() && rates.iter().all(|e| length(e) <= READABLE);
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
        .maybe(
            "field",
            "a motion on the final set",
            readable.then(|| Value::Formulas(field.collect())),
        )
        .cases(&c.cases)
}

/// The length of a formula written out, in nodes.
fn length(e: &Expr) -> usize {
    let mut known: Map<Expr, usize> = Map::default();
    for node in postorder(std::slice::from_ref(e), |_| true) {
        let of = |x: &Expr| known.get(x).copied().unwrap_or(1);
        let sum =
            |all: &mut dyn Iterator<Item = &Expr>| all.fold(1usize, |n, x| n.saturating_add(of(x)));
        let size = match node.kind() {
            Kind::Scaled(_, x) => sum(&mut std::iter::once(x)),
            Kind::Sum(_, terms) => sum(&mut terms.iter().map(|(t, _)| t)),
            Kind::Product(factors) => sum(&mut factors.iter().map(|(b, _)| b)),
            Kind::Function(_, x) => sum(&mut x.iter()),
            _ => 1,
        };
        known.insert(node, size);
    }
    known.get(e).copied().unwrap_or(1)
}
