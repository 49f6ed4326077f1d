//! A sheet as JSON: stable ASCII names, formulas as text and LaTeX, numbers at the start.

use super::Sheet;
use super::length::{Limit, written_length};
use super::section::updated;
use crate::compile::AtStart;
use crate::language::{Model, Values};
use crate::mechanics::{Equations, Quantity, Stage};
use crate::symbolic::{Expr, Order, Style, Symbol, latex, mathml, text};
use serde_json::{Map, Value, json};

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
    pub fn text(&self, e: &Expr) -> Value {
        if self.limit.allows(written_length(e)) {
            text(e, &self.style).into()
        } else {
            Value::Null
        }
    }

    /// A formula object.
    pub fn object(&self, e: &Expr) -> Map<String, Value> {
        let mut object = Map::new();
        let length = written_length(e);
        if !self.limit.allows(length) {
            object.insert("text".into(), Value::Null);
            object.insert("latex".into(), Value::Null);
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
    pub fn named(&self, key: &str, name: &str, e: &Expr) -> Value {
        let mut object = Map::new();
        object.insert(key.into(), name.into());
        object.append(&mut self.object(e));
        object.into()
    }

    fn quantities(&self, quantities: &[Quantity]) -> Value {
        quantities
            .iter()
            .map(|q| self.named("name", &q.name, &q.value))
            .collect()
    }

    /// What a solve determines: `null` for an unknown of a solve that stays, since "x'' = x''" says nothing.
    fn solved(&self, key: &str, name: &str, e: &Expr, stages: &[Stage]) -> Value {
        let left_open = |s: &Symbol| stages.iter().any(|stage| stage.unknowns().contains(s));
        if e.as_symbol()
            .is_some_and(|s| s.to_string() == name && left_open(s))
        {
            json!({key: name, "text": null, "latex": null})
        } else {
            self.named(key, name, e)
        }
    }

    fn objects(&self, all: &[Expr]) -> Value {
        all.iter().map(|e| Value::from(self.object(e))).collect()
    }

    fn texts(&self, all: &[Expr]) -> Value {
        all.iter().map(|e| self.text(e)).collect()
    }
}

/// The whole sheet.
pub fn write(sheet: &Sheet, mathml: bool) -> Value {
    let eq = sheet.equations;
    let formulas = Formulas {
        mathml,
        limit: sheet.limit(Limit::EXCHANGED),
        ..Formulas::new(sheet.order())
    };
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| {
        out.insert(key.into(), value);
    };
    put("system", sheet.model.name.clone().into());
    put("title", sheet.model.title.clone().into());
    put("form", eq.form.name().into());
    put(
        "state",
        eq.state
            .iter()
            .map(|s| Value::from(s.to_string()))
            .collect(),
    );
    if !sheet.frame.is_empty() {
        put("frame", sheet.frame.clone().into());
    }
    put("params", parameters(sheet.model));
    put("equations", equations(eq, &formulas));
    put("multipliers", multipliers(eq, &formulas));
    put("reactions", formulas.quantities(&eq.reactions));
    if !eq.energy.is_undefined() {
        put("energy", formulas.object(&eq.energy).into());
    }
    put("momenta", formulas.quantities(&eq.momenta));
    put("residuals", formulas.objects(&eq.residuals));
    put("extras", formulas.quantities(&eq.extras));
    put("reconstruction", formulas.quantities(&eq.reconstruction));
    if let Some(bracket) = &eq.bracket {
        put(
            "coordinates",
            bracket
                .coordinates
                .iter()
                .map(|s| Value::from(s.to_string()))
                .collect(),
        );
        let rows = (0..bracket.matrix.rows()).map(|i| formulas.texts(bracket.matrix.row(i)));
        put("matrix", rows.collect());
    }
    put("explicit", eq.stages.is_empty().into());
    if !eq.stages.is_empty() {
        put(
            "stages",
            eq.stages.iter().map(|s| stage(s, &formulas)).collect(),
        );
    }
    put("conditions", formulas.objects(&eq.conditions));
    put("notes", sheet.notes.clone().into());
    put(
        "at_start",
        sheet.at_start.map_or(Value::Null, |a| at_start(eq, a)),
    );
    out.into()
}

/// Parameter values by name.
pub fn parameters(model: &Model) -> Value {
    let values = Values::of(model);
    let number = |e: &Expr| values.number(e).map_or(Value::Null, Value::from);
    let pairs = model
        .parameters
        .iter()
        .map(|p| (p.symbol.to_string(), number(&(&p.symbol).into())));
    Value::Object(pairs.collect())
}

/// The rates that say something: x' = x' is left out where x' belongs to the state itself.
fn equations(eq: &Equations, formulas: &Formulas) -> Value {
    eq.state
        .iter()
        .map(|s| updated(eq.form, s))
        .zip(&eq.rates)
        .filter(|(left, right)| !(eq.state.contains(left) && right.as_symbol() == Some(left)))
        .map(|(left, right)| formulas.solved("lhs", &left.to_string(), right, &eq.stages))
        .collect()
}

fn multipliers(eq: &Equations, formulas: &Formulas) -> Value {
    eq.multipliers
        .iter()
        .map(|q| formulas.solved("name", &q.name, &q.value, &eq.stages))
        .collect()
}

fn stage(stage: &Stage, formulas: &Formulas) -> Value {
    let unknowns: Vec<String> = stage.unknowns().iter().map(ToString::to_string).collect();
    match stage {
        Stage::Linear { matrix, rhs, .. } => {
            let mass: Value = (0..matrix.rows())
                .map(|i| formulas.texts(matrix.row(i)))
                .collect();
            json!({"kind": "linear", "unknowns": unknowns, "mass": mass, "rhs": formulas.texts(rhs)})
        }
        Stage::Implicit { residuals, .. } => {
            json!({"kind": "implicit", "unknowns": unknowns, "residuals": formulas.texts(residuals)})
        }
    }
}

/// Numbers by name. A negative zero is a zero.
fn numbers<N: ToString>(names: impl IntoIterator<Item = N>, values: &[f64]) -> Value {
    let pairs = names
        .into_iter()
        .zip(values)
        .map(|(n, v)| (n.to_string(), Value::from(v + 0.0)));
    Value::Object(pairs.collect())
}

fn at_start(eq: &Equations, at_start: &AtStart) -> Value {
    let values = &at_start.values;
    let names = |q: &[Quantity]| -> Vec<String> { q.iter().map(|q| q.name.clone()).collect() };
    let residuals: Vec<Value> = values
        .residuals
        .iter()
        .map(|v| Value::from(v + 0.0))
        .collect();
    let (observed, observations): (Vec<&String>, Vec<f64>) =
        at_start.observed.iter().map(|(n, v)| (n, *v)).unzip();
    let (fed, feed): (Vec<&String>, Vec<f64>) =
        at_start.controls.iter().map(|(n, v)| (n, *v)).unzip();
    let mut object = json!({
        "time": at_start.time,
        "state": numbers(&*eq.state, &at_start.state),
        "rates": numbers(&*eq.state, &values.rates),
        "controls": numbers(fed, &feed),
        "multipliers": numbers(names(&eq.multipliers), &values.multipliers),
        "reactions": numbers(names(&eq.reactions), &values.reactions),
        "energy": values.energy + 0.0,
        "momenta": numbers(names(&eq.momenta), &values.momenta),
        "residuals": residuals,
        "extras": numbers(names(&eq.extras), &values.extras),
        "observed": numbers(observed, &observations),
    });
    if let Some(bracket) = &eq.bracket {
        let rows = values.bracket.chunks(bracket.coordinates.len().max(1));
        object["matrix"] = rows
            .map(|row| row.iter().map(|v| v + 0.0).collect::<Vec<f64>>())
            .collect();
    }
    object
}
