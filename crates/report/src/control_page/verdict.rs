//! What is told of a solution's second order and of its goal.

use crate::control::indirect::SecondOrder;
use crate::control::optimal::{Controlled, Extremum, Status, UNCONFIRMED};
use crate::number::shown;
use serde_json::{Value, json};

/// Why nothing more is told of an abnormal path.
pub(super) const ABNORMAL: &str = "the path is an abnormal extremal: the conditions of motion and ends depend on each other along it, whatever the cost, so that their multipliers are not unique or have no limit";

/// Is it a strict local minimum? Told by the inertia of the KKT matrix.
pub(super) fn second_order(found: &Controlled) -> Value {
    let s = &found.solution;
    if s.status != Status::Solved || s.cost.is_none() {
        return json!({ "verdict": "undecided", "why": "there is no stationary path to judge", "basis": "numerical" });
    }
    if !found.is_confirmed() {
        return json!({ "verdict": "undecided", "why": UNCONFIRMED, "basis": "numerical" });
    }
    if let Some(first) = found.doubts().first() {
        return json!({ "verdict": "undecided", "why": first.to_string(), "basis": "numerical" });
    }
    if s.abnormal {
        return json!({ "verdict": "undecided", "why": ABNORMAL, "basis": "numerical" });
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
                "why": format!("the routes contradict each other: a conjugate point at t = {}, and no direction in which the discrete cost falls", shown(first, 0.0)),
                "conjugate": times,
                "basis": "numerical"
            });
        }
        return json!({
            "verdict": "refuted",
            "witness": format!("a conjugate point at t = {}: beyond it the path is no minimum", shown(first, 0.0)),
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
pub(super) fn reachability(found: &Controlled) -> Value {
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
        (Status::Solved, _) if s.abnormal => json!({
            "verdict": "undecided",
            "why": format!("{ABNORMAL}: the end-point map is not surjective there"),
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
