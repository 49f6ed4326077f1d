//! Printed formulas read back in the model language, with the value that the program reports.

use rattleback::compile::StartState;
use rattleback::language::{Model, Source};
use rattleback::mechanics::Problem;
use rattleback::symbolic::{Expr, Symbol};
use serde_json::Value;
use std::collections::HashMap;

/// Numbers by name: parameters, state, multipliers, controls and time, all at the start.
pub fn numbers(model: &Model, json: &Value) -> HashMap<String, f64> {
    let mut all = HashMap::from([("t".to_owned(), json["at_start"]["time"].as_f64().unwrap())]);
    all.extend(model.controls.iter().map(|c| (c.symbol.to_string(), 0.0)));
    let at_start = &json["at_start"];
    for object in [
        &json["params"],
        &at_start["state"],
        &at_start["multipliers"],
    ] {
        let object = object.as_object().unwrap();
        all.extend(
            object
                .iter()
                .map(|(name, v)| (name.clone(), v.as_f64().unwrap())),
        );
    }
    let controls = at_start["controls"].as_object().unwrap();
    all.extend(
        controls
            .iter()
            .map(|(u, v)| (u.clone(), v.as_f64().unwrap())),
    );
    // The velocity of a coordinate that the state has without it.
    for (name, rate) in at_start["rates"].as_object().unwrap() {
        let velocity = format!("{name}'");
        all.entry(velocity).or_insert(rate.as_f64().unwrap());
    }
    // That of a group, which is no rate of an entry.
    let problem = Problem::from_model(model).unwrap();
    let start = StartState::of(&problem, &problem.system).unwrap();
    for velocity in problem.system.frame().fibre() {
        let value = start.get(velocity).unwrap();
        all.entry(velocity.to_string()).or_insert(value);
    }
    all
}

/// Reads a formula.
#[track_caller]
pub fn read(model: &Model, text: &str) -> Expr {
    match model.expression(&Source::new("formula", text)) {
        Ok(value) => value.as_scalar().expect("a scalar").clone(),
        Err(all) => panic!("{}: `{text}` does not read back: {all:?}", model.name),
    }
}

#[track_caller]
fn compare(what: &str, model: &Model, text: &Value, numbers: &HashMap<String, f64>, expected: f64) {
    // A formula too long to write has no text.
    let Some(text) = text.as_str() else { return };
    let shown: String = text.chars().take(300).collect();
    let e = read(model, text);
    let value = |s: Symbol| {
        let name = s.to_string();
        let number = numbers
            .get(&name)
            .unwrap_or_else(|| panic!("{what}: `{name}` in `{shown}`"));
        (s, *number)
    };
    let values: Vec<(Symbol, f64)> = e.free_symbols().into_iter().map(value).collect();
    let found = e.evaluate(&values).unwrap();
    let error = (found - expected).abs();
    assert!(
        error <= 1e-7 * expected.abs().max(1.0),
        "{what}: `{shown}` is {found}, not {expected}"
    );
}

/// Asserts that every formula of a derivation that needs no solve reads back with its value.
pub fn reads_back(name: &str, model: &Model, form: &str, json: &Value) {
    if json["explicit"] != true {
        return;
    }
    let numbers = numbers(model, json);
    let at_start = &json["at_start"];
    let rates = at_start["rates"].as_object().unwrap();
    for equation in json["equations"].as_array().unwrap() {
        let lhs = equation["lhs"].as_str().unwrap();
        let state = lhs.strip_suffix('\'').unwrap();
        let what = format!("{name} {form} {lhs}");
        let expected = rates[state].as_f64().unwrap();
        compare(&what, model, &equation["text"], &numbers, expected);
    }
    for group in ["multipliers", "reactions", "momenta", "extras"] {
        for quantity in json[group].as_array().unwrap() {
            let key = quantity["name"].as_str().unwrap();
            let expected = at_start[group][key].as_f64().unwrap();
            let what = format!("{name} {form} {group} {key}");
            compare(&what, model, &quantity["text"], &numbers, expected);
        }
    }
    let energy = at_start["energy"].as_f64().unwrap();
    let what = format!("{name} {form} energy");
    compare(&what, model, &json["energy"]["text"], &numbers, energy);
}
