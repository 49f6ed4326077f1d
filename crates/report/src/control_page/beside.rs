//! What a solution has beside its path: the way by flat outputs, and feedback.

use super::data::number;
use super::digits::in_full;
use crate::control::optimal::{Feedback, FlatRoute, Status};
use crate::number::shown;
use crate::symbolic::{Expr, Style, Symbol, latex};
use crate::{Column, ColumnKind};
use serde_json::{Map, Value, json};

/// A formula for a machine.
fn formula(e: &Expr) -> Value {
    json!({ "text": e.to_string(), "latex": latex(e, &Style::ascii()) })
}

fn formulas(all: &[(Symbol, Expr)]) -> Value {
    let pairs = all.iter().map(|(s, e)| (s.to_string(), formula(e)));
    pairs.collect::<Map<_, _>>().into()
}

/// The flat route for a machine.
pub(super) fn flat_json(flat: &FlatRoute) -> Value {
    let f = &flat.flatness;
    let outputs = f.outputs.iter().cloned().zip(f.of_state.iter().cloned());
    json!({
        "outputs": formulas(&outputs.collect::<Vec<_>>()),
        "state": formulas(&f.state),
        "controls": formulas(&f.controls),
        "lagrangian": formula(&f.lagrangian),
        "order": f.order,
        "status": flat.status.name(),
        "cost": number(flat.cost),
        "largest_difference": number(Some(flat.difference)),
    })
}

/// The flat route for a person.
pub(super) fn flat_rows(flat: &FlatRoute) -> Vec<(String, String)> {
    let f = &flat.flatness;
    let equal = |all: &[(Symbol, Expr)]| -> String {
        let pairs = all.iter().map(|(s, e)| format!("{s} = {e}"));
        pairs.collect::<Vec<_>>().join(", ")
    };
    let outputs = f.outputs.iter().cloned().zip(f.of_state.iter().cloned());
    let outputs: Vec<(Symbol, Expr)> = outputs.collect();
    let relations = [&f.state[..], &f.controls].concat();
    let outcome = match (flat.status, flat.cost) {
        (Status::Solved, Some(cost)) => format!(
            "without dynamics the cost is {}; cost and states differ by {:.1e}",
            in_full(cost),
            flat.difference
        ),
        (status, _) => format!("the problem without dynamics: {}", status.name()),
    };
    let outputs = format!("{} (proven): {}", equal(&outputs), equal(&relations));
    vec![("flat outputs".into(), outputs), (String::new(), outcome)]
}

/// Feedback for a machine.
pub(super) fn feedback_json(feedback: &Feedback, controls: &[String]) -> Value {
    let n = feedback.directions.len();
    let by_rows = |k: &Vec<f64>| -> Value { k.chunks(n).map(|row| json!(row)).collect() };
    let named = |names: &[String], values: &[f64]| -> Value {
        let pairs = names.iter().cloned().zip(values.iter().map(|x| json!(x)));
        pairs.collect::<Map<_, _>>().into()
    };
    let disturbed = feedback.disturbed.iter().map(|d| {
        json!({
            "direction": feedback.directions[d.direction],
            "by": d.by,
            "open": number(d.open),
            "closed": number(d.closed),
        })
    });
    let (open, closed) = feedback.worst();
    json!({
        "state": feedback.directions,
        "controls": controls,
        "sizes": {
            "state": named(&feedback.directions, &feedback.sizes.0),
            "controls": named(controls, &feedback.sizes.1),
        },
        "gains": feedback.gains.iter().map(by_rows).collect::<Vec<_>>(),
        "disturbed": disturbed.collect::<Vec<_>>(),
        "largest": { "open": number(open), "closed": number(closed) },
    })
}

/// Feedback for a person.
pub(super) fn feedback_rows(feedback: &Feedback, controls: &[String]) -> Vec<(String, String)> {
    let n = feedback.directions.len();
    let mut rows = Vec::new();
    for (i, u) in controls.iter().enumerate() {
        let row = &feedback.gains[0][i * n..(i + 1) * n];
        let gains = feedback.directions.iter().zip(row);
        let gains: Vec<String> = gains
            .map(|(d, k)| format!("{d}: {}", shown(*k, 0.0)))
            .collect();
        let said = format!("{u} at the start: {}", gains.join(", "));
        rows.push(("gains".into(), said));
    }
    let size =
        |x: Option<f64>| x.map_or("more than can be followed".into(), |x| format!("{x:.1e}"));
    let (open, closed) = feedback.worst();
    let by = feedback
        .disturbed
        .first()
        .map_or(0.0, |d| d.by / feedback.sizes.0[d.direction]);
    let said = format!(
        "starts disturbed by {} of the path's range end off by {} with the loop open, {} with it closed",
        shown(by, 0.0),
        size(open),
        size(closed)
    );
    rows.push(("feedback".into(), said));
    rows
}

/// The columns of the gains: `K_u_x` is how much u answers to x.
pub fn gain_columns(feedback: &Feedback, controls: &[String]) -> Vec<Column> {
    let pairs = controls.iter().flat_map(|u| {
        let directions = feedback.directions.iter();
        directions.map(move |d| Column::new(format!("K_{u}_{d}"), ColumnKind::Other))
    });
    pairs.collect()
}
