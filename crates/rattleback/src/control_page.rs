//! The solution of a problem with ends, for a person, for a machine and as a table.

use crate::control::indirect::SecondOrder;
use crate::control::optimal::{Extremum, Kind, Scheme, Status};
use crate::language::Source;
use crate::mechanics::SlotRole;
use crate::number::shown;
use crate::report::{Column, ColumnKind, Metadata, Table};
use crate::session::Controlled;
use serde_json::{Map, Value, json};

/// The page for a machine.
pub fn json(found: &Controlled) -> Value {
    let (s, path) = (&found.solution, &found.solution.trajectory);
    let solved = s.status == Status::Solved;
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| out.insert(key.into(), value);
    put("system", found.model.name.clone().into());
    put("problem", found.kind.name().into());
    put("status", s.status.name().into());
    put("converged", solved.into());
    put("cost", number(s.cost));
    put("cost_error", number(s.cost_error));
    put("final_time", number(path.times.last().copied()));
    let free = found.free.iter().cloned().zip(&s.free);
    put(
        "free",
        free.map(|(n, x)| (n, json!(x)))
            .collect::<Map<_, _>>()
            .into(),
    );
    put("scheme", s.scheme.name().into());
    put("order", json!(s.scheme.order()));
    put("nodes", s.nodes.into());
    put("iterations", s.iterations.into());
    put("optimality_residual", number(Some(s.optimality)));
    put("constraint_residual", number(Some(s.infeasibility)));
    put("start", end(found, 0));
    put("final", end(found, path.times.len() - 1));
    let costates = |k: usize| -> Value {
        let names = found.names.costates.iter().cloned();
        let values = path.costates[k].iter().map(|x| number(Some(*x)));
        names.zip(values).collect::<Map<_, _>>().into()
    };
    put(
        "costates",
        json!({ "start": costates(0), "final": costates(path.times.len() - 1) }),
    );
    put("hamiltonian", hamiltonian(found));
    let momenta = found.momenta.iter();
    let momenta =
        momenta.map(|(name, mean, spread)| json!({ "name": name, "mean": mean, "spread": spread }));
    put("momenta", momenta.collect());
    let polished = found.polished.as_ref();
    put(
        "routes",
        json!({
            "direct": { "cost": number(s.cost) },
            "indirect": polished.map(|p| json!({ "cost": number(Some(p.cost)) })),
            "largest_difference": number(polished.map(|p| p.difference)),
        }),
    );
    put("second_order", second_order(found));
    put("reachability", reachability(found));
    let extremals = s.extremals.iter();
    let extremals = extremals.map(|(cost, kind)| json!({ "cost": cost, "kind": kind.name() }));
    put("extremals", extremals.collect());
    put("replay_error", number(found.replay_error));
    put("wall_seconds", found.wall_seconds.into());
    put("derive_seconds", found.derive_seconds.into());
    put("compile_seconds", s.seconds[0].into());
    put("solve_seconds", s.seconds[1].into());
    if let Some(why) = &found.resisting {
        put("resisting", why.clone().into());
    }
    if let Some(advice) = advice(found) {
        put("try", advice.into());
    }
    put("warnings", warnings(found).into());
    put("notes", found.notes.clone().into());
    put("trajectory", trajectory(found));
    out.into()
}

/// A number, or null where it is none.
fn number(x: Option<f64>) -> Value {
    x.filter(|x| x.is_finite()).map_or(Value::Null, Value::from)
}

/// State and controls at a node.
fn end(found: &Controlled, k: usize) -> Value {
    let path = &found.solution.trajectory;
    let state = found.names.state.iter().map(|(n, _)| n.clone());
    let state = state.zip(&path.states[k]);
    let controls = found.names.controls.iter().cloned().zip(&path.controls[k]);
    let all = state.chain(controls).map(|(n, x)| (n, number(Some(*x))));
    all.collect::<Map<_, _>>().into()
}

fn hamiltonian(found: &Controlled) -> Value {
    match mean_and_spread(&found.solution.trajectory.hamiltonian) {
        Some((mean, spread)) => {
            json!({ "mean": number(Some(mean)), "spread": number(Some(spread)) })
        }
        None => Value::Null,
    }
}

fn mean_and_spread(values: &[f64]) -> Option<(f64, f64)> {
    let first = values.first()?;
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let spread = values.iter().map(|v| (v - first).abs());
    Some((mean, spread.fold(0.0, f64::max)))
}

/// Why a path is no motion for sure.
const UNCONFIRMED: &str = "the motion under the found controls ends elsewhere, and the necessary conditions do not confirm the path";

