//! The linear system about a state, for a person and for a machine.

use crate::control::{Claim, Linearization, Monodromy};
use crate::language::Model;
use crate::mechanics::LinearSystem;
use crate::number::shown;
use crate::session::{Linearized, LinearizedAlong};
use crate::symbolic::{Expr, Style, text};
use rattleback_numeric::{Complex, Dense, Regulator};
use serde_json::{Map, Value, json};

/// A matrix with longer entries is shown by its values.
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
    out.insert("equilibrium".into(), linear.is_equilibrium().into());
    let steady = system.steady.iter();
    let steady: Value = steady
        .map(|c| json!({ "symmetry": c.symmetry.name, "rate": c.rate }))
        .collect();
    out.insert("steady".into(), steady);
    out.insert("inputs".into(), json!(names(&system.inputs)));
    out.insert("input_values".into(), named(&system.inputs));
    out.insert("outputs".into(), json!(system.outputs));
    out.insert("A".into(), matrix(|s| &s.a, |s| &s.a));
    out.insert("B".into(), matrix(|s| &s.b, |s| &s.b));
    out.insert("C".into(), matrix(|s| &s.c, |s| &s.c));
    out.insert("D".into(), matrix(|s| &s.d, |s| &s.d));
    if let Err(why) = &system.exact {
        out.insert("inexact".into(), why.clone().into());
    }
    out.insert("eigenvalues".into(), complex(&system.eigen.values));
    let modes = system.eigen.vectors.iter().map(|v| complex(v));
    out.insert("modes".into(), modes.collect());
    out.insert("controllable".into(), claim(&system.claims.controllable));
    out.insert("stabilisable".into(), claim(&system.claims.stabilisable));
    out.insert("observable".into(), claim(&system.claims.observable));
    match &system.regulator {
        None => {}
        Some(Err(why)) => {
            out.insert("lqr".into(), Value::Null);
            out.insert("why".into(), json!({ "lqr": why.to_string() }));
        }
        Some(Ok(found)) => {
            let mut lqr = told(found);
            if let Some((step, Ok(held))) = &system.sampled {
                let mut held = told(held);
                held["step"] = json!(step);
                lqr["sampled"] = held;
            }
            out.insert("lqr".into(), lqr);
        }
    }
    if let Some(note) = note(linear) {
        out.insert("notes".into(), json!([note]));
    }
    out.into()
}

fn told(found: &Regulator) -> Value {
    json!({
        "gains": rows(&found.gain),
        "value": rows(&found.cost),
        "closed_loop": complex(&found.modes),
        "residual": found.residual,
    })
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
        let exact = exact.unwrap_or_else(|| format!("{:?}", numbers[i][j]));
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
        "the state is neither an equilibrium nor a steady motion: A is the Jacobian of the rates there, and \
         neighbouring motions go by it for a short time only"
            .to_owned()
    })
}

/// Linear systems along a motion, for a machine: one entry per sample.
pub fn along_json(linear: &LinearizedAlong) -> Value {
    let first = linear.samples.first().map(|s| json!(s.system.state));
    let sample = |s: &crate::control::Sample| {
        let at: Map<String, Value> = linear
            .state
            .iter()
            .cloned()
            .zip(s.state.iter().map(|x| json!(x)))
            .collect();
        json!({
            "t": s.time, "at": at, "input_values": s.inputs,
            "A": s.system.a, "B": s.system.b, "C": s.system.c, "D": s.system.d,
            "eigenvalues": complex(&s.eigenvalues),
        })
    };
    json!({
        "system": linear.model.name,
        "state": first,
        "inputs": linear.inputs,
        "outputs": linear.outputs,
        "along": linear.samples.iter().map(sample).collect::<Vec<_>>(),
    })
}

