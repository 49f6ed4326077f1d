//! The solution of a problem with ends for a machine (CLI.md).

use super::verdict::{reachability, second_order};
use super::{advice, warnings};
use crate::control::optimal::{Controlled, Status};
use serde_json::{Map, Value, json};

/// The page for a machine.
pub(super) fn json(found: &Controlled) -> Value {
    let (s, path) = (&found.solution, &found.solution.trajectory);
    let solved = s.status == Status::Solved;
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| out.insert(key.into(), value);
    put("system", found.system.clone().into());
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
        let names = found.names.costates.iter().map(|c| c.label().to_owned());
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
pub(super) fn number(x: Option<f64>) -> Value {
    x.filter(|x| x.is_finite()).map_or(Value::Null, Value::from)
}

/// State and controls at a node.
fn end(found: &Controlled, k: usize) -> Value {
    let path = &found.solution.trajectory;
    let state = found.names.state.iter().map(|s| s.name.clone());
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

/// The mean, and the largest distance from the first value.
pub(super) fn mean_and_spread(values: &[f64]) -> Option<(f64, f64)> {
    let first = values.first()?;
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let spread = values.iter().map(|v| (v - first).abs());
    Some((mean, spread.fold(0.0, f64::max)))
}

fn trajectory(found: &Controlled) -> Value {
    let path = &found.solution.trajectory;
    let mut out = Map::new();
    let column = |values: &mut dyn Iterator<Item = f64>| -> Value {
        values.map(|x| number(Some(x))).collect()
    };
    out.insert("t".into(), column(&mut path.times.iter().copied()));
    for (i, state) in found.names.state.iter().enumerate() {
        let values = column(&mut path.states.iter().map(|x| x[i]));
        out.insert(state.name.clone(), values);
    }
    for (i, name) in found.names.controls.iter().enumerate() {
        let values = column(&mut path.controls.iter().map(|u| u[i]));
        out.insert(name.clone(), values);
    }
    for (i, costate) in found.names.costates.iter().enumerate() {
        let values = column(&mut path.costates.iter().map(|p| p[i]));
        out.insert(costate.symbol.clone(), values);
    }
    out.into()
}
