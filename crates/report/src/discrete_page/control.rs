//! Bellman's equation and the regulator on the page of a discrete system.

use crate::control::discrete::{ControlNumbers, Lqr};
use crate::document::{Block, Document};
use crate::number::shown;
use rattleback_numeric::Dense;

fn list(values: &[f64]) -> String {
    let all: Vec<String> = values.iter().map(|x| shown(*x, 0.0)).collect();
    format!("[{}]", all.join(", "))
}

/// What control comes to in steps.
pub(super) fn control_sections(document: Document, control: &ControlNumbers) -> Document {
    let least = match &control.bellman {
        Ok(found) => {
            let kind = match found.is_maximal {
                true => "",
                false => " (stationary, not least)",
            };
            let steps = found.controls.len();
            let cost = shown(found.cost, 0.0);
            let mut lines = vec![format!(
                "least cost over {steps} steps from the start: {cost}{kind}"
            )];
            if let (Some(u), Some(p)) = (found.controls.first(), found.costates.first()) {
                lines.push(format!("first control {}, costate {}", list(u), list(p)));
            }
            lines
        }
        Err(why) => vec![format!("no solution of Bellman's equation: {why}")],
    };
    let regulator = match &control.lqr {
        Ok(lqr) => Block::Values(gains(control, lqr)),
        Err(why) => Block::Lines(vec![format!("no regulator: {why}")]),
    };
    document
        .section("Least cost", [Block::Lines(least)])
        .section("Regulator u = -K x", [regulator])
}

/// The rows of K and of P.
fn gains(control: &ControlNumbers, lqr: &Lqr) -> Vec<(String, String)> {
    let n = control.state.len().max(1);
    let rows = |matrix: &Dense| -> Vec<String> { matrix.entries().chunks(n).map(list).collect() };
    let answers = control.controls.iter().map(|u| format!("K[{u}]"));
    let values = control.state.iter().map(|x| format!("P[{x}]"));
    let answers = answers.zip(rows(&lqr.gains));
    answers.chain(values.zip(rows(&lqr.value))).collect()
}
