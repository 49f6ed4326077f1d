//! Jacobi's action on the page of a discrete system.

use super::Page;
use crate::control::discrete::{HamiltonJacobi, behind};
use crate::discrete::Scan;
use crate::document::{Block, Document};
use crate::number::shown;

/// So many other motions are listed, those of least action.
const LISTED: usize = 8;

impl Page<'_> {
    /// The action at a point, where it was asked for.
    pub(super) fn action_section(&self, document: Document) -> Document {
        let Some(found) = &self.found.numbers.action else {
            return document;
        };
        let steps = found.action.path.len() - 1;
        let heading = format!("Action after {steps} steps");
        document.section(
            heading,
            [Block::Values(self.jets(found)), Block::Lines(judged(found))],
        )
    }

    /// S with its derivatives.
    fn jets(&self, found: &HamiltonJacobi) -> Vec<(String, String)> {
        let (action, names) = (&found.action, self.coordinates());
        let mut values = vec![("S".to_owned(), shown(action.value, 0.0))];
        for (name, slope) in names.iter().zip(&action.slope) {
            values.push((format!("dS/d{name}"), shown(*slope, 0.0)));
        }
        for (name, row) in names
            .iter()
            .zip(action.curvature.chunks(names.len().max(1)))
        {
            let row: Vec<String> = row.iter().map(|x| shown(*x, 0.0)).collect();
            values.push((format!("d(dS/d{name})"), format!("[{}]", row.join(", "))));
        }
        values
    }
}

/// How well the action fulfils its equations, and what else is true of it.
fn judged(found: &HamiltonJacobi) -> Vec<String> {
    let mut lines = Vec::new();
    let caustics = &found.action.caustics;
    if !caustics.is_empty() {
        let steps: Vec<String> = caustics.iter().map(ToString::to_string).collect();
        lines.push(format!("caustics inside steps {}", steps.join(", ")));
    }
    let r = &found.residuals;
    let told = |x: Option<f64>| x.map_or("no value".into(), |x| format!("{x:.1e}"));
    lines.push(format!(
        "discrete Hamilton-Jacobi residuals: right {}, left {}, backward {}, lagrangian {}",
        told(r.right),
        told(r.left),
        told(r.backward),
        told(r.lagrangian)
    ));
    lines.extend(r.no_value_behind.as_ref().map(behind));
    let (from, to) = found.checked;
    for (side, rolled) in ["right", "left"].into_iter().zip(&found.theorem) {
        let said = match rolled {
            Ok(rolled) => format!("generates the motion up to {:.1e}", rolled.defect),
            Err(e) => format!("refused: {e}"),
        };
        lines.push(format!("theorem, {side}, nodes {from} to {to}: {said}"));
    }
    if let Ok(t) = &found.trivialised {
        let spread = t.spread;
        lines.push(format!(
            "trivialising transformation: p^ changes by {spread:.1e}"
        ));
    }
    for branch in found.branches.iter().take(LISTED) {
        let value = shown(branch.value, 0.0);
        let steps = &branch.caustics;
        lines.push(format!(
            "another motion ends there: S = {value}, caustics inside steps {steps:?}"
        ));
    }
    if let [.., last] = found.branches.get(LISTED..).unwrap_or_default() {
        let (more, value) = (found.branches.len() - LISTED, shown(last.value, 0.0));
        lines.push(format!("and {more} more, with S up to {value}"));
    }
    lines.push(match &found.scan {
        Some(scan) => searched(scan),
        None => "other motions to this point are looked for behind its first caustic only: there may be more".into(),
    });
    lines
}

/// How far other motions were looked for.
fn searched(scan: &Scan) -> String {
    let (from, to) = scan.range;
    let places = format!(
        "other motions were looked for that begin between {} and {}",
        shown(from, 0.0),
        shown(to, 0.0)
    );
    match scan.is_resolved {
        true => places,
        false => {
            format!("{places}, where ends depend so steeply on the start that some may be missing")
        }
    }
}
