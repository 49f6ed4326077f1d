//! Verdicts do not depend on how a model is written: order of statements, names, units.
//!
//! Every shipped model is tried in one way; `RATTLEBACK_INVARIANCE=all` tries each model in every way.

use crate::common::{all_shipped, rattleback, shipped, written};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A model written in another way; `None` where that is not possible.
type Rewriting = fn(&[String]) -> Option<Vec<String>>;

const REWRITINGS: [(&str, Rewriting); 3] = [
    ("statements in another order", reordered),
    ("other names", renamed),
    ("another unit of mass", rescaled),
];

#[test]
fn verdicts_do_not_depend_on_the_writing() {
    let all = std::env::var("RATTLEBACK_INVARIANCE").is_ok_and(|v| v == "all");
    let (mut compared, mut differences) = (0, Vec::new());
    for (k, model) in all_shipped().iter().enumerate() {
        let text = std::fs::read_to_string(shipped(model)).unwrap();
        let original = statements(&text);
        let mut verdicts = None;
        for (r, (what, rewriting)) in REWRITINGS.iter().enumerate() {
            if !all && k % REWRITINGS.len() != r {
                continue;
            }
            let Some(other) = rewriting(&original) else {
                continue;
            };
            let file = written(&format!("invariance_{model}_{r}"), other.join("\n") + "\n");
            let expected = verdicts.get_or_insert_with(|| judged(&shipped(model)));
            let found = judged(&file);
            for (key, value) in expected.iter() {
                if found.get(key) != Some(value) {
                    let found = found.get(key);
                    differences.push(format!("{model}, {what}: {key} {value} {found:?}"));
                }
                compared += 1;
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(compared > 500, "only {compared} verdicts were compared");
}

/// What a search finds may depend on the order of the coordinates; what is decided does not.
#[test]
fn no_verdict_turns_round_with_the_order_of_coordinates() {
    let all = std::env::var("RATTLEBACK_INVARIANCE").is_ok_and(|v| v == "all");
    let mut compared = 0;
    for (k, model) in all_shipped().iter().enumerate() {
        if !all && k % 4 != 1 {
            continue;
        }
        let text = std::fs::read_to_string(shipped(model)).unwrap();
        let other = with_coordinates_reversed(&statements(&text));
        let file = written(&format!("coordinates_{model}"), other.join("\n") + "\n");
        let (expected, found) = (judged(&shipped(model)), judged(&file));
        let is_open = |all: &BTreeMap<String, Value>, key: &str| {
            let topic = key.split('.').next().unwrap_or_default();
            all.get(&format!("{topic}.verdict"))
                .is_none_or(|verdict| verdict == "undecided")
        };
        for (key, value) in &expected {
            if is_open(&expected, key) || is_open(&found, key) {
                continue;
            }
            assert_eq!(found.get(key), Some(value), "{model}: {key}");
            compared += 1;
        }
    }
    assert!(compared > 50, "only {compared} verdicts were compared");
}

/// One statement for each coordinate, in the opposite order.
fn with_coordinates_reversed(all: &[String]) -> Vec<String> {
    let declared = |s: &String| -> Vec<String> {
        let (names, kind) = match s.split_once(':') {
            Some((names, kind)) => (names, format!(" :{kind}")),
            None => (s.as_str(), String::new()),
        };
        let names = names.trim_start_matches("coord").split(',');
        names
            .map(|name| format!("coord {}{kind}", name.trim()))
            .collect()
    };
    let is_coordinate = |s: &&String| word(s) == "coord";
    let mut coordinates: Vec<String> = all
        .iter()
        .filter(is_coordinate)
        .flat_map(declared)
        .collect();
    coordinates.reverse();
    let mut rest: Vec<String> = all.iter().filter(|s| !is_coordinate(s)).cloned().collect();
    let at = 1.min(rest.len());
    rest.splice(at..at, coordinates);
    rest
}

/// Verdicts, and what goes with them and has no name in it.
fn judged(file: &str) -> BTreeMap<String, Value> {
    const BESIDE: [&str; 9] = [
        "growth",
        "bracket_generating",
        "integrable",
        "missing_integrals",
        "independent",
        "abelian",
        "class",
        "dimensions",
        "space",
    ];
    let page = rattleback(["analyze", file, "--json"]).exits(0).json();
    let topics = page.as_object().unwrap().iter();
    topics
        .filter(|(_, topic)| topic["verdict"].is_string())
        .flat_map(|(name, topic)| {
            std::iter::once("verdict")
                .chain(BESIDE)
                .filter(|key| !topic[*key].is_null())
                .map(move |key| (format!("{name}.{key}"), without_words(&topic[key])))
        })
        .collect()
}

/// A claim by its verdict alone: evidence names symbols.
fn without_words(value: &Value) -> Value {
    match &value["verdict"] {
        Value::Null => value.clone(),
        verdict => verdict.clone(),
    }
}

/// The statements, one string each, without comments.
fn statements(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or("").trim_end();
        match all.last_mut() {
            _ if line.is_empty() => {}
            Some(last) if line.starts_with(' ') => last.push_str(&format!("\n{line}")),
            _ => all.push(line.to_owned()),
        }
    }
    all
}

fn word(statement: &str) -> &str {
    statement.split_whitespace().next().unwrap_or("")
}

/// What needs no name above it in the opposite order, and declarations last; constraints keep their order,
/// because it numbers the multipliers.
fn reordered(all: &[String]) -> Option<Vec<String>> {
    let is = |words: &'static [&str]| move |s: &&String| words.contains(&word(s));
    let declares = is(&["param", "coord", "group", "let"]);
    let fixed = is(&["system", "constraint", "param", "coord", "group", "let"]);
    let title = all.iter().filter(is(&["system"]));
    let constraints = all.iter().filter(is(&["constraint"]));
    let rest = all.iter().filter(|s| !fixed(s)).rev();
    let order = title.chain(constraints).chain(rest);
    Some(order.chain(all.iter().filter(declares)).cloned().collect())
}

/// Other names for parameters and coordinates, in another alphabetical order.
fn renamed(all: &[String]) -> Option<Vec<String>> {
    let declared: BTreeSet<&str> = all
        .iter()
        .filter(|s| matches!(word(s), "param" | "coord"))
        .flat_map(|s| identifiers(s).into_iter().skip(1))
        .collect();
    let reserved = ["angle", "pi", "sqrt", "diag", "rotation", "sin", "cos", "R"];
    let names: BTreeMap<&str, String> = declared
        .into_iter()
        .filter(|name| !reserved.contains(name))
        .rev()
        .enumerate()
        .map(|(k, name)| (name, format!("q{k}_")))
        .collect();
    Some(all.iter().map(|s| with_names(s, &names)).collect())
}

fn is_inside(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn identifiers(statement: &str) -> Vec<&str> {
    statement
        .split(|c| !is_inside(c))
        .filter(|w| w.starts_with(|c: char| c.is_alphabetic()))
        .collect()
}

fn with_names(statement: &str, names: &BTreeMap<&str, String>) -> String {
    let mut result = String::new();
    let mut rest = statement;
    while let Some(c) = rest.chars().next() {
        let length = rest.find(|c| !is_inside(c)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(length.max(if length == 0 { c.len_utf8() } else { 0 }));
        result.push_str(names.get(piece).map_or(piece, String::as_str));
        rest = after;
    }
    result
}

/// The Lagrangian and the forces times one number; candidate solutions would change with it.
fn rescaled(all: &[String]) -> Option<Vec<String>> {
    let depends = |s: &String| matches!(word(s), "oneform" | "force" | "control" | "cost");
    if all.iter().any(depends) {
        return None;
    }
    let scaled = |s: &String| match word(s) {
        w @ ("kinetic" | "potential" | "lagrangian") => format!("{w} 7/3*({})", &s[w.len()..]),
        _ => s.clone(),
    };
    Some(all.iter().map(scaled).collect())
}