/// Is it a strict local minimum? Told by the inertia of the KKT matrix.
fn second_order(found: &Controlled) -> Value {
    let s = &found.solution;
    if s.status != Status::Solved || s.cost.is_none() {
        return json!({ "verdict": "undecided", "why": "there is no stationary path to judge", "basis": "numerical" });
    }
    if !found.is_confirmed() {
        return json!({ "verdict": "undecided", "why": UNCONFIRMED, "basis": "numerical" });
    }
    let jacobi = found
        .polished
        .as_ref()
        .and_then(|p| p.second_order.as_ref());
    if let Some(SecondOrder::Conjugate(times)) = jacobi {
        let first = times.first().copied().unwrap_or(f64::NAN);
        if s.extremum == Extremum::Minimum {
            return json!({
                "verdict": "undecided",
                "why": format!("the routes contradict each other: a conjugate point at t = {}, and no direction in which the discrete cost falls", shown(first, 1.0)),
                "conjugate": times,
                "basis": "numerical"
            });
        }
        return json!({
            "verdict": "refuted",
            "witness": format!("a conjugate point at t = {}: beyond it the path is no minimum", shown(first, 1.0)),
            "conjugate": times,
            "basis": "numerical"
        });
    }
    match s.extremum {
        Extremum::Minimum => json!({
            "verdict": "proven",
            "how": "the KKT matrix of the discrete problem has as many positive eigenvalues as there are variables and as many negative ones as constraints",
            "basis": "numerical"
        }),
        // Where bounds hold the path, multipliers that have no limit look like directions of descent.
        Extremum::Saddle | Extremum::Maximum if found.bounded => json!({
            "verdict": "undecided",
            "why": "the KKT matrix has directions of descent, which bounds or abnormal multipliers may close",
            "basis": "numerical"
        }),
        Extremum::Saddle | Extremum::Maximum => json!({
            "verdict": "refuted",
            "witness": format!("the cost falls along {} independent directions of second order", s.descents.unwrap_or(0)),
            "basis": "numerical"
        }),
        Extremum::Unknown => json!({
            "verdict": "undecided",
            "why": "the KKT matrix of the discrete problem is singular to working precision",
            "basis": "numerical"
        }),
    }
}

/// Reached within the residual, with constraints that are independent there.
fn reachability(found: &Controlled) -> Value {
    let s = &found.solution;
    let accessible = found.reach.accessible;
    if let Some(why) = &found.reach.excluded {
        return json!({ "verdict": "refuted", "witness": why.to_string(), "accessible": accessible });
    }
    match (s.status, s.extremum) {
        (Status::Solved, _) if !found.is_confirmed() => json!({
            "verdict": "undecided",
            "why": UNCONFIRMED,
            "accessible": accessible
        }),
        (Status::Solved, Extremum::Minimum | Extremum::Saddle | Extremum::Maximum) => json!({
            "verdict": "proven",
            "how": "the path reaches the goal within the residual, and the conditions are independent there",
            "basis": "numerical",
            "accessible": accessible
        }),
        _ => json!({
            "verdict": "undecided",
            "why": "no path that reaches the goal with independent conditions was found",
            "accessible": accessible
        }),
    }
}

fn trajectory(found: &Controlled) -> Value {
    let path = &found.solution.trajectory;
    let mut out = Map::new();
    let column = |values: &mut dyn Iterator<Item = f64>| -> Value {
        values.map(|x| number(Some(x))).collect()
    };
    out.insert("t".into(), column(&mut path.times.iter().copied()));
    for (i, (name, _)) in found.names.state.iter().enumerate() {
        let values = column(&mut path.states.iter().map(|x| x[i]));
        out.insert(name.clone(), values);
    }
    for (i, name) in found.names.controls.iter().enumerate() {
        let values = column(&mut path.controls.iter().map(|u| u[i]));
        out.insert(name.clone(), values);
    }
    for (i, name) in costate_columns(found).into_iter().enumerate() {
        let values = column(&mut path.costates.iter().map(|p| p[i]));
        out.insert(name, values);
    }
    out.into()
}

/// The names of costates beside those of the state: `p_x`, `p_x'`.
fn costate_columns(found: &Controlled) -> Vec<String> {
    let plain = |name: &String| match name.starts_with("p_") {
        true => name.clone(),
        false => format!("p_{name}"),
    };
    found.names.costates.iter().map(plain).collect()
}

