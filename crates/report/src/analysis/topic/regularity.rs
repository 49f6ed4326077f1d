//! Regularity.

use crate::analysis::page::Topic;
use crate::document::{Labelled, Value, flag};
use crate::mechanics::System;
use crate::theory::{Answer, Effort, Fact, Regularity};

pub fn judge(system: &System, _: Effort) -> Topic {
    let report = Regularity::of(system);
    let drops = report
        .rank_drop
        .iter()
        .map(|e| Labelled::new("", e.clone()))
        .collect();
    // A degenerate Lagrangian may still determine the motions of some states: `presymplectic` tells of which.
    let statement = match report.regular {
        Answer::Refuted(_) => "the equations determine a motion from every state",
        _ => "the equations determine the motion",
    };
    Topic::new("regularity", statement, report.regular.clone())
        .settles(Fact::Regular, &report.regular)
        .data("regular", flag(&report.regular))
        .with(
            "positive_definite",
            "the kinetic energy is positive definite there",
            Value::Answer(report.positive.clone()),
        )
        .maybe(
            "determinant",
            "determinant",
            report.determinant.clone().map(Value::Formula),
        )
        .with(
            "rank_drop",
            "the constraint forms lose rank where one of these vanishes",
            Value::Formulas(drops),
        )
        .cases(&report.cases)
}
