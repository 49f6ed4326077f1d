//! The linear system about a state, for a person and for a machine.

use crate::control::{Claim, Linearization};
use crate::mechanics::LinearSystem;
use crate::number::shown;
use crate::session::Linearized;
use crate::symbolic::{Expr, Style, text};
use rattleback_numeric::{Complex, Dense};
use serde_json::{Map, Value, json};

/// Entries longer than this are shown by their values.
const LONGEST: usize = 24;

/// The page for a machine.
pub fn json(linear: &Linearized) -> Value {
    let system = &linear.system;
    let numbers = &system.numbers;
    let exact = system.exact.as_ref().ok();
    let matrix = |of: fn(&LinearSystem<f64>) -> &Vec<Vec<f64>>,
                  by: fn(&LinearSystem<Expr>) -> &Vec<Vec<Expr>>| {
        entries(of(numbers), exact.map(by))
    };
    let mut out = Map::new();
    out.insert("system".into(), linear.model.name.clone().into());
    out.insert("state".into(), json!(numbers.state));
    out.insert("at".into(), named(&system.at));
    out.insert("equilibrium".into(), linear.at_rest.into());
    out.insert("inputs".into(), json!(names(&system.inputs)));
    out.insert("input_values".into(), named(&system.inputs));
    out.insert("outputs".into(), json!(system.outputs));
    out.insert("A".into(), matrix(|s| &s.a, |s| &s.a));
    out.insert("B".into(), matrix(|s| &s.b, |s| &s.b));
    out.insert("C".into(), matrix(|s| &s.c, |s| &s.c));
    out.insert("D".into(), matrix(|s| &s.d, |s| &s.d));
    if let Err(why) = &system.exact {
        out.insert("no_text".into(), why.clone().into());
    }
    out.insert("eigenvalues".into(), complex(&system.eigen.values));
    let modes = system.eigen.vectors.iter().map(|v| complex(v));
    out.insert("modes".into(), modes.collect());
    out.insert("controllable".into(), claim(&system.controllable));
    out.insert("stabilisable".into(), claim(&system.stabilisable));
    out.insert("observable".into(), claim(&system.observable));
    match &system.regulator {
        None => {}
        Some(Err(why)) => {
            out.insert("lqr".into(), Value::Null);
            out.insert("lqr_why".into(), why.clone().into());
        }
        Some(Ok(found)) => {
            let lqr = json!({
                "gains": rows(&found.gain),
                "value": rows(&found.cost),
                "closed_loop": complex(&found.modes),
                "residual": found.residual,
            });
            out.insert("lqr".into(), lqr);
        }
    }
    if let Some(note) = note(linear) {
        out.insert("notes".into(), json!([note]));
    }
    out.into()
}

fn names(values: &[(String, f64)]) -> Vec<&str> {
    values.iter().map(|(name, _)| name.as_str()).collect()
}

fn named(values: &[(String, f64)]) -> Value {
    let all = values.iter().map(|(name, x)| (name.clone(), json!(x)));
    Value::Object(all.collect())
}

fn entries(numbers: &[Vec<f64>], exact: Option<&Vec<Vec<Expr>>>) -> Value {
    let entry = |i: usize, j: usize| {
        let exact = exact.map(|rows| rows[i][j].to_string());
        json!({ "text": exact, "value": numbers[i][j] })
    };
    let row = |i: usize| -> Value { (0..numbers[i].len()).map(|j| entry(i, j)).collect() };
    (0..numbers.len()).map(row).collect()
}

fn rows(matrix: &Dense) -> Value {
    let row = |i: usize| -> Value {
        (0..matrix.columns())
            .map(|j| json!(matrix[(i, j)]))
            .collect()
    };
    (0..matrix.rows()).map(row).collect()
}

fn complex(values: &[Complex]) -> Value {
    values
        .iter()
        .map(|v| json!({ "re": v.re, "im": v.im }))
        .collect()
}

fn claim(claim: &Claim) -> Value {
    let (verdict, key) = match claim.holds {
        Some(true) => ("proven", "how"),
        Some(false) => ("refuted", "witness"),
        None => ("undecided", "why"),
    };
    let mut out = Map::new();
    out.insert("verdict".into(), verdict.into());
    out.insert(key.into(), claim.why.clone().into());
    if !claim.exact {
        out.insert("basis".into(), "numerical".into());
    }
    out.into()
}

/// What the reader should know about the state.
fn note(linear: &Linearized) -> Option<String> {
    (!linear.at_rest).then(|| {
        "the state is no equilibrium: A is the Jacobian of the rates there, and neighbouring motions go by it for a \
         short time only"
            .to_owned()
    })
}

