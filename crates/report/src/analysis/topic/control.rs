//! Steering: accessibility, what no control changes, singular problems.

use crate::analysis::page::Topic;
use crate::document::{Labelled, Value, flag};
use crate::mechanics::Problem;
use crate::symbolic::Expr;
use crate::theory::control::ControlReport;
use crate::theory::presymplectic::Chain;
use crate::theory::{Answer, Effort};

const STATEMENT: &str = "the controls reach an open set of states";

/// Judges a system under its open controls.
pub fn judge(problem: &Problem, effort: Effort) -> Topic {
    let report = match ControlReport::of(&problem.steered(), effort) {
        Ok(report) => report,
        Err(e) => return Topic::new("control", STATEMENT, Answer::failed(e)),
    };
    let algebra = &report.algebra;
    let mut topic = Topic::new("control", STATEMENT, report.accessible.clone());
    if !algebra.generic.is_empty() {
        topic = topic
            .line(summary(&report))
            .data("accessible", flag(&report.accessible))
            .data("dimension", Value::Count(report.dimension))
            .data("rank", Value::Count(algebra.rank()))
            .data("length", Value::Count(algebra.length()))
            .data("ranks", Value::Counts(algebra.generic.clone()));
    }
    if let Some((rank, length)) = algebra.at_rest() {
        topic = topic
            .data("rank_at_start", Value::Count(rank))
            .data("length_at_start", Value::Count(length))
            .data("accessible_at_start", flag(&report.accessible_at_start));
    }
    topic = topic.with(
        "invariants",
        "constant whatever the controls do",
        formulas(&report.invariants),
    );
    if report.missing > 0 {
        let count = report.missing;
        topic = topic
            .data("missing_invariants", Value::Count(count))
            .line(format!(
                "{count} more exist locally that were not found in closed form"
            ));
    }
    match &report.singular {
        None => topic,
        Some(chain) => singular(topic, chain),
    }
}

/// Ranks in a line.
fn summary(report: &ControlReport) -> String {
    let algebra = &report.algebra;
    let generic = format!(
        "brackets of drift and controls, at the values of the parameters: rank {} of {} at length {}",
        algebra.rank(),
        report.dimension,
        algebra.length()
    );
    match algebra.at_rest() {
        Some((rank, length)) => {
            format!("{generic}; at rest at the start {rank} at length {length}")
        }
        None => generic,
    }
}

/// What the constraint algorithm makes of a Hamiltonian that does not determine the controls.
fn singular(topic: Topic, chain: &Chain) -> Topic {
    let constraints = chain.steps.iter().flat_map(|s| &s.constraints);
    let constraints: Vec<Expr> = constraints.map(|e| chain.shown_constraint(e)).collect();
    topic
        .line("the cost does not determine the controls: the problem is singular")
        .with(
            "singular_dimensions",
            "dimensions of the constraint chain of the singular problem",
            Value::Counts(chain.dimensions()),
        )
        .with(
            "singular_gauge",
            "directions that the final conditions leave free",
            Value::Count(chain.freedom),
        )
        .with(
            "singular_constraints",
            "each = 0 along extremals",
            formulas(&constraints),
        )
}

fn formulas(all: &[Expr]) -> Value {
    Value::Formulas(all.iter().map(|e| Labelled::new("", e.clone())).collect())
}
