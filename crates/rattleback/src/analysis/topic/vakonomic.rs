//! Nonholonomic against vakonomic motion.

use super::is_plain;
use crate::analysis::page::{Item, Labelled, Topic, Value};
use rattleback::mechanics::System;
use rattleback::symbolic::{Expr, Symbol, simplify};
use rattleback::theory::vakonomic::{Class, Equivalence, EquivalenceError, Stratum};
use rattleback::theory::{Answer, Effort, Fact, Theorem};

pub fn judge(system: &System, effort: Effort) -> Topic {
    match Equivalence::of(system, effort) {
        Ok(report) => page(system, &report),
        Err(EquivalenceError::Unconstrained) => {
            Topic::new("vakonomic", STATEMENT, Answer::proven(Theorem::FreeMotion))
                .data("class", Value::Word(Class::Conditional.name().into()))
                .data("multipliers", Value::Formulas(Vec::new()))
        }
        Err(e) => Topic::new("vakonomic", STATEMENT, Answer::failed(e))
            .data("class", Value::Word(Class::Undecided.name().into())),
    }
}

/// Fixed before anything is looked for: what is found is the class.
const STATEMENT: &str = "it is known which nonholonomic motions are vakonomic";

/// The class in a sentence.
fn meaning(class: Class) -> &'static str {
    match class {
        Class::Conditional => {
            "every nonholonomic motion is vakonomic for suitable initial multipliers"
        }
        Class::Partial => "some nonholonomic motions are vakonomic, others are not",
        Class::None => "no nonholonomic motion but rest is vakonomic",
        Class::Undecided => "not decided",
    }
}

/// Formulas in the velocities of the model.
struct Reader(Vec<(Symbol, Expr)>);

impl Reader {
    fn read(&self, e: &Expr) -> Expr {
        simplify(&e.substitute(&self.0))
    }

    fn named(&self, names: &[Symbol], values: &[Expr]) -> Value {
        let formulas = names.iter().zip(values).map(|(s, e)| {
            Labelled::new(s.to_string(), self.read(e)).key("name", vec![s.to_string()])
        });
        Value::Formulas(formulas.collect())
    }
}

fn page(system: &System, r: &Equivalence) -> Topic {
    let c = &r.comparison;
    let reader = Reader(c.ambient(system.frame().fibre()));
    let lambda: Vec<Symbol> = (1..=c.reactions.len())
        .map(|s| Symbol::variable(&format!("lambda{s}")))
        .collect();
    let mut topic = Topic::new("vakonomic", STATEMENT, r.claim.clone())
        .line(meaning(r.class))
        .with("class", "class", Value::Word(r.class.name().into()))
        .with(
            "every",
            "every nonholonomic motion is vakonomic",
            Value::Answer(r.every.clone()),
        )
        .maybe("kind", "kind", r.kind.map(|k| Value::Word(k.name().into())));
    if is_plain(system) {
        topic = topic
            .settles(Fact::Holonomic, &r.integrable)
            .settles(Fact::EveryMotionVakonomic, &r.every);
    }
    let frame = reader
        .0
        .iter()
        .map(|(s, e)| Labelled::new(s.to_string(), e.clone()).key("name", vec![s.to_string()]));
    let label = "velocities of the frame, by which points of the evidence go";
    topic = topic.with("frame", label, Value::Formulas(frame.collect()));
    if r.admissible.is_none() {
        topic = topic.data("multipliers", Value::Formulas(Vec::new()));
    }
    if let Some(found) = &r.admissible {
        let value = reader.named(&c.multipliers, &found.point);
        topic = topic.with("multipliers", "initial multipliers", value);
        let directions = found.directions.iter().map(|d| {
            vec![Item::new(
                "direction",
                "plus any multiple of",
                reader.named(&c.multipliers, d),
            )]
        });
        topic = topic.with(
            "directions",
            "free directions",
            Value::List(directions.collect()),
        );
    }
    if !r.strata.is_empty() {
        let families = r.strata.iter().map(|s| family(s, &c.multipliers, &reader));
        topic = topic
            .with(
                "families",
                "families that agree",
                Value::List(families.collect()),
            )
            .with(
                "complete",
                "these are all",
                Value::Answer(r.complete.clone()),
            );
    }
    if r.class == Class::Undecided && r.every.is_refuted() {
        let label = "some nonholonomic motions are vakonomic";
        topic = topic.with("some", label, Value::Answer(r.complete.clone()));
    }
    topic = topic
        .with(
            "reactions",
            "reactions",
            reader.named(&lambda, &c.reactions),
        )
        .with(
            "integrable",
            "the constraints are holonomic",
            Value::Answer(r.integrable.clone()),
        )
        .with(
            "reaction_free",
            "the reactions vanish",
            Value::Answer(r.reaction_free.clone()),
        )
        .with(
            "gyro_free",
            "the momentum along the fibre is a multiplier",
            Value::Answer(r.gyro_free.clone()),
        );
    let charges = r.charges.iter().map(|q| {
        Labelled::new(q.name.clone(), simplify(&q.value)).key("name", vec![q.name.clone()])
    });
    topic = topic.with(
        "charges",
        "constant along vakonomic motion",
        Value::Formulas(charges.collect()),
    );
    if let Some(free) = &r.multiplier_free {
        topic = topic.with(
            "multiplier_free_lagrangian",
            "Lagrangian without multipliers",
            Value::Equation("L".into(), free.lagrangian.clone()),
        );
        if let Some(h) = &free.hamiltonian {
            topic = topic.with(
                "multiplier_free_hamiltonian",
                "its Hamiltonian",
                Value::Equation("H".into(), h.clone()),
            );
        }
    }
    topic.cases(&r.cases)
}

/// What holds on a family, and its multipliers.
fn family(s: &Stratum, names: &[Symbol], reader: &Reader) -> Vec<Item> {
    let equations = s.equations.iter().map(|(w, e)| {
        let left = reader.read(&Expr::from(w)).to_string();
        Labelled::new(left.clone(), reader.read(e)).key("lhs", vec![left])
    });
    let mut items = vec![
        Item::new("equations", "where", Value::Formulas(equations.collect())),
        Item::new("multipliers", "with", reader.named(names, &s.multipliers)),
    ];
    if !s.free.is_empty() {
        let free = s.free.iter().map(ToString::to_string).collect();
        items.push(Item::new("free", "free", Value::Words(free)));
    }
    if !s.conditions.is_empty() {
        let nonzero = s
            .conditions
            .iter()
            .map(|e| Labelled::new("", reader.read(e)));
        items.push(Item::new(
            "nonzero",
            "not zero",
            Value::Formulas(nonzero.collect()),
        ));
    }
    items
}
