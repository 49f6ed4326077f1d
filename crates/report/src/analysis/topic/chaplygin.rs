//! Chaplygin structure.

use super::is_plain;
use crate::analysis::page::Topic;
use crate::document::{Item, Labelled, Value};
use crate::mechanics::System;
use crate::symbolic::{Expr, Symbol};
use crate::theory::{ChaplyginReport, Effort, Fact, Reduction};

pub fn judge(system: &System, effort: Effort) -> Topic {
    let r = ChaplyginReport::of(system, effort);
    let mut topic = Topic::new("chaplygin", "it is a Chaplygin system", r.claim.clone())
        .data("choice", Value::Word(r.choice.words().into()));
    if let Some(group) = &r.group {
        topic = topic
            .data("group", Value::Word(group.name.clone()))
            .data("abelian", Value::Flag(Some(group.abelian)))
            .line(format!(
                "group {}, {}; fibre: {}",
                group.name,
                if group.abelian {
                    "abelian"
                } else {
                    "not abelian"
                },
                r.choice.words()
            ));
    }
    if let Some(reduction) = &r.reduction {
        topic = reduced(topic, reduction);
        if let (true, Some(flat)) = (is_plain(system), r.flat(system)) {
            topic.settled.push((Fact::Flat, flat));
        }
    }
    topic = topic.settles(Fact::Chaplygin, &r.claim);
    let checks = r
        .checks
        .iter()
        .map(|check| {
            let (name, answer) = (check.statement.clone(), check.answer.clone());
            vec![
                Item::data("name", Value::Word(name.clone())),
                Item::new("claim", name, Value::Answer(answer)),
            ]
        })
        .collect();
    topic
        .with("checks", "self-tests of the reduction", Value::List(checks))
        .with(
            "found",
            "other fibres that work",
            Value::List(
                r.alternatives
                    .iter()
                    .map(|f| vec![Item::new("fibre", "fibre", Value::Words(f.clone()))])
                    .collect(),
            ),
        )
}

fn names(symbols: &[Symbol]) -> Vec<String> {
    symbols.iter().map(ToString::to_string).collect()
}

/// A base direction goes by the name of its coordinate where it is one.
fn direction(r: &Reduction, a: usize) -> String {
    let velocity = r.base.fibre()[a].to_string();
    velocity.trim_end_matches('\'').to_owned()
}

/// The pairs of base directions.
fn pairs(r: &Reduction) -> Vec<(usize, usize)> {
    let n = r.rank();
    (0..n)
        .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
        .collect()
}

/// Ξ(e_α, e_β).
fn gyroscopic(r: &Reduction) -> Value {
    let xi = r.gyroscopic();
    let all = pairs(r).into_iter().map(|(a, b)| {
        let of = vec![direction(r, a), direction(r, b)];
        let value = crate::symbolic::simplify(&xi[(a, b)]);
        Labelled::new(format!("Xi({}, {})", of[0], of[1]), value)
            .key("of", of)
            .component()
    });
    Value::Formulas(all.collect())
}

/// B^a(e_α, e_β), one for each direction of the fibre.
fn curvature(r: &Reduction) -> Value {
    let mut all = Vec::new();
    for (matrix, fibre) in r.curvature.iter().zip(&r.fibre_velocities) {
        let fibre = fibre.to_string().trim_end_matches('\'').to_owned();
        for (a, b) in pairs(r) {
            let of = vec![direction(r, a), direction(r, b)];
            let left = format!("B^{fibre}({}, {})", of[0], of[1]);
            let value = Labelled::new(left, matrix[(a, b)].clone());
            let value = value.key("fibre", vec![fibre.clone()]).key("of", of);
            all.push(value.component());
        }
    }
    Value::Formulas(all)
}

/// The velocities of the fibre, −A^a_α r'^α.
fn connection(r: &Reduction) -> Value {
    let all = r.fibre_velocities.iter().enumerate().map(|(i, s)| {
        let base = r.base.fibre().iter().enumerate();
        let terms = base.map(|(a, v)| -&r.connection[(i, a)] * Expr::from(v));
        Labelled::new(s.to_string(), Expr::sum(terms)).key("velocity", vec![s.to_string()])
    });
    Value::Formulas(all.collect())
}

/// τ(e_α).
fn trace(r: &Reduction) -> Value {
    let all = r.trace().into_iter().enumerate().map(|(a, e)| {
        let of = direction(r, a);
        Labelled::new(format!("tau({of})"), e)
            .key("of", vec![of])
            .component()
    });
    Value::Formulas(all.collect())
}

fn reduced(topic: Topic, r: &Reduction) -> Topic {
    let unnamed =
        |all: &[Expr]| Value::Formulas(all.iter().map(|e| Labelled::new("", e.clone())).collect());
    let slice = r
        .slice
        .iter()
        .map(|(s, e)| Labelled::new(s.to_string(), e.clone()).key("name", vec![s.to_string()]))
        .collect();
    let (fibre, along) = match r.slice.is_empty() {
        true => ("fibre", "connection"),
        false => (
            "orbits of",
            "connection, by velocities along the symmetries",
        ),
    };
    topic
        .with("base", "base", Value::Words(names(r.base.base())))
        .with(
            "slice",
            "on the slice across the orbits",
            Value::Formulas(slice),
        )
        .with("fibre", fibre, Value::Words(r.fibre.clone()))
        .with("connection", along, connection(r))
        .with(
            "reduced_lagrangian",
            "reduced Lagrangian",
            Value::Formula(r.lagrangian.clone()),
        )
        .data("momenta", Value::Words(names(&r.momenta)))
        .with(
            "reduced_hamiltonian",
            "reduced Hamiltonian",
            Value::Formula(r.hamiltonian.clone()),
        )
        .with("gyroscopic", "gyroscopic form", gyroscopic(r))
        .with("trace", "trace of the gyroscopic tensor", trace(r))
        .with("curvature", "curvature", curvature(r))
        .with(
            "conditions",
            "valid where none of these vanishes",
            unnamed(&r.conditions),
        )
}
