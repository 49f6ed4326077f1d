//! Solves that stay: big systems are shown as the equations that determine their unknowns.

use crate::document::length::{Limit, left_out, written_length};
use crate::document::{Block, Section};
use crate::mechanics::{Equations, Stage};

/// Beyond this many unknowns a system is summarised.
const MOST_UNKNOWNS: usize = 12;

/// One section per solve.
pub fn sections(equations: &Equations, limit: Limit) -> Vec<Section> {
    equations
        .stages
        .iter()
        .map(|stage| section(stage, limit))
        .collect()
}

fn section(stage: &Stage, limit: Limit) -> Section {
    let heading = match stage {
        Stage::Linear { .. } => "Linear equations for ",
        Stage::Implicit { .. } => "To be solved by iteration for ",
    };
    let rows = stage.rows();
    let length = rows
        .iter()
        .map(|(l, r)| written_length(l).saturating_add(written_length(r)));
    let length = length.fold(0, u64::saturating_add);
    let few = rows.len() <= MOST_UNKNOWNS || limit == Limit::FULL;
    let body = if few && limit.times(rows.len()).allows(length) {
        Block::Equations(rows)
    } else {
        let size = rows.len();
        let system = match stage {
            Stage::Linear { matrix, .. } => {
                let filled = matrix.entries().iter().filter(|e| !e.is_zero()).count();
                format!("M a = f with a {size} by {size} matrix M, {filled} entries not zero")
            }
            Stage::Implicit { .. } => format!("{size} equations"),
        };
        Block::Lines(vec![left_out(&system, length)])
    };
    Section {
        of: stage.unknowns().to_vec(),
        ..Section::new(heading, [body])
    }
}
