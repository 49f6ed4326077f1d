//! The costates of a problem as somebody names them.

use super::{FamilyError, IndirectError};
use rattleback_mechanics::Problem;
use rattleback_symbolic::Symbol;

/// The costates of a problem with ends: of its positions, then of its other states.
#[derive(Clone, Debug)]
pub struct Costates {
    of_positions: Vec<Symbol>,
    of_others: Vec<Symbol>,
}

impl Costates {
    /// Those of the conditions of optimality.
    pub fn of(problem: &Problem) -> Result<Self, FamilyError> {
        let steering = problem.steered().steering().map_err(IndirectError::from)?;
        Ok(Self {
            of_positions: steering.momenta,
            of_others: steering.adjoints,
        })
    }

    /// A costate by its name.
    pub fn named(&self, name: &str) -> Result<&Symbol, FamilyError> {
        let mut all = self.of_positions.iter().chain(&self.of_others);
        let found = all.find(|s| s.to_string() == name);
        found.ok_or_else(|| self.missing(name))
    }

    /// A costate by its name, or as `lambda1`, `lambda2`, … by the number of its position (CG-B7).
    pub fn numbered(&self, name: &str) -> Result<&Symbol, FamilyError> {
        self.named(name).or_else(|error| {
            let number: Option<usize> = name.strip_prefix("lambda").and_then(|n| n.parse().ok());
            let place = number.and_then(|n| n.checked_sub(1));
            place.and_then(|i| self.of_positions.get(i)).ok_or(error)
        })
    }

    fn missing(&self, name: &str) -> FamilyError {
        let all = self.of_positions.iter().chain(&self.of_others);
        let known: Vec<String> = all.map(|p| format!("`{p}`")).collect();
        FamilyError::NoCostate {
            name: name.to_owned(),
            known: known.join(", "),
        }
    }
}
