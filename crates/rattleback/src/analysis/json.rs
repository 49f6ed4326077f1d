//! An analysis as JSON: an object per topic, stable keys, formulas as text and LaTeX.

use super::evidence;
use super::integral::{in_latex, in_text};
use super::page::{Item, Labelled, Special, Topic, Value};
use super::{Analysis, AtValues};
use crate::sheet::json::{Formulas, parameters};
use crate::sheet::length::Limit;
use crate::symbolic::Expr;
use crate::theory::Quadrature;
use serde_json::{Map, Value as Json, json};

/// The whole analysis.
pub fn write(analysis: &Analysis) -> Json {
    let formulas = Formulas::new(analysis.order()).within(Limit::EVIDENCE);
    let mut out = Map::new();
    out.insert("system".into(), analysis.model.name.clone().into());
    out.insert("title".into(), analysis.model.title.clone().into());
    out.insert("params".into(), parameters(&analysis.model));
    if let Some(piece) = &analysis.piece {
        let facts: Vec<String> = piece.facts.iter().map(ToString::to_string).collect();
        let said = json!({"where": facts, "why": piece.words()});
        out.insert("piece".into(), said);
    }
    for t in &analysis.topics {
        out.insert(t.name.into(), topic(t, &formulas).into());
    }
    out.into()
}

fn topic(topic: &Topic, formulas: &Formulas) -> Map<String, Json> {
    let mut object = evidence::finding(&topic.finding, formulas);
    put(&mut object, &topic.items, formulas);
    if let Some(here) = &topic.at_values {
        object.insert("at_values".into(), at_values(here, formulas).into());
    }
    object
}

/// The answer for the values of the parameters; with all that is said there if something is different.
fn at_values(here: &AtValues, formulas: &Formulas) -> Map<String, Json> {
    let mut object = evidence::finding(&here.topic.finding, formulas);
    let differences: Vec<Json> = here
        .differences
        .iter()
        .map(|d| json!({"of": d.key, "general": d.general, "here": d.here}))
        .collect();
    object.insert("differences".into(), differences.into());
    if !here.is_same() {
        put(&mut object, &here.topic.items, formulas);
    }
    object
}

fn put(object: &mut Map<String, Json>, items: &[Item], formulas: &Formulas) {
    for item in items.iter().filter(|i| !matches!(i.value, Value::Line)) {
        object.insert(item.key.into(), value(&item.value, formulas));
    }
}

fn value(v: &Value, formulas: &Formulas) -> Json {
    match v {
        Value::Line => Json::Null,
        Value::Answer(a) => evidence::answer(a, formulas).into(),
        Value::Flag(f) => (*f).into(),
        Value::Data(data) => data.clone(),
        Value::Count(n) => (*n).into(),
        Value::Counts(n) => n.clone().into(),
        Value::Word(w) => w.clone().into(),
        Value::Words(w) => w.clone().into(),
        Value::Formula(e) | Value::Equation(_, e) => formulas.object(e).into(),
        Value::Integral(_, n) => integral(n, formulas),
        Value::Formulas(all) => {
            let list: Vec<&Expr> = all.iter().map(|l| &l.formula).collect();
            let formulas = formulas.for_list(&list);
            let one = |l: &Labelled| {
                let mut object = Map::new();
                for (key, names) in &l.keys {
                    let names: Json = match names.as_slice() {
                        [one] => one.clone().into(),
                        several => several.to_vec().into(),
                    };
                    object.insert((*key).into(), names);
                }
                object.append(&mut formulas.object(&l.formula));
                Json::from(object)
            };
            all.iter().map(one).collect()
        }
        Value::Cases(all) => all.iter().map(|c| case(c, formulas)).collect(),
        Value::List(all) => all
            .iter()
            .map(|items| {
                let mut object = Map::new();
                put(&mut object, items, formulas);
                Json::from(object)
            })
            .collect(),
    }
}

fn case(s: &Special, formulas: &Formulas) -> Json {
    let condition = formulas.object(&s.case.condition);
    json!({"if": condition, "equals": 0, "then": s.case.then, "here": s.here})
}

/// The whole as text and LaTeX, and its parts as formulas that parse again.
fn integral(n: &Quadrature, formulas: &Formulas) -> Json {
    let legs: Vec<Json> = n
        .legs
        .iter()
        .map(|l| {
            json!({
                "coordinate": l.coordinate.to_string(),
                "variable": l.dummy.to_string(),
                "from": formulas.object(&l.from),
                "integrand": formulas.object(&l.integrand),
            })
        })
        .collect();
    let base: Map<String, Json> = n
        .base
        .iter()
        .map(|(s, e)| (s.to_string(), formulas.text(e)))
        .collect();
    let poles: Vec<Json> = n.poles.iter().map(|e: &Expr| formulas.text(e)).collect();
    json!({
        "text": in_text(n, formulas.style()),
        "latex": in_latex(n, formulas.style()),
        "factor": formulas.object(&n.factor),
        "integrals": legs,
        "base_point": base,
        "singular": poles,
    })
}
