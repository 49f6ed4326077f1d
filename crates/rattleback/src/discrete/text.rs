//! A discrete system for a person.

use super::hamilton_jacobi::behind;
use super::{ControlNumbers, Formulas, Page};
use crate::mechanics::Regularity;
use crate::number::shown;
use crate::symbolic::{Style, Verdict, text};
use std::fmt::Write;

impl Page<'_> {
    /// The page as text.
    pub fn text(&self) -> String {
        let mut page = String::new();
        let name = &self.model.name;
        let _ = match self.numbers.step {
            Some(step) => {
                let (rule, step) = (self.request.making, shown(step, 1.0));
                writeln!(page, "{name}: rule {rule}, step {step}")
            }
            None => writeln!(page, "{name}: a discrete Lagrangian"),
        };
        if self.space.positions.is_empty() {
            self.control.iter().for_each(|c| control_text(c, &mut page));
            return page;
        }
        match &self.formulas {
            Ok(formulas) => formulas_text(formulas, &mut page),
            Err(why) => {
                let _ = writeln!(page, "\n{why}");
            }
        }
        if let Some(expected) = self.numbers.expected {
            let measured = self.numbers.measured;
            let measured = measured.map_or("not measurable here".into(), |m| format!("{m:.2}"));
            let _ = writeln!(page, "\norder: expected {expected}, measured {measured}");
        }
        self.judged_text(&mut page);
        let _ = writeln!(page, "\none step from the start:");
        for (name, x) in &self.numbers.next {
            let _ = writeln!(page, "  {name} = {}", shown(*x, 1.0));
        }
        self.action_text(&mut page);
        if let Some(control) = &self.control {
            control_text(control, &mut page);
        }
        page
    }

    /// What else is measured of the discretisation.
    fn judged_text(&self, page: &mut String) {
        if let Some(order) = self.numbers.variational {
            let _ = writeln!(page, "order of L_d along a motion: {order:.2}");
        }
        if let [first, .., last] = self.numbers.conditions[..] {
            let _ = writeln!(
                page,
                "condition of the scaled D1 D2 L_d: {first:.3} at h, {last:.3} at h/4"
            );
        }
        if let Some(limit) = &self.numbers.limit {
            let [right, left] = limit.slopes;
            let _ = writeln!(
                page,
                "limit: (H+ - p_1 q_0)/h and (H- + p_0 q_1)/h tend to H = {} as h -> 0, by {right:.3} h and {left:.3} h: {}",
                shown(limit.hamiltonian, 1.0),
                if limit.is_consistent() {
                    "consistent"
                } else {
                    "not consistent"
                }
            );
        }
        for warning in &self.numbers.warnings {
            let _ = writeln!(page, "warning: {warning}");
        }
    }

    fn action_text(&self, page: &mut String) {
        let Some(found) = &self.numbers.action else {
            return;
        };
        let (action, names) = (&found.action, self.coordinates());
        let steps = action.path.len() - 1;
        let _ = writeln!(
            page,
            "\naction after {steps} steps: S = {}",
            shown(action.value, 1.0)
        );
        for (name, slope) in names.iter().zip(&action.slope) {
            let _ = writeln!(page, "  dS/d{name} = {}", shown(*slope, 1.0));
        }
        for (name, row) in names.iter().zip(action.curvature.chunks(names.len())) {
            let row: Vec<String> = row.iter().map(|x| shown(*x, 1.0)).collect();
            let _ = writeln!(page, "  d(dS/d{name}) = [{}]", row.join(", "));
        }
        if !action.caustics.is_empty() {
            let steps: Vec<String> = action.caustics.iter().map(ToString::to_string).collect();
            let _ = writeln!(page, "  caustics inside steps {}", steps.join(", "));
        }
        let r = &found.residuals;
        let told = |x: Option<f64>| x.map_or("no value".into(), |x| format!("{x:.1e}"));
        let _ = writeln!(
            page,
            "  discrete Hamilton-Jacobi residuals: right {}, left {}, backward {}, lagrangian {}",
            told(r.right),
            told(r.left),
            told(r.backward),
            told(r.lagrangian)
        );
        if let Some(e) = &r.no_value_behind {
            let _ = writeln!(page, "  {}", behind(e));
        }
        let (from, to) = found.checked;
        for (side, rolled) in ["right", "left"].into_iter().zip(&found.theorem) {
            let said = match rolled {
                Ok(rolled) => format!("generates the motion up to {:.1e}", rolled.defect),
                Err(e) => format!("refused: {e}"),
            };
            let _ = writeln!(page, "  theorem, {side}, nodes {from} to {to}: {said}");
        }
        if let Ok(t) = &found.trivialised {
            let _ = writeln!(
                page,
                "  trivialising transformation: p^ changes by {:.1e}",
                t.spread
            );
        }
        for branch in &found.branches {
            let _ = writeln!(
                page,
                "  another motion ends there: S = {}, caustics inside steps {:?}",
                shown(branch.value, 1.0),
                branch.caustics
            );
        }
    }
}

