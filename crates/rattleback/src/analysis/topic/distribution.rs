//! The constraint distribution.

use super::is_plain;
use crate::analysis::page::{Labelled, Topic, Value, flag};
use rattleback::mechanics::System;
use rattleback::symbolic::Expr;
use rattleback::theory::{Answer, DistributionReport, Effort, Fact};

pub fn judge(system: &System, effort: Effort) -> Topic {
    let statement = "the constraints are completely nonholonomic";
    let r = match DistributionReport::of(system, effort) {
        Ok(report) => report,
        Err(e) => return Topic::new("distribution", statement, Answer::failed(e)),
    };
    let fields = r.frame.iter().enumerate().map(|(a, section)| {
        let terms = section
            .iter()
            .zip(&r.velocities)
            .map(|(c, v)| c * Expr::from(v));
        Labelled::new(format!("Z{}", a + 1), Expr::sum(terms))
            .key("name", vec![format!("Z{}", a + 1)])
    });
    let unnamed =
        |all: &[Expr]| Value::Formulas(all.iter().map(|e| Labelled::new("", e.clone())).collect());
    let statement = if system.constraints().is_empty() {
        "every direction can be reached"
    } else {
        statement
    };
    let ranks = |all: &[usize]| {
        let all: Vec<String> = all.iter().map(ToString::to_string).collect();
        format!("({})", all.join(", "))
    };
    let mut summary = format!(
        "rank {} in dimension {}, growth vector {}",
        r.rank,
        r.dimension,
        ranks(&r.growth)
    );
    if let Some(at_start) = r.growth_at_start.as_ref().filter(|g| **g != r.growth) {
        summary += &format!(", at the start {}", ranks(at_start));
    }
    let mut topic = Topic::new("distribution", statement, r.generating.clone()).line(summary);
    if is_plain(system) && !r.driven {
        topic.settled.push((Fact::NoGrowth, r.growth.len() == 1));
        let full = r.growth.last() == Some(&r.dimension);
        topic.settled.push((Fact::FullGrowth, full));
        topic = topic
            .settles(Fact::Generating, &r.generating)
            .settles(Fact::Integrable, &r.integrable);
    }
    if r.driven {
        topic = topic.line(
            "rank, growth and frame are those of the part linear in the velocities, at a fixed time",
        );
    }
    topic = topic
        .data("driven", Value::Flag(Some(r.driven)))
        .data("dimension", Value::Count(r.dimension))
        .data("rank", Value::Count(r.rank))
        .data("growth", Value::Counts(r.growth.clone()));
    if let Some(growth) = &r.growth_at_start {
        topic = topic.data("growth_at_start", Value::Counts(growth.clone()));
    }
    topic = topic
        .data("step", Value::Count(r.step()))
        .data("bracket_generating", flag(&r.generating))
        .data("integrable", flag(&r.integrable))
        .with(
            "integrability",
            "the distribution is integrable",
            Value::Answer(r.integrable.clone()),
        )
        .with(
            "integrals",
            "constant along every motion that satisfies the constraints",
            unnamed(&r.integrals),
        )
        .data("missing_integrals", Value::Count(r.missing));
    if r.missing > 0 {
        let (count, exist) = match r.missing {
            1 => ("one further integral".into(), "exists"),
            many => (format!("{many} further integrals"), "exist"),
        };
        let found = match r.out_of_effort {
            true => "looked for within the effort: allow more with --effort",
            false => "found in closed form",
        };
        topic = topic.line(format!("{count} {exist} locally that could not be {found}"));
    }
    if let Some(leaf) = &r.leaf {
        let gone = leaf
            .eliminated
            .iter()
            .map(|(s, e)| Labelled::new(s.to_string(), e.clone()).key("name", vec![s.to_string()]));
        topic = topic.with(
            "leaf",
            "on a level of the integrals these coordinates follow from the others",
            Value::Formulas(gone.collect()),
        );
    }
    topic
        .data("accessible_dimension", Value::Count(r.accessible()))
        .with(
            "frame",
            "a frame, each field by the velocities it is paired with",
            Value::Formulas(fields.collect()),
        )
        .with(
            "rank_drop",
            "the constraint forms lose rank where one of these vanishes",
            unnamed(&r.rank_drop),
        )
        .cases(&r.cases)
}