/// The page for a person.
pub fn page(linear: &Linearized) -> String {
    let system = &linear.system;
    let title = linear.model.title.as_deref().unwrap_or(&linear.model.name);
    let about = match linear.at_rest {
        true => "an equilibrium",
        false => "a state",
    };
    let mut out = format!(
        "{title} ({})\n  linear system about {about}\n",
        linear.model.name
    );
    let values = |values: &[(String, f64)]| -> String {
        let all = values
            .iter()
            .map(|(name, x)| format!("{name} = {}", shown(*x, 1.0)));
        all.collect::<Vec<_>>().join(", ")
    };
    out += &format!("\nAt\n  {}\n", values(&system.at));
    if !system.inputs.is_empty() {
        out += &format!("  {}\n", values(&system.inputs));
    }
    let names = &system.numbers.state;
    let inputs: Vec<String> = system.inputs.iter().map(|(name, _)| name.clone()).collect();
    let exact = system.exact.as_ref().ok();
    let show = |title: &str,
                rows: &[String],
                columns: &[String],
                numbers: &[Vec<f64>],
                exact: Option<&Vec<Vec<Expr>>>| {
        match rows.is_empty() || columns.is_empty() {
            true => String::new(),
            false => format!("\n{title}\n{}", table(rows, columns, numbers, exact)),
        }
    };
    let numbers = &system.numbers;
    let rates: Vec<String> = names.iter().map(|n| format!("({n})'")).collect();
    out += &show("A", &rates, names, &numbers.a, exact.map(|s| &s.a));
    out += &show("B", &rates, &inputs, &numbers.b, exact.map(|s| &s.b));
    out += &show("C", &system.outputs, names, &numbers.c, exact.map(|s| &s.c));
    out += &show(
        "D",
        &system.outputs,
        &inputs,
        &numbers.d,
        exact.map(|s| &s.d),
    );
    out += "\nEigenvalues\n";
    out += &listed(&system.eigen.values);
    out += &claims(system);
    out += &regulator(system, names, &inputs);
    if let Some(note) = note(linear) {
        out += &format!("\nNotes\n  {note}\n");
    }
    out
}

fn listed(values: &[Complex]) -> String {
    let scale = values.iter().fold(0.0, |m: f64, v| m.max(v.modulus()));
    let one = |v: &Complex| {
        let (re, im) = (shown(v.re, scale), shown(v.im.abs(), scale));
        match im == "0" {
            true => format!("  {re}\n"),
            false => format!("  {re} {} {im}i\n", if v.im < 0.0 { '-' } else { '+' }),
        }
    };
    values.iter().map(one).collect()
}

fn claims(system: &Linearization) -> String {
    let mut out = String::from("\nWhat it tells\n");
    let mut all = Vec::new();
    if !system.inputs.is_empty() {
        all.push(("controllable", &system.controllable));
        all.push(("stabilisable", &system.stabilisable));
    }
    if !system.outputs.is_empty() {
        all.push(("observable", &system.observable));
    }
    if all.is_empty() {
        return String::new();
    }
    for (name, claim) in all {
        let verdict = match claim.holds {
            Some(true) => "yes",
            Some(false) => "no",
            None => "undecided",
        };
        out += &format!("  {name}: {verdict}; {}\n", claim.why);
    }
    out
}

fn regulator(system: &Linearization, names: &[String], inputs: &[String]) -> String {
    match &system.regulator {
        None => String::new(),
        Some(Err(why)) => format!("\nRegulator\n  none: {why}\n"),
        Some(Ok(found)) => {
            let gains: Vec<Vec<f64>> = (0..found.gain.rows())
                .map(|i| {
                    (0..found.gain.columns())
                        .map(|j| found.gain[(i, j)])
                        .collect()
                })
                .collect();
            let mut out = String::from("\nRegulator u = u0 - K (x - x0)\n");
            out += &table(inputs, names, &gains, None);
            out += "\nEigenvalues of the closed loop\n";
            out += &listed(&found.modes);
            out
        }
    }
}

/// A matrix with the names of its rows and columns; entries exactly where they are short.
fn table(
    rows: &[String],
    columns: &[String],
    numbers: &[Vec<f64>],
    exact: Option<&Vec<Vec<Expr>>>,
) -> String {
    let scale = numbers
        .iter()
        .flatten()
        .fold(0.0, |m: f64, v| m.max(v.abs()));
    let cell = |i: usize, j: usize| {
        let exact = exact.map(|rows| text(&rows[i][j], &Style::unicode()));
        let exact = exact.filter(|e| e.chars().count() <= LONGEST);
        exact.unwrap_or_else(|| shown(numbers[i][j], scale))
    };
    let cells: Vec<Vec<String>> = (0..rows.len())
        .map(|i| (0..columns.len()).map(|j| cell(i, j)).collect())
        .collect();
    let width = |j: usize| {
        let entries = cells.iter().map(|row| row[j].chars().count());
        entries
            .chain([columns[j].chars().count()])
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let lead = rows.iter().map(|r| r.chars().count()).max().unwrap_or(0);
    let line = |first: &str, cells: &[String]| {
        let mut out = format!("  {first:<lead$}");
        for (cell, width) in cells.iter().zip(&widths) {
            out += &format!("  {cell:<width$}");
        }
        format!("{}\n", out.trim_end())
    };
    let mut out = line("", columns);
    for (name, cells) in rows.iter().zip(&cells) {
        out += &line(name, cells);
    }
    out
}
