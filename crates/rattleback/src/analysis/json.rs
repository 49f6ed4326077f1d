//! An analysis as JSON: an object per topic, stable keys, formulas as text and LaTeX.

use super::Analysis;
use super::page::{Item, Special, Topic, Value};
use crate::sheet::json::{Formulas, parameters};
use crate::sheet::length::Limit;
use rattleback::theory::Claim;
use serde_json::{Map, Value as Json, json};

/// The whole analysis.
pub fn write(analysis: &Analysis) -> Json {
    let formulas = Formulas::new(analysis.order()).within(Limit::EVIDENCE);
    let mut out = Map::new();
    out.insert("system".into(), analysis.model.name.clone().into());
    out.insert("title".into(), analysis.model.title.clone().into());
    out.insert("params".into(), parameters(analysis.model));
    for t in &analysis.topics {
        out.insert(t.name.into(), topic(t, &formulas).into());
    }
    out.into()
}

fn topic(topic: &Topic, formulas: &Formulas) -> Map<String, Json> {
    let mut object = claim(&topic.claim);
    object.insert("statement".into(), topic.statement.clone().into());
    put(&mut object, &topic.items, formulas);
    object
}

fn put(object: &mut Map<String, Json>, items: &[Item], formulas: &Formulas) {
    for item in items.iter().filter(|i| !matches!(i.value, Value::Line)) {
        object.insert(item.key.into(), value(&item.value, formulas));
    }
}

fn claim(c: &Claim) -> Map<String, Json> {
    let (verdict, key) = match c {
        Claim::Proven { .. } => ("proven", "how"),
        Claim::Refuted { .. } => ("refuted", "witness"),
        Claim::Undecided { .. } => ("undecided", "why"),
    };
    let mut object = Map::new();
    object.insert("verdict".into(), verdict.into());
    object.insert(key.into(), c.evidence().into());
    object
}

fn value(v: &Value, formulas: &Formulas) -> Json {
    match v {
        Value::Line => Json::Null,
        Value::Claim(c) => claim(c).into(),
        Value::Flag(f) => (*f).into(),
        Value::Count(n) => (*n).into(),
        Value::Counts(n) => n.clone().into(),
        Value::Word(w) => w.clone().into(),
        Value::Words(w) => w.clone().into(),
        Value::Formula(e) | Value::Equation(_, e) => formulas.object(e).into(),
        Value::Formulas(all) => all
            .iter()
            .map(|l| {
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
            })
            .collect(),
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
