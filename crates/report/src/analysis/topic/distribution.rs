//! The constraint distribution.

use super::is_plain;
use crate::analysis::page::Topic;
use crate::document::{Labelled, Value, flag};
use crate::mechanics::System;
use crate::symbolic::{Expr, Function, Kind, postorder};
use crate::theory::{Answer, DistributionReport, Effort, Fact};

pub fn judge(system: &System, effort: Effort) -> Topic {
    let nonholonomic = "the constraints are completely nonholonomic";
    let r = match DistributionReport::of(system, effort) {
        Ok(report) => report,
        Err(e) => return Topic::new("distribution", nonholonomic, Answer::failed(e)),
    };
    let statement = match system.constraints().is_empty() {
        true => "every direction can be reached",
        false => nonholonomic,
    };
    let mut topic = Topic::new("distribution", statement, r.generating.clone()).line(summary(&r));
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
    let topic = integrals(ranks(topic, &r), &r);
    topic
        .data("accessible_dimension", Value::Count(r.accessible()))
        .with(
            "frame",
            "a frame, each field by the velocities it is paired with",
            frame(&r),
        )
        .with(
            "rank_drop",
            "the constraint forms lose rank where one of these vanishes",
            unnamed(&r.rank_drop),
        )
        .cases(&r.cases)
}

/// Rank and growth in a line.
fn summary(r: &DistributionReport) -> String {
    let ranks = |all: &[usize]| {
        let all: Vec<String> = all.iter().map(ToString::to_string).collect();
        format!("({})", all.join(", "))
    };
    let summary = format!(
        "rank {} in dimension {}, growth vector {}",
        r.rank,
        r.dimension,
        ranks(&r.growth)
    );
    match r.growth_at_start.as_ref().filter(|g| **g != r.growth) {
        Some(at_start) => format!("{summary}, at the start {}", ranks(at_start)),
        None => summary,
    }
}

/// The numbers for machines, and whether the distribution is integrable.
fn ranks(topic: Topic, r: &DistributionReport) -> Topic {
    let mut topic = topic
        .data("driven", Value::Flag(Some(r.driven)))
        .data("dimension", Value::Count(r.dimension))
        .data("rank", Value::Count(r.rank))
        .data("growth", Value::Counts(r.growth.clone()));
    if let Some(growth) = &r.growth_at_start {
        topic = topic.data("growth_at_start", Value::Counts(growth.clone()));
    }
    topic
        .data("step", Value::Count(r.step()))
        .data("bracket_generating", flag(&r.generating))
        .data("integrable", flag(&r.integrable))
        .with(
            "integrability",
            "the distribution is integrable",
            Value::Answer(r.integrable.clone()),
        )
}

/// What the constraints keep, and the system on its levels.
fn integrals(topic: Topic, r: &DistributionReport) -> Topic {
    let mut topic = topic
        .with(
            "integrals",
            "constant along every motion that satisfies the constraints",
            unnamed(&r.integrals),
        )
        .data("missing_integrals", Value::Count(r.missing));
    if r.integrals.iter().any(has_angle) {
        topic = topic.line(
            "where an angle atan2 jumps by a full turn, an integral that contains it jumps, too",
        );
    }
    if r.missing > 0 {
        let (count, exist) = match r.missing {
            1 => ("one further integral".into(), "exists"),
            many => (format!("{many} further integrals"), "exist"),
        };
        let found = match r.out_of_effort {
            true => "looked for within the effort: allow more with ‹effort›",
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
}

/// The fields of D, by the velocities.
fn frame(r: &DistributionReport) -> Value {
    let fields = r.frame.iter().enumerate().map(|(a, section)| {
        let terms = section.iter().zip(&r.velocities);
        let name = format!("Z{}", a + 1);
        let field = Expr::sum(terms.map(|(c, v)| c * Expr::from(v)));
        Labelled::new(name.clone(), field).key("name", vec![name])
    });
    Value::Formulas(fields.collect())
}

fn unnamed(all: &[Expr]) -> Value {
    Value::Formulas(all.iter().map(|e| Labelled::new("", e.clone())).collect())
}

/// Does it contain the angle of a point of a plane, which jumps on a ray?
fn has_angle(e: &Expr) -> bool {
    let angle = |e: &Expr| matches!(e.kind(), Kind::Function(Function::Atan2, _));
    postorder(std::slice::from_ref(e), |_| true)
        .iter()
        .any(angle)
}
