//! Symmetries, their momenta, and first integrals.

use super::is_plain;
use crate::analysis::page::Topic;
use crate::document::{Item, Labelled, Value, flag};
use crate::mechanics::System;
use crate::symbolic::Expr;
use crate::theory::{
    Effort, Fact, FirstIntegralReport, MomentumReport, Origin, Symmetry, SymmetryReport,
};

/// Longer fields are not written out: the integral says it all.
const SHORT: usize = 200;

/// The components of a field that are not zero, by velocity.
fn components(system: &System, field: &[Expr]) -> Value {
    let nonzero = system
        .frame()
        .fibre()
        .iter()
        .zip(field)
        .filter(|(_, e)| !e.is_zero())
        .map(|(v, e)| {
            let name = v.to_string().trim_end_matches('\'').to_owned();
            Labelled::new(name.clone(), e.clone()).key("of", vec![name])
        });
    Value::Formulas(nonzero.collect())
}

pub fn symmetries(system: &System, effort: Effort) -> Topic {
    let r = SymmetryReport::of(system, effort);
    let statement = if system.symmetries().is_empty() {
        "it has continuous symmetries"
    } else {
        "the declared symmetries leave the Lagrangian and the constraints alone"
    };
    let fields = r.all.iter().map(|s| field(system, s)).collect();
    let mut topic = Topic::new("symmetries", statement, r.claim.clone()).with(
        "fields",
        "fields",
        Value::List(fields),
    );
    if let Some(constants) = &r.constants {
        let name = |i: usize| {
            let holding: Vec<&Symmetry> = r.all.iter().filter(|s| s.holds()).collect();
            holding[i].name.clone()
        };
        let brackets = constants.iter().map(|(i, j, k, c)| {
            let of = vec![name(*i), name(*j), name(*k)];
            Labelled::new(format!("[{}, {}] along {}", of[0], of[1], of[2]), c.clone())
                .key("of", of)
        });
        topic = topic.with(
            "structure_constants",
            "brackets of the fields",
            Value::Formulas(brackets.collect()),
        );
    }
    if let Some(claim) = r.equivariant.as_ref().filter(|_| !r.all.is_empty()) {
        topic = topic.with(
            "equivariant",
            "the momentum map is equivariant",
            Value::Answer(claim.clone()),
        );
    }
    topic.cases(&r.cases)
}

fn field(system: &System, s: &Symmetry) -> Vec<Item> {
    let kind = match (s.declared, s.holds(), s.horizontal.is_proven()) {
        (_, false, _) => ", which is no symmetry",
        (true, _, true) => ", declared, in D",
        (true, _, false) => ", declared",
        (false, _, true) => ", found, in D",
        (false, _, false) => ", found",
    };
    let mut items = vec![
        Item::line(format!(
            "{} = {}{kind}",
            s.name,
            system.written(&s.components)
        )),
        Item::data("name", Value::Word(s.name.clone())),
        Item::data("components", components(system, &s.components)),
        Item::data("declared", Value::Flag(Some(s.declared))),
        Item::data("horizontal", flag(&s.horizontal)),
        Item::data("preserves_lagrangian", Value::Answer(s.lagrangian.clone())),
        Item::data(
            "preserves_distribution",
            Value::Answer(s.distribution.clone()),
        ),
    ];
    for (claim, what) in [
        (&s.lagrangian, "it leaves the Lagrangian alone"),
        (&s.distribution, "it leaves the distribution alone"),
    ] {
        if !claim.is_proven() {
            items.push(Item::new("failure", what, Value::Answer(claim.clone())));
        }
    }
    items
}