fn formulas_text(formulas: &Formulas, page: &mut String) {
    let style = Style::default();
    let mut line = |what: &str, value: String| {
        let _ = writeln!(page, "  {what} = {value}");
    };
    line("L_d", text(&formulas.lagrangian.value, &style));
    for (p, e) in &formulas.momenta {
        line(&p.to_string(), text(e, &style));
    }
    for e in &formulas.equations {
        line("0", text(e, &style));
    }
    for (name, h) in ["H+", "H-"].into_iter().zip(&formulas.hamiltonians) {
        match (&h.generic, &h.exists) {
            (Ok(found), Ok(())) => line(name, text(&found.value, &style)),
            (Ok(found), Err(e)) => line(
                name,
                format!("none here: {e}; elsewhere {}", text(&found.value, &style)),
            ),
            (Err(e), _) => line(name, format!("no formula: {e}")),
        }
    }
    let _ = writeln!(
        page,
        "\nregularity: {}",
        match &formulas.regularity {
            Regularity::Regular => "D1 D2 L_d is invertible, proven".to_owned(),
            Regularity::Degenerate { .. } =>
                "D1 D2 L_d is singular, proven: there is no map".into(),
            Regularity::Undecided { why } => format!("not decided: {why}"),
        }
    );
    for (name, verdict) in &formulas.conserved {
        let said = match verdict {
            Verdict::Proven { .. } => "is kept exactly, proven",
            Verdict::Refuted { .. } => "is not kept exactly, refuted",
            Verdict::Undecided { .. } => "is not decided",
        };
        let _ = writeln!(page, "momentum of {name}: {said}");
    }
}

/// Bellman's equation and the regulator.
pub(super) fn control_text(control: &ControlNumbers, page: &mut String) {
    let list = |values: &[f64]| -> String {
        let all: Vec<String> = values.iter().map(|x| shown(*x, 1.0)).collect();
        format!("[{}]", all.join(", "))
    };
    match &control.bellman {
        Ok(found) => {
            let steps = found.controls.len();
            let _ = writeln!(
                page,
                "\nleast cost over {steps} steps from the start: {}{}",
                shown(found.cost, 1.0),
                if found.is_maximal {
                    ""
                } else {
                    " (stationary, not least)"
                }
            );
            if let (Some(u), Some(p)) = (found.controls.first(), found.costates.first()) {
                let _ = writeln!(page, "  first control {}, costate {}", list(u), list(p));
            }
        }
        Err(why) => {
            let _ = writeln!(page, "\nno solution of Bellman's equation: {why}");
        }
    }
    match &control.lqr {
        Ok(lqr) => {
            let n = control.state.len().max(1);
            let _ = writeln!(page, "regulator u = -K x:");
            for (u, row) in control.controls.iter().zip(lqr.gains.entries().chunks(n)) {
                let _ = writeln!(page, "  K[{u}] = {}", list(row));
            }
            for (x, row) in control.state.iter().zip(lqr.value.entries().chunks(n)) {
                let _ = writeln!(page, "  P[{x}] = {}", list(row));
            }
        }
        Err(why) => {
            let _ = writeln!(page, "no regulator: {why}");
        }
    }
}