/// The columns of a table of linear systems along a motion, and its rows.
pub fn along_table(linear: &LinearizedAlong) -> (Vec<String>, Vec<Vec<f64>>) {
    let Some(first) = linear.samples.first() else {
        return (Vec::new(), Vec::new());
    };
    let matrices = |s: &LinearSystem<f64>| {
        [
            ("A", s.a.clone()),
            ("B", s.b.clone()),
            ("C", s.c.clone()),
            ("D", s.d.clone()),
        ]
    };
    let mut columns: Vec<String> = std::iter::once("t".to_owned())
        .chain(linear.state.clone())
        .collect();
    for (name, rows) in matrices(&first.system) {
        for (i, row) in rows.iter().enumerate() {
            columns.extend((1..=row.len()).map(|j| format!("{name}[{},{j}]", i + 1)));
        }
    }
    let row = |s: &crate::control::Sample| {
        let entries = matrices(&s.system).into_iter();
        let entries = entries.flat_map(|(_, rows)| rows.into_iter().flatten());
        std::iter::once(s.time)
            .chain(s.state.iter().copied())
            .chain(entries)
            .collect()
    };
    (columns, linear.samples.iter().map(row).collect())
}

/// Linear systems along a motion, for a person: the eigenvalues over time.
pub fn along_page(linear: &LinearizedAlong) -> String {
    let title = linear.model.title.as_deref().unwrap_or(&linear.model.name);
    let mut out = format!(
        "{title} ({})\n  linear systems along the motion\n",
        linear.model.name
    );
    let Some(first) = linear.samples.first() else {
        return out;
    };
    out += &format!(
        "\nState\n  {}\n\nEigenvalues of A\n",
        first.system.state.join(", ")
    );
    let stride = linear.samples.len().div_ceil(MOST_LINES).max(1);
    for sample in linear.samples.iter().step_by(stride) {
        let scale = sample
            .eigenvalues
            .iter()
            .fold(0.0, |m: f64, v| m.max(v.modulus()));
        let all = sample.eigenvalues.iter().map(|v| eigenvalue(v, scale));
        let time = shown(sample.time, 1.0);
        out += &format!("  t = {time}: {}\n", all.collect::<Vec<_>>().join(", "));
    }
    if stride > 1 {
        out += &format!("  (every {stride}th of {} samples)\n", linear.samples.len());
    }
    out
}

/// A monodromy matrix with its multipliers, for a machine.
pub fn monodromy_json(model: &Model, turn: &Monodromy) -> Value {
    json!({
        "system": model.name,
        "period": turn.period,
        "state": turn.state,
        "monodromy": rows(&turn.matrix),
        "multipliers": complex(&turn.multipliers),
        "misses": turn.misses,
    })
}

/// The same for a person.
pub fn monodromy_page(model: &Model, turn: &Monodromy) -> String {
    let title = model.title.as_deref().unwrap_or(&model.name);
    let n = turn.state.len();
    let row = |i: usize| (0..n).map(|j| turn.matrix[(i, j)]).collect();
    let numbers: Vec<Vec<f64>> = (0..n).map(row).collect();
    let mut out = format!(
        "{title} ({})\n  one turn of a periodic motion, of period {}\n",
        model.name, turn.period
    );
    out += &format!(
        "\nMonodromy matrix\n{}",
        table(&turn.state, &turn.state, &numbers, None)
    );
    out += &format!("\nFloquet multipliers\n{}", listed(&turn.multipliers));
    out += &format!("\nThe motion misses its start by {:.1e}.\n", turn.misses);
    out
}

/// Lines of a page about a motion.
const MOST_LINES: usize = 20;

