//! What a person reads of every shipped model, and what a machine can check again of its evidence.

use crate::common::readback::read;
use crate::common::{all_shipped, rattleback, reads_as_before, shipped};
use rattleback::language::{Model, Source, parse};
use rattleback::symbolic::{Expr, Rational, Symbol, enclose};
use serde_json::Value;

#[test]
fn pages_of_the_shipped_models_read_as_before() {
    for name in all_shipped() {
        let run = rattleback(["analyze", &shipped(&name)]).exits(0);
        reads_as_before(&format!("pages__page_{name}"), &run.out);
    }
}

/// Calls `look` with every object of a value.
fn objects<'a>(value: &'a Value, look: &mut impl FnMut(&'a serde_json::Map<String, Value>)) {
    let mut all = vec![value];
    while let Some(value) = all.pop() {
        match value {
            Value::Object(object) => {
                look(object);
                all.extend(object.values());
            }
            Value::Array(items) => all.extend(items),
            _ => {}
        }
    }
}

/// A model in whose names a formula is read: the constants of a solution are declared besides.
fn reader(name: &str, constants: &[&String]) -> Model {
    let mut text = std::fs::read_to_string(shipped(name)).unwrap();
    for constant in constants {
        text += &format!("\nparam {constant} = 1\n");
    }
    parse(&Source::new(name, text)).model.unwrap()
}

/// Names of a point that the model does not know.
fn unknown<'a>(model: &Model, point: &'a serde_json::Map<String, Value>) -> Vec<&'a String> {
    let known = |name: &String| model.expression(&Source::new("name", name.clone())).is_ok();
    point.keys().filter(|name| !known(name)).collect()
}

/// A function by its shared parts: each of them and the whole are read back, in names that stand before.
fn is_written_by_parts(
    name: &str,
    model: &Model,
    point: &serde_json::Map<String, Value>,
    parts: &Value,
    text: &str,
) -> bool {
    let parts = parts.as_array().unwrap();
    let named: Vec<String> = parts
        .iter()
        .map(|p| p["name"].as_str().unwrap().to_owned())
        .collect();
    let known = [unknown(model, point), named.iter().collect()].concat();
    let model = reader(name, &known);
    let names = |e: &Expr| e.free_symbols().iter().map(ToString::to_string).collect();
    for (k, part) in parts.iter().enumerate() {
        let used: Vec<String> = names(&read(&model, part["text"].as_str().unwrap()));
        assert!(
            used.iter().all(|s| !named[k..].contains(s)),
            "{name}: {part} uses what comes after it"
        );
    }
    let used: Vec<String> = names(&read(&model, text));
    used.iter().any(|s| named.contains(s))
}

/// The function read back, at the point as printed, has the value as printed. False where it is too long to print.
fn is_checked(name: &str, model: &Model, evidence: &serde_json::Map<String, Value>) -> bool {
    let Some(text) = evidence["text"].as_str() else {
        return false;
    };
    let point = evidence["point"].as_object().unwrap();
    if let Some(parts) = evidence.get("where") {
        return is_written_by_parts(name, model, point, parts, text);
    }
    let constants = unknown(model, point);
    let extended = (!constants.is_empty()).then(|| reader(name, &constants));
    let model = extended.as_ref().unwrap_or(model);
    let shown: String = text.chars().take(200).collect();
    let what = format!("{}: {} `{shown}`", model.name, evidence["what"]);
    let function = read(model, text);
    let value = |s: Symbol| {
        let printed = point.get(&s.to_string());
        let printed = printed.unwrap_or_else(|| panic!("{what}: no value of `{s}` in {point:?}"));
        let number: Rational = printed.as_str().unwrap().parse().unwrap();
        (s, Expr::from(&number))
    };
    let at: Vec<(Symbol, Expr)> = function.free_symbols().into_iter().map(value).collect();
    let here = enclose(&function.substitute(&at)).unwrap_or_else(|| panic!("{what}: no value"));
    let bound = |end: &str| evidence["value"][end].as_f64().unwrap();
    let (lower, upper) = (bound("lower"), bound("upper"));
    assert!(
        lower > 0.0 || upper < 0.0,
        "{what}: between {lower} and {upper}"
    );
    assert!(
        lower <= here.high && here.low <= upper,
        "{what} is {here} at {point:?}, not between {lower} and {upper}"
    );
    true
}

#[test]
fn points_of_the_evidence_can_be_checked_by_anybody() {
    let (mut points, mut checked) = (0, 0);
    for name in all_shipped() {
        let json = rattleback(["analyze", &shipped(&name), "--json"])
            .exits(0)
            .json();
        let model = reader(&name, &[]);
        objects(&json, &mut |object| {
            if object.get("kind").and_then(Value::as_str) == Some("point") {
                points += 1;
                checked += usize::from(is_checked(&name, &model, object));
            }
        });
    }
    assert!(
        points > 300 && 10 * checked > 9 * points,
        "{checked} of {points}"
    );
}

#[test]
fn every_verdict_has_evidence_and_none_is_said_without_a_search() {
    for name in ["knife_edge", "chaplygin_sleigh", "heavy_top", "martinet"] {
        let json = rattleback(["analyze", &shipped(name), "--json"])
            .exits(0)
            .json();
        objects(&json, &mut |object| {
            if object.contains_key("verdict") {
                let kind = object["evidence"]["kind"].as_str();
                assert!(kind.is_some_and(|k| !k.is_empty()), "{name}: {object:?}");
            }
            if object.get("kind").and_then(Value::as_str) == Some("exhausted") {
                assert!(object["searched"]["what"].is_string(), "{name}: {object:?}");
                assert!(
                    object["candidates"].as_u64().is_some(),
                    "{name}: {object:?}"
                );
            }
        });
    }
}
