//! A discrete system for a person.

use super::{Formulas, Page};
use crate::mechanics::Regularity;
use crate::number::shown;
use crate::symbolic::{Style, Verdict, text};
use std::fmt::Write;

impl Page<'_> {
    /// The page as text.
    pub fn text(&self) -> String {
        let mut page = String::new();
        let step = shown(self.numbers.step, 1.0);
        let rule = self.request.making;
        let _ = writeln!(page, "{}: rule {rule}, step {step}", self.model.name);
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
        let _ = writeln!(page, "\none step from the start:");
        for (name, x) in &self.numbers.next {
            let _ = writeln!(page, "  {name} = {}", shown(*x, 1.0));
        }
        self.action_text(&mut page);
        page
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
            "  discrete Hamilton-Jacobi residuals: right {}, left {}, lagrangian {:.1e}",
            told(r.right),
            told(r.left),
            r.lagrangian
        );
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
