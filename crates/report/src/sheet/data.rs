//! A sheet for a machine: stable ASCII names, formulas, numbers at the start.

use super::Sheet;
use super::sections::updated;
use super::vector::VectorForm;
use crate::compile::AtStart;
use crate::document::{Data, Vector};
use crate::mechanics::{Equations, Form, Quantity, Stage, Values};
use crate::symbolic::{Expr, Style, Symbol};
use serde_json::{Value, json};

/// The whole sheet.
pub fn data(sheet: &Sheet, vectors: Option<&VectorForm>) -> Data {
    let eq = sheet.equations;
    let mut out: Vec<(String, Data)> = Vec::new();
    let mut put = |key: &str, value: Data| out.push((key.into(), value));
    put("system", Data::plain(sheet.problem.system.name()));
    put("title", Data::plain(sheet.problem.title.clone()));
    put("form", Data::plain(eq.form.name()));
    put("state", names(eq.state.iter()));
    if !sheet.frame.is_empty() {
        put("frame", Data::plain(sheet.frame.clone()));
    }
    put("params", Data::Plain(parameters(&sheet.problem.values)));
    put("equations", equations(eq));
    if let Some(vectors) = vectors.filter(|v| !v.equations.is_empty()) {
        put("vectors", vector_equations(sheet, vectors));
    }
    put("multipliers", multipliers(eq));
    put("reactions", quantities(&eq.reactions));
    if !eq.energy.is_undefined() {
        put("energy", Data::Formula(eq.energy.clone()));
    }
    put("momenta", quantities(&eq.momenta));
    put("residuals", Data::formulas(&eq.residuals));
    put("extras", quantities(&eq.extras));
    if eq.form == Form::Manipulator {
        put("matrices", matrices(&eq.extras));
    }
    put("reconstruction", quantities(&eq.reconstruction));
    if !eq.slice.is_empty() {
        let held = eq.slice.iter();
        let held: Vec<_> = held
            .map(|(s, value)| Quantity::new(s.to_string(), value.clone()))
            .collect();
        put("slice", quantities(&held));
    }
    if let Some(bracket) = &eq.bracket {
        put("coordinates", names(&bracket.coordinates));
        let rows = (0..bracket.matrix.rows()).map(|i| Data::texts(bracket.matrix.row(i)));
        put("matrix", Data::List(rows.collect()));
    }
    put("explicit", Data::plain(eq.stages.is_empty()));
    if !eq.stages.is_empty() {
        put("stages", Data::List(eq.stages.iter().map(stage).collect()));
    }
    put("conditions", Data::formulas(&eq.conditions));
    if !sheet.lengths.is_empty() {
        let one = |(form, n): &(Form, Option<usize>)| json!({"form": form.name(), "characters": n});
        let all: Vec<Value> = sheet.lengths.iter().map(one).collect();
        put("lengths", Data::plain(all));
    }
    put("notes", Data::plain(sheet.notes.clone()));
    let numbers = sheet.at_start.map(|a| at_start(eq, a));
    put("at_start", Data::plain(numbers));
    Data::Object(out)
}

/// Parameter values by name.
pub fn parameters(values: &Values) -> Value {
    let number = |e: &Expr| values.number(e).map_or(Value::Null, Value::from);
    let all = values.pairs().iter();
    let pairs = all.map(|(p, _)| (p.to_string(), number(&p.into())));
    Value::Object(pairs.collect())
}

fn names<'a>(symbols: impl IntoIterator<Item = &'a Symbol>) -> Data {
    let names: Vec<String> = symbols.into_iter().map(ToString::to_string).collect();
    Data::plain(names)
}

fn quantities(all: &[Quantity]) -> Data {
    let one = |q: &Quantity| Data::named("name", &q.name, q.value.clone());
    Data::List(all.iter().map(one).collect())
}

/// What a person reads of groups: equations between vectors, constraints, and what their names stand for.
fn vector_equations(sheet: &Sheet, vectors: &VectorForm) -> Data {
    let style = Style::ascii().with_order(sheet.order());
    let one = |(left, right): &(Vector, Vector)| {
        let (left, text) = (left.text(&style), right.text(&style));
        json!({"lhs": left, "text": text, "latex": right.latex(&style)})
    };
    let all = |pairs: &[(Vector, Vector)]| Data::plain(pairs.iter().map(one).collect::<Vec<_>>());
    Data::object([
        ("equations", all(&vectors.equations)),
        ("constraints", all(&vectors.constraints)),
        ("where", all(&vectors.definitions)),
    ])
}

/// Entries `M[1,2]` and `g[1]` as matrices and vectors by name.
fn matrices(entries: &[Quantity]) -> Data {
    let mut all: Vec<(String, Vec<Data>)> = Vec::new();
    for q in entries {
        let Some((name, places)) = q.name.trim_end_matches(']').split_once('[') else {
            continue;
        };
        if all.last().is_none_or(|(last, _)| last != name) {
            all.push((name.into(), Vec::new()));
        }
        let Some((_, rows)) = all.last_mut() else {
            continue;
        };
        let entry = Data::Text(q.value.clone());
        match (places.split_once(','), rows.last_mut()) {
            (None, _) => rows.push(entry),
            (Some((_, "1")), _) => rows.push(Data::List(vec![entry])),
            (Some(_), Some(Data::List(row))) => row.push(entry),
            (Some(_), _) => {}
        }
    }
    let all = all.into_iter().map(|(name, rows)| (name, Data::List(rows)));
    Data::object(all)
}

/// What a solve determines: `null` for an unknown of a solve that stays, since "x'' = x''" says nothing.
fn solved(key: &str, name: &str, e: &Expr, stages: &[Stage]) -> Data {
    let left_open = |s: &Symbol| stages.iter().any(|stage| stage.unknowns().contains(s));
    let own = |s: &Symbol| s.to_string() == name && left_open(s);
    match e.as_symbol().is_some_and(own) {
        true => Data::Plain(json!({key: name, "text": null, "latex": null})),
        false => Data::named(key, name, e.clone()),
    }
}

/// The rates that say something: x' = x' is left out where x' belongs to the state itself.
fn equations(eq: &Equations) -> Data {
    let rates = eq.state.iter().map(|s| updated(eq.form, s)).zip(&eq.rates);
    let all = rates
        .filter(|(left, right)| !(eq.state.contains(left) && right.as_symbol() == Some(left)))
        .map(|(left, right)| solved("lhs", &left.to_string(), right, &eq.stages));
    Data::List(all.collect())
}

fn multipliers(eq: &Equations) -> Data {
    let one = |q: &Quantity| solved("name", &q.name, &q.value, &eq.stages);
    Data::List(eq.multipliers.iter().map(one).collect())
}

fn stage(stage: &Stage) -> Data {
    let unknowns = names(stage.unknowns());
    match stage {
        Stage::Linear { matrix, rhs, .. } => {
            let rows = (0..matrix.rows()).map(|i| Data::texts(matrix.row(i)));
            Data::object([
                ("kind", Data::plain("linear")),
                ("unknowns", unknowns),
                ("mass", Data::List(rows.collect())),
                ("rhs", Data::texts(rhs)),
            ])
        }
        Stage::Implicit { residuals, .. } => Data::object([
            ("kind", Data::plain("implicit")),
            ("unknowns", unknowns),
            ("residuals", Data::texts(residuals)),
        ]),
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