/// The rows of the path: time, state, controls, costates.
pub fn rows(found: &Controlled) -> impl Iterator<Item = Vec<f64>> + '_ {
    let path = &found.solution.trajectory;
    (0..path.times.len()).map(|k| {
        let row = [
            &path.times[k..=k],
            &path.states[k],
            &path.controls[k],
            &path.costates[k],
        ];
        row.concat()
    })
}

/// The table of the path.
pub fn table(found: &Controlled, source: &Source) -> Table {
    let mut columns = vec![Column::new("t", ColumnKind::Time)];
    for (name, role) in &found.names.state {
        let kind = match role {
            SlotRole::Position if name.contains('[') => ColumnKind::GroupEntry,
            SlotRole::Position | SlotRole::Auxiliary => ColumnKind::Line,
            _ => ColumnKind::Velocity,
        };
        columns.push(Column::new(name, kind));
    }
    for name in &found.names.controls {
        columns.push(Column::new(name, ColumnKind::Control));
    }
    for name in costate_columns(found) {
        columns.push(Column::new(&name, ColumnKind::Momentum));
    }
    let s = &found.solution;
    let mut metadata = Metadata::new().with(Metadata::SYSTEM, &found.model.name);
    if let Some(title) = &found.model.title {
        metadata.set(Metadata::TITLE, title);
    }
    let metadata = metadata
        .with("problem", found.kind.name())
        .with("status", s.status.name())
        .with(Metadata::METHOD, s.scheme.name())
        .with(Metadata::VERSION, env!("CARGO_PKG_VERSION"))
        .with(Metadata::MODEL, source.text());
    Table::new(columns).described(metadata)
}

/// What is less than it was asked for.
fn warnings(found: &Controlled) -> Vec<String> {
    let s = &found.solution;
    let mut all = Vec::new();
    if s.mesh_limit && s.status == Status::Solved {
        all.push(format!(
            "the mesh has reached its limit of {} intervals; the cost is known to {} only",
            s.nodes,
            s.cost_error.map_or("?".into(), |e| shown(e, 1.0))
        ));
    }
    let path = &s.trajectory;
    let flat: Vec<f64> = (path.times.iter().zip(&path.flat))
        .filter(|(_, flat)| **flat)
        .map(|(t, _)| *t)
        .collect();
    if let (Status::Solved, Some(first), Some(last)) = (s.status, flat.first(), flat.last())
        && 20 * flat.len() > path.times.len()
    {
        all.push(format!(
            "a singular arc: between t = {} and t = {} neither bounds nor the second derivatives of H determine the controls at {} of {} nodes",
            shown(*first, 1.0), shown(*last, 1.0), flat.len(), path.times.len()
        ));
    }
    if s.status == Status::Solved && !found.is_confirmed() {
        all.push(UNCONFIRMED.into());
    }
    if s.status == Status::Solved && s.extremum == Extremum::Unknown {
        all.push("the second-order conditions could not be told: some direction is flat to working precision".into());
    }
    all
}

/// What to try where it failed.
pub fn advice(found: &Controlled) -> Option<&'static str> {
    Some(match found.solution.status {
        Status::Solved => return None,
        Status::Infeasible => {
            "try another first iterate (`guess`, --starts 8), a longer or free time, or wider bounds"
        }
        Status::Unreachable => "change the goal to what the invariants allow",
        Status::Unbounded => {
            "bound what runs away: a `bound` on the free numbers or the state, or a cost on them"
        }
        Status::Degenerate => "try another scheme, such as --scheme hermite-simpson",
        Status::Singular => "add a cost on the controls, or bound them",
        Status::IterationLimit => {
            "try another first iterate (`guess`, --starts 8), or more intervals with --nodes"
        }
        Status::Interrupted => "go on from the file with --guess FILE",
    })
}

