//! Chaplygin structure.

use super::is_plain;
use crate::analysis::page::{Item, Labelled, Topic, Value};
use rattleback::mechanics::{Chaplygin, MechanicsError, System};
use rattleback::symbolic::{Expr, Symbol};
use rattleback::theory::{ChaplyginReport, Effort, Fact, Reduction};

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
    if let (false, Err(MechanicsError::NotChaplygin { .. })) =
        (system.fibre().is_empty(), Chaplygin::of(system))
    {
        // The derivation judges the declared fibre by itself.
        topic.settled.push((Fact::Chaplygin, false));
    }
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

fn reduced(topic: Topic, r: &Reduction) -> Topic {
    let velocities = names(r.base.fibre());
    // A pair of base directions goes by the names of coordinates where these are directions.
    let direction = |a: usize| velocities[a].trim_end_matches('\'').to_owned();
    let n = r.rank();
    let pairs: Vec<(usize, usize)> = (0..n)
        .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
        .collect();
    let xi = r.gyroscopic();
    let gyroscopic = pairs
        .iter()
        .map(|&(a, b)| {
            let of = vec![direction(a), direction(b)];
            Labelled::new(
                format!("Xi({}, {})", of[0], of[1]),
                rattleback::symbolic::simplify(&xi[(a, b)]),
            )
            .key("of", of)
        })
        .collect();
    let curvature = r
        .curvature
        .iter()
        .zip(&r.fibre_velocities)
        .flat_map(|(matrix, fibre)| {
            let fibre = fibre.to_string().trim_end_matches('\'').to_owned();
            pairs
                .iter()
                .map(move |&(a, b)| (fibre.clone(), a, b, matrix[(a, b)].clone()))
        })
        .map(|(fibre, a, b, value)| {
            let of = vec![direction(a), direction(b)];
            Labelled::new(format!("B^{fibre}({}, {})", of[0], of[1]), value)
                .key("fibre", vec![fibre])
                .key("of", of)
        })
        .collect();
    let connection = r
        .fibre_velocities
        .iter()
        .enumerate()
        .map(|(i, s)| {
            let terms = (0..n).map(|a| -&r.connection[(i, a)] * Expr::from(&r.base.fibre()[a]));
            Labelled::new(s.to_string(), Expr::sum(terms)).key("velocity", vec![s.to_string()])
        })
        .collect();
    let unnamed =
        |all: &[Expr]| Value::Formulas(all.iter().map(|e| Labelled::new("", e.clone())).collect());
    let by_direction = |name: &str, all: &[Expr]| {
        let formulas = all.iter().enumerate().map(|(a, e)| {
            Labelled::new(format!("{name}({})", direction(a)), e.clone())
                .key("of", vec![direction(a)])
        });
        Value::Formulas(formulas.collect())
    };
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
        .with("connection", along, Value::Formulas(connection))
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
        .with("gyroscopic", "gyroscopic form", Value::Formulas(gyroscopic))
        .with(
            "trace",
            "trace of the gyroscopic tensor",
            by_direction("tau", &r.trace()),
        )
        .with("curvature", "curvature", Value::Formulas(curvature))
        .with(
            "conditions",
            "valid where none of these vanishes",
            unnamed(&r.conditions),
        )
}
