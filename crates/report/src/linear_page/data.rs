//! Linear systems for a machine (CLI.md).

use super::notes;
use crate::control::{Claim, Linearized, LinearizedAlong, Monodromy, Regulated};
use crate::mechanics::LinearSystem;
use crate::mechanics::Problem;
use crate::symbolic::Expr;
use rattleback_numeric::{Complex, Dense, Regulator};
use serde_json::{Map, Value, json};

/// The page for a machine.
pub(super) fn json(linear: &Linearized) -> Value {
    let system = &linear.system;
    let numbers = &system.numbers;
    let exact = system.exact.as_ref().ok();
    let matrix = |of: fn(&LinearSystem<f64>) -> &Vec<Vec<f64>>,
                  by: fn(&LinearSystem<Expr>) -> &Vec<Vec<Expr>>| {
        entries(of(numbers), exact.map(by))
    };
    let mut out = Map::new();
    out.insert("system".into(), linear.name.clone().into());
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
    if let Some(regulated) = &system.regulated {
        regulators(&mut out, regulated);
    }
    let notes = notes(linear);
    if !notes.is_empty() {
        out.insert("notes".into(), json!(notes));
    }
    out.into()
}

/// `lqr` with `sampled` and `modulo`, or `why` there is none.
fn regulators(out: &mut Map<String, Value>, regulated: &Regulated) {
    let found = match &regulated.continuous {
        Ok(found) => found,
        Err(why) => {
            out.insert("lqr".into(), Value::Null);
            out.insert("why".into(), json!({ "lqr": why.to_string() }));
            return;
        }
    };
    let mut lqr = told(found);
    match &regulated.sampled {
        None => {}
        Some((step, Ok(held))) => {
            lqr["sampled"] = told(held);
            lqr["sampled"]["step"] = json!(step);
        }
        Some((_, Err(why))) => lqr["sampled"] = json!({ "why": why.to_string() }),
    }
    let modulo = regulated.unheld.iter().map(|u| u.name.as_str());
    let modulo: Vec<&str> = modulo.collect();
    if !modulo.is_empty() {
        lqr["modulo"] = json!(modulo);
    }
    out.insert("lqr".into(), lqr);
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

/// Linear systems along a motion, for a machine: one entry per sample.
pub(super) fn along_json(linear: &LinearizedAlong) -> Value {
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
        "system": linear.name,
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

/// A monodromy matrix with its multipliers, for a machine.
pub(super) fn monodromy_json(problem: &Problem, turn: &Monodromy) -> Value {
    json!({
        "system": problem.system.name(),
        "period": turn.period,
        "state": turn.state,
        "monodromy": rows(&turn.matrix),
        "multipliers": complex(&turn.multipliers),
        "misses": turn.misses,
    })
}