/// The page for a person.
pub fn page(found: &Controlled) -> String {
    let (s, path) = (&found.solution, &found.solution.trajectory);
    let title = found.model.title.as_deref().unwrap_or(&found.model.name);
    let mut out = format!("{title} ({})\n", found.model.name);
    let line = |out: &mut String, name: &str, text: String| {
        *out += &format!("  {name:<14}{text}\n");
    };
    line(&mut out, "problem", words(found.kind).into());
    line(&mut out, "status", s.status.name().into());
    if let Some(cost) = s.cost {
        let error = match (s.cost_error, s.scheme) {
            (_, Scheme::Map) => String::new(),
            (Some(e), _) => format!("  (relative error about {e:.0e})"),
            (None, _) => "  (of the discrete problem)".into(),
        };
        let name = if found.kind == Kind::BoundaryValue {
            "action"
        } else {
            "cost"
        };
        line(&mut out, name, format!("{cost:.10}{error}"));
    }
    if let Some(t) = path.times.last() {
        line(&mut out, "final time", shown(*t, 1.0));
    }
    for (name, x) in found.free.iter().zip(&s.free) {
        line(&mut out, name, format!("{x:.10}"));
    }
    line(
        &mut out,
        "mesh",
        format!("{} intervals, {}", s.nodes, s.scheme),
    );
    line(
        &mut out,
        "solver",
        format!(
            "{} iterations, optimality {:.1e}, constraints {:.1e}",
            s.iterations, s.optimality, s.infeasibility
        ),
    );
    if s.status == Status::Solved && s.cost.is_some() && found.is_confirmed() {
        let kind = match s.extremum {
            Extremum::Minimum => "a strict local minimum, by the inertia of the KKT matrix",
            Extremum::Saddle => "a stationary path that is no minimum",
            Extremum::Maximum => "a maximum",
            Extremum::Unknown => "not told: a direction is flat to working precision",
        };
        line(&mut out, "second order", kind.into());
    }
    if let Some((mean, spread)) = mean_and_spread(&path.hamiltonian) {
        line(
            &mut out,
            "Hamiltonian",
            format!("{mean:.8}, largest change {spread:.1e}"),
        );
    }
    if let Some(p) = &found.polished {
        let text = format!(
            "the necessary conditions give {:.10}; cost and states differ by {:.1e}",
            p.cost, p.difference
        );
        line(&mut out, "both routes", text);
        if let Some(SecondOrder::Conjugate(times)) = &p.second_order {
            let times: Vec<String> = times.iter().map(|t| shown(*t, 1.0)).collect();
            line(
                &mut out,
                "conjugate",
                format!("at t = {}", times.join(", ")),
            );
        }
    }
    for (name, mean, spread) in &found.momenta {
        let text = format!("{mean:.8}, largest change {spread:.1e}");
        line(&mut out, &format!("momentum {name}"), text);
    }
    if let Some(error) = found.replay_error {
        let text = format!("the controls lead to the end within {error:.1e}");
        line(&mut out, "replay", text);
    }
    if s.extremals.len() > 1 {
        let all: Vec<String> = (s.extremals.iter())
            .map(|(cost, kind)| format!("{} ({})", shown(*cost, 1.0), kind.name()))
            .collect();
        line(&mut out, "extremals", all.join(", "));
    }
    let values = |k: usize| -> String {
        let state = found
            .names
            .state
            .iter()
            .map(|(n, _)| n)
            .zip(&path.states[k]);
        let controls = found.names.controls.iter().zip(&path.controls[k]);
        let all = state
            .chain(controls)
            .map(|(n, x)| format!("{n} = {}", shown(*x, 1.0)));
        all.collect::<Vec<_>>().join(", ")
    };
    line(&mut out, "start", values(0));
    line(&mut out, "end", values(path.times.len() - 1));
    let costates = found.names.costates.iter().zip(&path.costates[0]);
    let costates: Vec<String> = costates
        .map(|(n, x)| format!("{n}: {}", shown(*x, 1.0)))
        .collect();
    line(&mut out, "costates", costates.join(", "));
    for text in warnings(found) {
        line(&mut out, "warning", text);
    }
    for text in &found.notes {
        line(&mut out, "note", text.clone());
    }
    out
}

/// Why it failed, where, and what to try.
pub fn failure(found: &Controlled) -> Option<String> {
    let status = found.solution.status;
    let advice = advice(found)?;
    let what = match status {
        Status::Infeasible => "no path satisfies the conditions near the last iterate",
        Status::Unbounded => "the cost has no least value: something runs away",
        Status::IterationLimit => "the iteration did not come to an end",
        Status::Interrupted => "interrupted: this is the best iterate so far",
        Status::Unreachable => "the goal cannot be reached",
        Status::Degenerate => "the discretisation leaves free directions",
        Status::Singular => "the conditions do not determine the controls",
        Status::Solved => return None,
    };
    let resisting = found
        .resisting
        .as_ref()
        .map_or(String::new(), |r| format!(": {r}"));
    Some(format!("{what}{resisting}\n  help: {advice}"))
}

fn words(kind: Kind) -> &'static str {
    match kind {
        Kind::OptimalControl => "optimal control",
        Kind::ParameterOptimisation => "free numbers and start values of least cost",
        Kind::BoundaryValue => "stationary curve between ends",
    }
}
