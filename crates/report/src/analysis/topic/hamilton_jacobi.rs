//! The Hamilton-Jacobi equation.

use crate::analysis::page::Topic;
use crate::document::{Item, Labelled, Value};
use crate::mechanics::{Quantity, System};
use crate::symbolic::{Expr, Symbol};
use crate::theory::hamilton_jacobi::{
    ActionAngle, Change, ChaplyginRoute, HamiltonJacobi, Motion, Named, Solution, Verification,
};
use crate::theory::{Answer, Effort};

const STATEMENT: &str = "a complete solution of the Hamilton-Jacobi equation is known";

pub fn judge(system: &System, effort: Effort) -> Topic {
    let forms: Vec<(String, Vec<Expr>)> = system
        .one_forms()
        .iter()
        .map(|f| (f.name.clone(), f.components.clone()))
        .collect();
    match HamiltonJacobi::of(system, &forms, effort) {
        Ok(report) => page(system, &report),
        Err(e) => Topic::new("hamilton_jacobi", STATEMENT, Answer::failed(e)),
    }
}

fn page(system: &System, r: &HamiltonJacobi) -> Topic {
    let e = &r.equations;
    let pairs = e.closed.iter().map(|((a, b), f)| {
        Labelled::new("", f.clone()).key("of", vec![(a + 1).to_string(), (b + 1).to_string()])
    });
    let given = r.given.iter().map(|n| given(system, n)).collect();
    let mut topic = Topic::new("hamilton_jacobi", STATEMENT, r.claim.clone())
        .with(
            "frame",
            "with gamma1, gamma2, … on the fields",
            frame(system, r),
        )
        .with(
            "energy",
            "the energy equation, = 0",
            Value::Formula(e.energy.clone()),
        )
        .with(
            "equations",
            "the differential of the one-form on the constraints, each = 0",
            Value::Formulas(pairs.collect()),
        )
        .with("given", "the given one-forms", Value::List(given))
        .with(
            "solutions",
            "solutions",
            Value::List(solutions(&r.solutions)),
        );
    if let Some(separable) = &r.separable {
        topic = topic.with(
            "separable",
            "the Hamiltonian separates in the model's coordinates",
            Value::Answer(separable.clone()),
        );
    }
    if let Some(c) = &r.chaplygin {
        topic = topic.with("chaplygin", "on the base", Value::List(vec![chaplygin(c)]));
    }
    if let Some(a) = &r.action_angle {
        topic = topic.with("actions", "actions", Value::List(actions(a)));
    }
    topic
}

/// The fields Z_a by their rates of the ambient velocities.
fn frame(system: &System, r: &HamiltonJacobi) -> Value {
    let names: Vec<&str> = system.frame().fibre().iter().map(Symbol::name).collect();
    let fields = r.setting.fields.iter().map(|z| {
        let parts = z.iter().zip(&names).filter(|(e, _)| !e.is_zero());
        let parts = parts.map(|(e, n)| format!("{n}: {e}"));
        format!("({})", parts.collect::<Vec<_>>().join(", "))
    });
    Value::Word(fields.collect::<Vec<_>>().join("; "))
}

fn quantities(all: &[Quantity]) -> Value {
    let formulas = all
        .iter()
        .map(|q| Labelled::new(q.name.clone(), q.value.clone()).key("name", vec![q.name.clone()]));
    Value::Formulas(formulas.collect())
}

fn given(system: &System, n: &Named) -> Vec<Item> {
    let v = &n.verification;
    let mut items = vec![
        Item::new("name", "one-form", Value::Word(n.name.clone())),
        Item::new(
            "strong",
            "solves, strong test",
            Value::Answer(v.strong.clone()),
        ),
        Item::new("weak", "solves, weak test", Value::Answer(v.weak.clone())),
        Item::new(
            "energy",
            "energy",
            Value::Equation("E".into(), v.energy.clone()),
        ),
    ];
    items.extend(certificate(system, v));
    items.push(Item::new("velocity", "its motion", quantities(&v.velocity)));
    items.push(Item::new(
        "multipliers",
        "reactions",
        quantities(&v.multipliers),
    ));
    items
}

/// β^s with dγ = β^s ∧ ω^s.
fn certificate(system: &System, v: &Verification) -> Option<Item> {
    let names: Vec<&str> = system.frame().fibre().iter().map(Symbol::name).collect();
    let formulas = v
        .certificate
        .as_ref()?
        .iter()
        .enumerate()
        .flat_map(|(s, beta)| {
            let entries = beta.iter().zip(&names).filter(|(e, _)| !e.is_zero());
            entries
                .map(|(e, n)| {
                    let left = format!("beta{}({n})", s + 1);
                    Labelled::new(left, e.clone())
                        .key("form", vec![format!("beta{}", s + 1)])
                        .key("component", vec![(*n).to_string()])
                })
                .collect::<Vec<_>>()
        });
    let label = "certificate, d gamma = beta ^ constraint forms";
    Some(Item::new(
        "certificate",
        label,
        Value::Formulas(formulas.collect()),
    ))
}

