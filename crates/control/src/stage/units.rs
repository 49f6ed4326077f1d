//! Programs in units of their own: variables, rows and objective of the size of one, whatever the problem's units are.

use super::norm::largest;
use super::outcome::{Iterate, Outcome};
use super::problem::{Point, StageProblem};
use super::term::{TermError, of_lane};
use std::sync::Arc;

/// In what each is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Units {
    /// The variables.
    pub variables: Vec<f64>,
    /// The constraints.
    pub rows: Vec<f64>,
    /// The objective.
    pub objective: f64,
}

/// Units are powers of this, so that ordinary sizes are measured in ones, and a problem in other units is the same one.
const STEP: f64 = 1e6;

/// Sizes within this factor of one are ordinary: what is known of them is a guess.
const ORDINARY: f64 = 3e4;

/// The unit for a size, the nearest power; one where there is no size, or an ordinary one.
pub fn unit_of(size: f64) -> f64 {
    let is_ordinary = size <= ORDINARY && size >= ORDINARY.recip();
    match size > 0.0 && size.is_finite() && !is_ordinary {
        true => STEP.powi((size.ln() / STEP.ln()).round() as i32),
        false => 1.0,
    }
}

impl StageProblem {
    /// The largest entry of each row of the Jacobian, in units of the variables.
    pub fn row_sizes(&self, at: &Point, variables: &[f64]) -> Result<Vec<f64>, TermError> {
        let mut scratch = self.scratch();
        let mut sizes = vec![0.0; self.constraints()];
        for four in self.fours() {
            let [_, first, _] = self.slopes_at(four, at, (0.0, |_| 0.0), &mut scratch)?;
            for (lane, piece) in four.1.iter().enumerate() {
                let places = self.terms[piece.term].jacobian().iter();
                let all = places.zip(of_lane(first, lane));
                for ((i, j), slope) in all.filter(|((i, _), _)| *i > 0) {
                    let size: &mut f64 = &mut sizes[piece.rows[i - 1]];
                    *size = size.max(slope.abs() * variables[piece.variables[j]]);
                }
            }
        }
        Ok(sizes)
    }

    /// The objective at a point.
    pub fn objective_at(&self, at: &Point) -> Result<f64, TermError> {
        let mut rows = vec![0.0; self.constraints()];
        self.evaluate(at, &mut rows, &mut self.scratch())
    }

    /// The same program, whose points are in units.
    pub fn measured_in(&self, units: Arc<Units>) -> Self {
        let measure = |all: &[f64]| {
            all.iter()
                .zip(&units.variables)
                .map(|(x, u)| x / u)
                .collect()
        };
        Self {
            lower: measure(&self.lower),
            upper: measure(&self.upper),
            units: Some(Arc::clone(&units)),
            ..self.clone()
        }
    }
}

impl Units {
    /// An iterate in these units.
    pub fn measure(&self, at: &Iterate) -> Iterate {
        let mut to = at.clone();
        let variables = self.variables.iter();
        to.point
            .variables
            .iter_mut()
            .zip(variables.clone())
            .for_each(|(x, u)| *x /= u);
        let rows = to.multipliers.iter_mut().zip(&self.rows);
        rows.for_each(|(l, r)| *l *= r / self.objective);
        for z in [&mut to.bounds.lower, &mut to.bounds.upper] {
            let all = z.iter_mut().zip(variables.clone());
            all.for_each(|(z, u)| *z *= u / self.objective);
        }
        to
    }

    /// An iterate out of these units: multipliers are slopes of the objective.
    fn restore(&self, from: Iterate) -> Iterate {
        let inverse = Units {
            variables: self.variables.iter().map(|u| u.recip()).collect(),
            rows: self.rows.iter().map(|u| u.recip()).collect(),
            objective: self.objective.recip(),
        };
        inverse.measure(&from)
    }

    /// What became of a program in units, for the program itself.
    pub fn told(&self, problem: &StageProblem, found: Outcome) -> Outcome {
        let iterate = self.restore(found.iterate);
        let mut rows = vec![0.0; problem.constraints()];
        let scratch = &mut problem.scratch();
        let value = problem.evaluate(&iterate.point, &mut rows, scratch);
        Outcome {
            iterate,
            objective: found.objective * self.objective,
            infeasibility: value.map_or(found.infeasibility, |_| largest(&rows)),
            slack: found.slack * self.objective,
            ..found
        }
    }
}
