//! Regularity.

use crate::analysis::page::Topic;
use crate::document::{Labelled, Value, flag};
use crate::mechanics::System;
use crate::theory::{Effort, Fact, Regularity};

pub fn judge(system: &System, _: Effort) -> Topic {
    let report = Regularity::of(system);
    let drops = report
        .rank_drop
        .iter()
        .map(|e| Labelled::new("", e.clone()))
        .collect();
    Topic::new(
        "regularity",
        "the equations determine the motion",
        report.regular.clone(),
    )
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
