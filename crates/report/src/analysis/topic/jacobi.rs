//! The bracket: is it Poisson?

use super::is_plain;
use crate::analysis::page::Topic;
use crate::document::{Labelled, Value, flag};
use crate::mechanics::System;
use crate::symbolic::Expr;
use crate::theory::{BracketReport, Effort, Fact};

pub fn judge(system: &System, effort: Effort) -> Topic {
    let r = BracketReport::of(system, effort);
    let n = r.coordinates.len();
    let brackets = (0..n)
        .flat_map(|i| (i + 1..n).map(move |j| (i, j)))
        .filter(|&(i, j)| !r.matrix[(i, j)].is_zero())
        .map(|(i, j)| {
            let of = vec![r.coordinates[i].to_string(), r.coordinates[j].to_string()];
            Labelled::new(
                format!("{{{}, {}}}", of[0], of[1]),
                r.matrix[(i, j)].clone(),
            )
            .key("of", of)
        });
    let jacobiators = r.jacobiators.iter().map(|(a, b, z, value)| {
        let of = vec![a.to_string(), b.to_string(), z.to_string()];
        Labelled::new(format!("Jac({})", of.join(", ")), value.clone()).key("of", of)
    });
    let unnamed =
        |all: &[Expr]| Value::Formulas(all.iter().map(|e| Labelled::new("", e.clone())).collect());
    let mut topic = Topic::new(
        "jacobi",
        "the bracket on the constrained momentum space is Poisson",
        r.poisson.clone(),
    )
    .data("poisson", flag(&r.poisson));
    if is_plain(system) {
        topic = topic.settles(Fact::Poisson, &r.poisson);
    }
    if n > 0 && system.constraints().is_empty() {
        topic = topic.line(format!("rank {} in dimension {}", r.rank, r.dimension));
    } else if n > 0 {
        topic = topic.line(format!(
            "rank {} in dimension {}; the Jacobiator is the part of a bracket of D that is orthogonal to D",
            r.rank, r.dimension
        ));
        let momenta = &r.coordinates[r.dimension - r.rank / 2..];
        topic = topic.line(format!(
            "the momenta of the fields of the frame of D, in their order, are {}",
            momenta
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        ));
    }
    topic
        .data("rank", Value::Count(r.rank))
        .data("dimension", Value::Count(r.dimension))
        .with("brackets", "brackets", Value::Formulas(brackets.collect()))
        .with(
            "jacobiator",
            "Jacobiator",
            Value::Formulas(jacobiators.collect()),
        )
        .with("casimirs", "Casimirs", unnamed(&r.casimirs))
        .data("dirac_structure", Value::Answer(r.dirac_closed.clone()))
        .cases(&r.cases)
}
