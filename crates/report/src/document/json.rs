//! A document as JSON: stable keys, formulas as text and LaTeX.

use super::evidence;
use super::integral::{in_latex, in_text};
use super::length::{Limit, written_length};
use super::{Data, Document, Item, Labelled, Special, Value};
use crate::symbolic::{Expr, Order, Style, latex, mathml, text};
use crate::theory::Quadrature;
use serde_json::{Map, Value as Json, json};

/// The data of a document; with MathML beside text and LaTeX if asked for.
pub fn write(document: &Document, mathml: bool) -> Json {
    let formulas = Formulas {
        mathml,
        ..Formulas::new(document.order.clone()).within(document.limit)
    };
    formulas.data(&document.data)
}

/// Writes formulas as `{"text", "latex"}` objects.
pub struct Formulas {
    style: Style,
    mathml: bool,
    limit: Limit,
}

impl Formulas {
    /// Formulas with symbols in a given order.
    pub fn new(order: Order) -> Self {
        Self {
            style: Style::ascii().with_order(order),
            mathml: false,
            limit: Limit::EXCHANGED,
        }
    }

    /// How formulas are written.
    pub fn style(&self) -> &Style {
        &self.style
    }

    /// The same with another limit.
    pub fn within(self, limit: Limit) -> Self {
        Self { limit, ..self }
    }

    /// The same for a list of formulas, in which only readable ones are written if all of them together
    /// are more than one formula may be.
    pub fn for_list(&self, all: &[&Expr]) -> Self {
        let total = all
            .iter()
            .fold(0u64, |sum, e| sum.saturating_add(written_length(e)));
        Self {
            style: self.style.clone(),
            mathml: self.mathml,
            limit: match self.limit.allows(total) {
                true => self.limit,
                false => Limit::READABLE,
            },
        }
    }

    /// The model language; `null` for a formula that would fill the memory.
    pub fn text(&self, e: &Expr) -> Json {
        if self.limit.allows(written_length(e)) {
            text(e, &self.style).into()
        } else {
            Json::Null
        }
    }

    /// A formula object.
    pub fn object(&self, e: &Expr) -> Map<String, Json> {
        let mut object = Map::new();
        let length = written_length(e);
        if !self.limit.allows(length) {
            object.insert("text".into(), Json::Null);
            object.insert("latex".into(), Json::Null);
            object.insert("operations".into(), length.into());
            return object;
        }
        object.insert("text".into(), text(e, &self.style).into());
        object.insert("latex".into(), latex(e, &self.style).into());
        if self.mathml {
            object.insert("mathml".into(), mathml(e, &self.style).into());
        }
        object
    }

    /// A formula object with a name in front.
    pub fn named(&self, key: &str, name: &str, e: &Expr) -> Json {
        let mut object = Map::new();
        object.insert(key.into(), name.into());
        object.append(&mut self.object(e));
        object.into()
    }

    fn data(&self, data: &Data) -> Json {
        match data {
            Data::Plain(value) => value.clone(),
            Data::Formula(e) => self.object(e).into(),
            Data::Text(e) => self.text(e),
            Data::List(all) => all.iter().map(|d| self.data(d)).collect(),
            Data::Object(pairs) => {
                let pairs = pairs.iter().map(|(key, d)| (key.clone(), self.data(d)));
                Json::Object(pairs.collect())
            }
            Data::Merged(all) => {
                let objects = all.iter().filter_map(|d| match self.data(d) {
                    Json::Object(object) => Some(object),
                    _ => None,
                });
                Json::Object(objects.flatten().collect())
            }
            Data::Finding(finding) => evidence::finding(finding, self).into(),
            Data::Items(items) => {
                let mut object = Map::new();
                put(&mut object, items, self);
                object.into()
            }
        }
    }
}

fn put(object: &mut Map<String, Json>, items: &[Item], formulas: &Formulas) {
    // What has no key is for readers.
    for item in items.iter().filter(|i| !i.key.is_empty()) {
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
