//! Hamiltonization.

use crate::analysis::page::Topic;
use crate::document::{Item, Labelled, Value};
use crate::mechanics::System;
use crate::theory::{Effort, Fact, Found, Hamiltonization, HamiltonizationReport};

pub fn judge(system: &System, effort: Effort) -> Topic {
    let r = HamiltonizationReport::of(system, effort);
    let mut topic = Topic::new(
        "hamiltonization",
        "a change of time makes the reduced motion Hamiltonian",
        r.claim.clone(),
    )
    .settles(Fact::Hamiltonian, &r.claim);
    if let Some(h) = &r.direct {
        topic.items.extend(objects(h));
    }
    topic
        .with(
            "found",
            "Hamiltonizations found besides",
            Value::List(r.found.iter().map(found).collect()),
        )
        .cases(&r.cases)
}

fn objects(h: &Hamiltonization) -> Vec<Item> {
    let names = |all: &[crate::symbolic::Symbol]| -> Vec<String> {
        all.iter().map(ToString::to_string).collect()
    };
    let multiplier = match &h.quadrature {
        None => Item::new(
            "multiplier",
            "multiplier",
            Value::Equation("f".into(), h.multiplier.clone()),
        ),
        Some(n) => Item::new(
            "multiplier_integral",
            "multiplier",
            Value::Integral(h.multiplier.to_string(), Box::new(n.clone())),
        ),
    };
    let mut items = vec![
        multiplier,
        Item::new(
            "hamiltonian",
            match h.multiplier.is_one() {
                true => "Hamiltonian",
                false => "Hamiltonian, in the momenta p = f P, written as P",
            },
            Value::Equation("H".into(), h.hamiltonian.clone()),
        ),
        Item::new("time", "time", Value::Word("dtau = f dt".into())),
        Item::data("coordinates", Value::Words(names(&h.coordinates))),
        Item::data("momenta", Value::Words(names(&h.momenta))),
        Item::new(
            "symplectic_form",
            "symplectic form",
            Value::Word(
                if h.strong {
                    "f (dr ^ dP - Xi) is closed, and canonical in (r, f P)"
                } else {
                    "canonical in (r, f P); f (dr ^ dP - Xi) is not closed, though its force is the same"
                }
                .into(),
            ),
        ),
        Item::data("strong", Value::Flag(Some(h.strong))),
        Item::data("global", Value::Flag(h.periods.vanish())),
    ];
    let magnetic: Vec<Labelled> = (0..h.magnetic.rows())
        .flat_map(|a| (a + 1..h.magnetic.rows()).map(move |b| (a, b)))
        .filter(|&(a, b)| !h.magnetic[(a, b)].is_zero())
        .map(|(a, b)| {
            let of = vec![h.momenta[a].to_string(), h.momenta[b].to_string()];
            Labelled::new(
                format!("{{{}, {}}}", of[0], of[1]),
                &h.multiplier * &h.magnetic[(a, b)],
            )
            .key("of", of)
        })
        .collect();
    if !magnetic.is_empty() {
        items.push(Item::new(
            "magnetic",
            "magnetic term in the brackets of the momenta",
            Value::Formulas(magnetic),
        ));
    }
    items
}

fn found(f: &Found) -> Vec<Item> {
    let mut items = vec![
        Item::new("how", "found", Value::Word(f.how.clone())),
        Item::data("by", Value::Word(f.by.clone())),
        Item::data("fibre", Value::Words(f.fibre.clone())),
    ];
    if !f.odometers.is_empty() {
        let rates = f.odometers.iter().map(|(s, rate)| {
            let left = s.derivative().to_string();
            Labelled::new(left.clone(), rate.clone()).key("lhs", vec![left])
        });
        items.push(Item::data("odometers", Value::Formulas(rates.collect())));
    }
    if !f.ignored.is_empty() {
        let names = f.ignored.iter().map(ToString::to_string).collect();
        items.push(Item::data("constants", Value::Words(names)));
        let shifts = f
            .shifted
            .iter()
            .map(|(p, e)| Labelled::new(p.to_string(), e.clone()).key("name", vec![p.to_string()]));
        items.push(Item::new(
            "shifted",
            "the reduced momenta here stand for",
            Value::Formulas(shifts.collect()),
        ));
    }
    items.extend(objects(&f.hamiltonization));
    items
}
