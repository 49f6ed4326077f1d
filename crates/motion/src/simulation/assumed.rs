//! What the model assumes of positions and velocities, watched along a motion.
//!
//! Formulas are simplified under assumptions: where one of them breaks, the equations are no longer those of the model.

use crate::compiled::Compiled;
use rattleback_compile::Motion;
use rattleback_mechanics::{Origin, Problem, Relation};
use rattleback_symbolic::{Expr, MissingInput};

/// Sides that differ by this part are equal to the accuracy of a motion.
const ROUNDING: f64 = 1e-8;

/// The compiled assumptions, both sides of each.
#[derive(Clone)]
pub(super) struct Assumed {
    sides: Compiled,
    relations: Vec<(Relation, String)>,
    values: Vec<f64>,
}

impl Assumed {
    /// Those of a problem that the state of a motion determines; none where there are none.
    pub(super) fn of(problem: &Problem, motion: &Motion) -> Result<Option<Self>, MissingInput> {
        let frame = problem.system.frame();
        let moving = problem.assumptions.iter().filter(|a| {
            let mut sides = [&a.lhs, &a.rhs].into_iter();
            sides.any(|e| e.contains_any(frame.base()) || e.contains_any(frame.fibre()))
        });
        let mut sides: Vec<Expr> = Vec::new();
        let mut relations = Vec::new();
        for a in moving {
            let both = motion.express(&[a.lhs.clone(), a.rhs.clone()]);
            if motion.program(&both).is_ok() {
                sides.extend(both);
                relations.push((a.relation, words(a.origin, &a.text)));
            }
        }
        if relations.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self {
            sides: Compiled::new(motion.program(&sides)?),
            values: vec![0.0; sides.len()],
            relations,
        }))
    }

    /// What the motion does where one does not hold, with inputs (t, x, …).
    pub(super) fn broken(&mut self, inputs: &[f64]) -> Option<&str> {
        self.sides.call(inputs, &mut self.values).ok()?;
        let pairs = self.values.chunks_exact(2).zip(&self.relations);
        let broken = |(sides, (relation, _)): &(&[f64], &(Relation, String))| {
            let scale = sides[0].abs().max(sides[1].abs()).max(1.0);
            let is_clear = (sides[0] - sides[1]).abs() > ROUNDING * scale;
            let order = sides[0].partial_cmp(&sides[1]);
            is_clear && order.is_some_and(|order| !relation.holds(order))
        };
        let found = pairs.into_iter().find(broken);
        found.map(|(_, (_, text))| text.as_str())
    }
}

/// What a motion does that breaks it.
fn words(origin: Origin, text: &str) -> String {
    match origin {
        Origin::Domain(_) => format!("leaves the domain of the model, `{text}`,"),
        _ => format!("breaks the assumption `{text}` of the model"),
    }
}
