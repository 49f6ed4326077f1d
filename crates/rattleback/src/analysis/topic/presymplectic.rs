//! The presymplectic constraint algorithm.

use crate::analysis::page::{Item, Labelled, Topic, Value};
use rattleback::mechanics::System;
use rattleback::theory::presymplectic::{Chain, Presymplectic};
use rattleback::theory::{Claim, Deadline};

const STATEMENT: &str = "the variational equations have a motion on a final set";

pub fn judge(system: &System, deadline: Deadline) -> Topic {
    if system.order() > 1 {
        let why = "the chain is shown for Lagrangians in positions and velocities";
        return Topic::new("presymplectic", STATEMENT, Claim::undecided(why));
    }
    let problem = Presymplectic::of_lagrangian(system);
    let chain = problem.chain(deadline);
    page(&problem, &chain)
}

fn page(problem: &Presymplectic, c: &Chain) -> Topic {
    let steps = c.steps.iter().map(|s| {
        let formulas = s.constraints.iter().map(|e| Labelled::new("", e.clone()));
        vec![
            Item::new("dimension", "dimension", Value::Count(s.dimension)),
            Item::new(
                "constraints",
                "each = 0",
                Value::Formulas(formulas.collect()),
            ),
        ]
    });
    // There is no field where the chain was left before its end.
    let rates = match c.field.is_empty() {
        true => Vec::new(),
        false => problem.frame.anchored(&c.field),
    };
    let field = problem
        .frame
        .base()
        .iter()
        .zip(rates)
        .map(|(s, e)| Labelled::new(format!("d{s}/dt"), e).key("of", vec![s.to_string()]));
    Topic::new("presymplectic", STATEMENT, c.claim.clone())
        .with("dimensions", "dimensions", Value::Counts(c.dimensions()))
        .with("gauge", "free directions", Value::Count(c.gauge.len()))
        .maybe(
            "form_rank",
            "rank of the form on the final set",
            c.form_rank.map(Value::Count),
        )
        .with("steps", "steps", Value::List(steps.collect()))
        .with(
            "field",
            "a motion on the final set",
            Value::Formulas(field.collect()),
        )
}