/// The page for a person.
pub fn page(linear: &Linearized) -> String {
    let system = &linear.system;
    let title = linear.model.title.as_deref().unwrap_or(&linear.model.name);
    let about = match (linear.at_rest, system.steady.is_empty()) {
        (true, true) => "an equilibrium".to_owned(),
        (true, false) => {
            let all = system.steady.iter();
            let all = all.map(|c| format!("{} at rate {}", c.symmetry.name, shown(c.rate, 1.0)));
            let all = all.collect::<Vec<_>>().join(", ");
            format!("a steady motion, in the frame that moves with it: {all}")
        }
        (false, _) => "a state".to_owned(),
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
    out += "\nEigenvalues with their modes\n";
    out += &modes(system);
    out += &claims(system);
    out += &regulator(system, names, &inputs);
    if let Some(note) = note(linear) {
        out += &format!("\nNotes\n  {note}\n");
    }
    out
}

fn listed(values: &[Complex]) -> String {
    let scale = values.iter().fold(0.0, |m: f64, v| m.max(v.modulus()));
    let one = |v: &Complex| format!("  {}\n", eigenvalue(v, scale));
    values.iter().map(one).collect()
}

fn eigenvalue(v: &Complex, scale: f64) -> String {
    let (re, im) = (shown(v.re, scale), shown(v.im.abs(), scale));
    match (re.as_str(), im.as_str()) {
        (_, "0") => re,
        ("0", _) => format!("{}{im}i", if v.im < 0.0 { "-" } else { "" }),
        _ => format!("{re} {} {im}i", if v.im < 0.0 { '-' } else { '+' }),
    }
}

/// Components of a mode that are smaller than this beside the largest are left out.
const FAINT: f64 = 1e-6;

/// Eigenvalues and what moves in each; of a pair the second has the conjugate mode.
fn modes(system: &Linearization) -> String {
    let values = &system.eigen.values;
    let scale = values.iter().fold(0.0, |m: f64, v| m.max(v.modulus()));
    let mut out = String::new();
    for (value, vector) in values.iter().zip(&system.eigen.vectors) {
        let largest = vector.iter().fold(0.0, |m: f64, v| m.max(v.modulus()));
        let names = system.numbers.state.iter().zip(vector);
        let parts = names.filter(|(_, v)| v.modulus() > FAINT * largest);
        let part = |(name, v): (&String, &Complex)| {
            let scaled = Complex::new(v.re / largest, v.im / largest);
            format!("{name}: {}", eigenvalue(&scaled, 1.0))
        };
        let moved: Vec<String> = parts.map(part).collect();
        let moved = match value.im < 0.0 {
            true => "the conjugate".to_owned(),
            false => moved.join(", "),
        };
        out += &format!("  {}    {moved}\n", eigenvalue(value, scale));
    }
    out
}

fn claims(system: &Linearization) -> String {
    let mut out = String::from("\nWhat it tells\n");
    let mut all = Vec::new();
    if !system.inputs.is_empty() {
        all.push(("controllable", &system.claims.controllable));
        all.push(("stabilisable", &system.claims.stabilisable));
    }
    if !system.outputs.is_empty() {
        all.push(("observable", &system.claims.observable));
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
            let gains = |found: &Regulator| -> Vec<Vec<f64>> {
                let row = |i: usize| (0..found.gain.columns()).map(move |j| found.gain[(i, j)]);
                (0..found.gain.rows()).map(|i| row(i).collect()).collect()
            };
            let mut out = String::from("\nRegulator u = u0 - K (x - x0)\n");
            out += &table(inputs, names, &gains(found), None);
            out += "\nEigenvalues of the closed loop\n";
            out += &listed(&found.modes);
            if let Some((step, Ok(held))) = &system.sampled {
                out += &format!("\nThe same with u held over each step of {step}\n");
                out += &table(inputs, names, &gains(held), None);
            }
            out
        }
    }
}

/// A matrix with the names of its rows and columns: by formulas where all of them are short, else by numbers.
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
    let formulas = exact.map(|rows| -> Vec<Vec<String>> {
        let row = |row: &Vec<Expr>| row.iter().map(|e| text(e, &Style::unicode())).collect();
        rows.iter().map(row).collect()
    });
    let is_short = |rows: &Vec<Vec<String>>| {
        let mut all = rows.iter().flatten();
        all.all(|e| e.chars().count() <= LONGEST)
    };
    let cells = formulas.filter(is_short).unwrap_or_else(|| {
        let row = |row: &Vec<f64>| row.iter().map(|x| shown(*x, scale)).collect();
        numbers.iter().map(row).collect()
    });
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
