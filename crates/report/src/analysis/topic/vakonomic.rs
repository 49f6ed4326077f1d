//! Nonholonomic against vakonomic motion.

use super::is_plain;
use crate::analysis::page::Topic;
use crate::document::length::{Limit, written_length};
use crate::document::{Item, Labelled, Value};
use crate::mechanics::System;
use crate::symbolic::{Expr, Symbol, simplify};
use crate::theory::vakonomic::{Class, Equivalence, EquivalenceError, Stratum};
use crate::theory::{Answer, Effort, Fact, Theorem};

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

    /// The left side of an equation: a velocity of the frame goes by its own name where its formula is long.
    fn left(&self, w: &Symbol) -> String {
        let formula = self.read(&Expr::from(w));
        match Limit::LEFT_SIDE.allows(written_length(&formula)) {
            true => formula.to_string(),
            false => w.to_string(),
        }
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
    let mut ambient = c.ambient(system.frame().fibre());
    ambient.sort_by_key(|(s, _)| c.velocities.iter().position(|v| v == s));
    let reader = Reader(ambient);
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
    topic = families(multipliers(topic, r, &reader), r, &reader);
    let lambda = system.multiplier_symbols();
    let reactions = reader.named(&lambda, &c.reactions);
    topic = special_reasons(topic.with("reactions", "reactions", reactions), r);
    without_multipliers(topic, r).cases(&r.cases)
}

/// The initial multipliers, where every motion agrees.
fn multipliers(topic: Topic, r: &Equivalence, reader: &Reader) -> Topic {
    let names = &r.comparison.multipliers;
    let Some(found) = &r.admissible else {
        return topic.data("multipliers", Value::Formulas(Vec::new()));
    };
    let direction = |d: &Vec<Expr>| {
        let value = reader.named(names, d);
        vec![Item::new("direction", "plus any multiple of", value)]
    };
    let directions = found.directions.iter().map(direction).collect();
    topic
        .with(
            "multipliers",
            "initial multipliers",
            reader.named(names, &found.point),
        )
        .with("directions", "free directions", Value::List(directions))
}

/// The families that agree, where not all motions do.
fn families(mut topic: Topic, r: &Equivalence, reader: &Reader) -> Topic {
    if !r.strata.is_empty() {
        let names = &r.comparison.multipliers;
        let all = r.strata.iter().map(|s| family(s, names, reader)).collect();
        topic = topic
            .with("families", "families that agree", Value::List(all))
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
    topic
}

/// The reasons for which every motion would agree.
fn special_reasons(topic: Topic, r: &Equivalence) -> Topic {
    // Another fibre has another momentum.
    let across = r.comparison.across.iter().map(ToString::to_string);
    let across: Vec<String> = across.collect();
    let fibre = match across.is_empty() {
        true => "the fibre".to_owned(),
        false => format!("the fibre of {}", across.join(", ")),
    };
    topic
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
            format!("the momentum along {fibre} is a multiplier"),
            Value::Answer(r.gyro_free.clone()),
        )
        .data("across", Value::Words(across))
}

/// What needs no multiplier: constants of the motion, Lagrangian and Hamiltonian.
fn without_multipliers(topic: Topic, r: &Equivalence) -> Topic {
    let charges = r.charges.iter().map(|q| {
        Labelled::new(q.name.clone(), simplify(&q.value)).key("name", vec![q.name.clone()])
    });
    let topic = topic.with(
        "charges",
        "constant along vakonomic motion",
        Value::Formulas(charges.collect()),
    );
    let equation = |left: &str, e: &Expr| Value::Equation(left.into(), e.clone());
    let free = r.multiplier_free.as_ref();
    topic
        .maybe(
            "multiplier_free_lagrangian",
            "Lagrangian without multipliers",
            free.map(|free| equation("L", &free.lagrangian)),
        )
        .maybe(
            "multiplier_free_hamiltonian",
            "its Hamiltonian",
            free.and_then(|free| free.hamiltonian.as_ref())
                .map(|h| equation("H", h)),
        )
}

/// What holds on a family, and its multipliers.
fn family(s: &Stratum, names: &[Symbol], reader: &Reader) -> Vec<Item> {
    let equations = s.equations.iter().map(|(w, e)| {
        let left = reader.left(w);
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