pub fn momenta(system: &System, effort: Effort) -> Topic {
    let r = MomentumReport::of(system, effort);
    let all = r
        .all
        .iter()
        .map(|m| {
            let arms = m.reaction_arms.iter().enumerate().map(|(s, e)| {
                let name = system.names().multiplier(s).name().to_owned();
                Labelled::new(name.clone(), e.clone()).key("multiplier", vec![name])
            });
            let mut items = vec![
                Item::line(format!(
                    "{} = {}{}",
                    m.name,
                    system.written(&m.components),
                    if m.horizontal { ", in D" } else { "" }
                )),
                Item::data("name", Value::Word(m.name.clone())),
                Item::data("components", components(system, &m.components)),
                Item::new(
                    "momentum",
                    "momentum",
                    Value::Equation(format!("J_{}", m.name), m.value.clone()),
                ),
                Item::new("conserved", "conserved", flag(&m.conserved)),
                Item::data("conservation", Value::Answer(m.conserved.clone())),
                Item::data("horizontal", Value::Flag(Some(m.horizontal))),
            ];
            let rate = |e: Expr| Value::Equation(format!("J_{}\'", m.name), e);
            items.push(Item::data("rate", rate(m.rate.clone())));
            if !m.conserved.is_proven() {
                // d/dt ⟨p, ξ⟩ with the reactions, each times its arm ⟨A^s, ξ⟩.
                let reactions = m.reaction_arms.iter().enumerate();
                let reactions = reactions
                    .filter(|_| !m.horizontal)
                    .map(|(s, arm)| Expr::from(system.names().multiplier(s)) * arm);
                let whole = &m.rate + Expr::sum(reactions);
                items.push(Item::new("equation", "momentum equation", rate(whole)));
                if !m.horizontal {
                    items.push(Item::data("reaction", Value::Formulas(arms.collect())));
                }
            }
            items
        })
        .collect();
    let velocities = r.frame_velocities.iter().map(ToString::to_string).collect();
    Topic::new(
        "momenta",
        "the momentum of a symmetry, declared or with coefficients of degree at most 2, is conserved",
        r.claim.clone(),
    )
    .data("frame_velocities", Value::Words(velocities))
    .with("momenta", "momenta", Value::List(all))
}

pub fn first_integrals(system: &System, effort: Effort) -> Topic {
    let r = FirstIntegralReport::of(system, effort);
    let all = r
        .all
        .iter()
        .enumerate()
        .map(|(k, i)| {
            let mut items = vec![
                Item::new(
                    "integral",
                    i.origin.word(),
                    Value::Equation(format!("F{}", k + 1), i.value.clone()),
                ),
                Item::data("origin", Value::Word(i.origin.word().into())),
                Item::data("canonical", Value::Formula(i.canonical.clone())),
                Item::data("claim", Value::Answer(i.proof.clone())),
            ];
            let short = |z: &Vec<Expr>| z.iter().map(Expr::node_count).sum::<usize>() < SHORT;
            if let (Some(z), true) = (
                i.field.as_ref().filter(|z| short(z)),
                i.origin == Origin::Gauge,
            ) {
                items.push(Item::new(
                    "field",
                    "momentum of the field",
                    Value::Word(system.written(z)),
                ));
            }
            items
        })
        .collect();
    let n = r.involution.rows();
    let involution = (0..n)
        .flat_map(|i| (i + 1..n).map(move |j| (i, j)))
        .filter(|&(i, j)| !r.involution[(i, j)].is_zero())
        .map(|(i, j)| {
            let of = vec![format!("F{}", i + 1), format!("F{}", j + 1)];
            Labelled::new(
                format!("{{{}, {}}}", of[0], of[1]),
                r.involution[(i, j)].clone(),
            )
            .key("of", of)
        });
    let mut topic = Topic::new(
        "first_integrals",
        "there are first integrals besides the energy",
        r.claim.clone(),
    )
    .with("integrals", "integrals", Value::List(all));
    let has = |origin: Origin| r.all.iter().any(|i| i.origin == origin);
    if is_plain(system) && has(Origin::Constraints) {
        topic.settled.push((Fact::PositionIntegral, true));
    }
    if n > 1 {
        topic = topic
            .with(
                "involution",
                "brackets that do not vanish",
                Value::Formulas(involution.collect()),
            )
            .with(
                "levels",
                "the system restricts to levels of the integrals",
                Value::Answer(r.levels.clone()),
            );
    }
    topic
        .data("independent", Value::Count(r.independent))
        .data("enough", Value::Count(r.enough))
}