/// The solutions; of one that another method found already a reader is told so.
fn solutions(all: &[Solution]) -> Vec<Vec<Item>> {
    let names = |s: &Solution| s.coordinates.as_ref().map(|c| c.name.clone());
    let same = |a: &Solution, b: &Solution| a.form == b.form && names(a) == names(b);
    let each = all.iter().enumerate().map(|(k, s)| {
        let mut items = solution(s);
        if let Some(first) = all[..k].iter().find(|other| same(other, s)) {
            items.retain(|item| !item.key.is_empty());
            items.iter_mut().skip(1).for_each(|item| item.quiet = true);
            let words = format!("the same one-form as by {}", first.method.name());
            items.push(Item::line(words));
        }
        items
    });
    each.collect()
}

fn solution(s: &Solution) -> Vec<Item> {
    let v = &s.verification;
    let constants = s.constants.iter().map(ToString::to_string).collect();
    let mut items = vec![Item::new(
        "method",
        "by",
        Value::Word(s.method.name().into()),
    )];
    items.extend(s.coordinates.iter().flat_map(change));
    items.extend([
        Item::new("form", "one-form", quantities(&s.form)),
        Item::new("constants", "constants", Value::Words(constants)),
        Item::data("strong", Value::Answer(v.strong.clone())),
        Item::data("weak", Value::Answer(v.weak.clone())),
        Item::new("complete", "complete", Value::Answer(s.complete.clone())),
        energy(&v.energy),
        Item::new("integrals", "first integrals", quantities(&s.integrals)),
        Item::new("multipliers", "reactions", quantities(&v.multipliers)),
    ]);
    if !s.turning.is_empty() {
        let radicands = s
            .turning
            .iter()
            .map(|t| Labelled::new("", t.radicand.clone()));
        items.push(Item::new(
            "turning",
            "the branch ends where this vanishes",
            Value::Formulas(radicands.collect()),
        ));
    }
    if let Some(m) = &s.motion {
        items.push(Item::new(
            "clock",
            "clock",
            Value::Word(m.clock.to_string()),
        ));
        items.push(Item::new("motion", "motion by quadrature", motion(m)));
    }
    items.extend(s.notes.iter().map(|n| Item::line(n.clone())));
    items
}

/// The energy of a family; a reader is told where it is more than the constant of that name.
fn energy(e: &Expr) -> Item {
    let value = Value::Equation("E".into(), e.clone());
    match e.as_symbol().is_some_and(|s| s.name() == "E") {
        true => Item::data("energy", value),
        false => Item::new("energy", "energy", value),
    }
}

/// The coordinates that a solution is written in, and the model's own in them.
fn change(c: &Change) -> [Item; 2] {
    let own = c
        .old
        .iter()
        .map(|(q, e)| Labelled::new(q.name(), e.clone()).key("name", vec![q.name().to_string()]));
    [
        Item::new("coordinates", "in coordinates", Value::Word(c.name.clone())),
        Item::new("change", "with", Value::Formulas(own.collect())),
    ]
}

/// dt/du and dq/du.
fn motion(m: &Motion) -> Value {
    let all = m.time.iter().chain(&m.others).map(|q| {
        let left = format!("d{}/d{}", q.coordinate, m.clock);
        Labelled::new(left, q.slope.clone()).key("coordinate", vec![q.coordinate.to_string()])
    });
    Value::Formulas(all.collect())
}

fn chaplygin(c: &ChaplyginRoute) -> Vec<Item> {
    vec![
        Item::new(
            "multiplier",
            "multiplier",
            Value::Equation("f".into(), c.multiplier.clone()),
        ),
        Item::new(
            "hamiltonian",
            "Chaplygin Hamiltonian",
            Value::Equation("H".into(), c.hamiltonian.clone()),
        ),
        Item::new(
            "separable",
            "it separates",
            Value::Answer(c.separable.clone()),
        ),
    ]
}

fn actions(a: &ActionAngle) -> Vec<Vec<Item>> {
    let frequency = |i: usize| a.frequencies.as_ref().and_then(|f| f.get(i).cloned());
    let all = a.actions.iter().enumerate().map(|(i, action)| {
        let mut items = vec![
            Item::new(
                "coordinate",
                "coordinate",
                Value::Word(action.coordinate.to_string()),
            ),
            Item::new(
                "momentum",
                "momentum",
                Value::Equation("p".into(), action.momentum.clone()),
            ),
        ];
        if let Some(value) = &action.value {
            items.push(Item::new(
                "action",
                "action",
                Value::Equation("I".into(), value.clone()),
            ));
        }
        if let Some(f) = frequency(i) {
            items.push(Item::new(
                "frequency",
                "frequency",
                Value::Equation("omega".into(), f),
            ));
        }
        items
    });
    all.collect()
}
