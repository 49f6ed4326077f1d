//! What the model assumes of its parameters, for each member.

use crate::simulation::SimulationError;
use rattleback_compile::Motion;
use rattleback_mechanics::{Problem, Relation};
use rattleback_native::Function;

/// The assumptions that varied parameters may break.
pub(super) struct Assumptions {
    /// Left and right sides, of what is varied.
    sides: Function,
    relations: Vec<Relation>,
}

impl Assumptions {
    pub fn of(motion: &Motion, problem: &Problem) -> Result<Self, SimulationError> {
        let (sides, relations) = motion.assumptions(problem)?;
        Ok(Self {
            sides: Function::new(sides),
            relations,
        })
    }

    /// Do they hold for a member?
    pub fn hold(&self, given: &[f64]) -> bool {
        if self.relations.is_empty() {
            return true;
        }
        let mut sides = vec![0.0; 2 * self.relations.len()];
        let found = self.sides.call(given, &mut sides, &mut self.sides.memory());
        let holds = |(relation, sides): (&Relation, &[f64])| {
            let order = sides[0].partial_cmp(&sides[1]);
            order.is_some_and(|order| relation.holds(order))
        };
        found.is_ok() && self.relations.iter().zip(sides.chunks_exact(2)).all(holds)
    }
}
