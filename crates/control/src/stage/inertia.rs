//! Newton's step with as much added to the KKT matrix as its inertia, and the length of the step, ask for.

use super::assembly::Shift;
use super::solver::Solver;
use super::tolerance::{DEPENDENT, DEPENDENT_BARRIER, FIRST_SHIFT, LEAST_SHIFT};
use rattleback_numeric::Inertia;

/// What is added to the variables to tell a singular block from a singular matrix.
const TRACE: f64 = 1e-9;
/// How far an angle may turn in a step.
const TURN: f64 = 1.0;
/// What the shift grows by for a shorter step, and how often.
const SHORTER: (f64, usize) = (8.0, 24);

impl Solver<'_> {
    /// The step of variables and multipliers.
    ///
    /// Where the matrix had to be shifted, the quadratic model has its minimum where the shift puts it: with as little as
    /// the inertia asks for, a step along a direction that is flat or falls goes anywhere, and an angle that steers ends up
    /// many turns away. The shift then grows until angles turn by less.
    pub(super) fn newton_step(
        &mut self,
        stiffness: &[f64],
        right: &[f64],
        rows: &[f64],
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let mut shift = self.factor(stiffness)?;
        let mut step = self.kkt.solve(right, rows)?;
        if shift.variables == 0.0 {
            return Some(step);
        }
        for _ in 0..SHORTER.1 {
            if self.turn(&step.0) <= TURN {
                break;
            }
            shift.variables *= SHORTER.0;
            // Second-order corrections solve with the factors of the last step that was found.
            if self.kkt.factor(stiffness, shift) != Some(self.wanted()) {
                break;
            }
            step = self.kkt.solve(right, rows)?;
        }
        Some(step)
    }

    /// How far the angles turn.
    fn turn(&self, step: &[f64]) -> f64 {
        let all = self.problem.angles.iter().map(|&i| step[i].abs());
        all.fold(0.0, f64::max)
    }

    /// The share of a step, at most 1, in which no angle turns too far.
    pub(super) fn within_turn(&self, step: &[f64]) -> f64 {
        (TURN / self.turn(step).max(TURN)).min(1.0)
    }

    /// The inertia at a minimum: n positive, m negative.
    fn wanted(&self) -> Inertia {
        Inertia {
            positive: self.problem.variables(),
            negative: self.problem.constraints(),
            zero: 0,
        }
    }

    /// Factors the KKT matrix with as much added as its inertia needs.
    fn factor(&mut self, stiffness: &[f64]) -> Option<Shift> {
        let wanted = self.wanted();
        let mut shift = Shift::default();
        let found = self.kkt.factor(stiffness, shift);
        if found == Some(wanted) {
            return Some(shift);
        }
        // A block may be singular where the whole is not: a trace of regularisation tells.
        let trace = Shift {
            variables: TRACE,
            constraints: 0.0,
        };
        if found.is_none() && self.kkt.factor(stiffness, trace) == Some(wanted) {
            return Some(trace);
        }
        if found.is_none_or(|i| i.zero > 0) {
            shift.constraints = DEPENDENT * self.mu.max(DEPENDENT_BARRIER).powf(0.25);
        }
        shift.variables = match self.last_shift {
            0.0 => FIRST_SHIFT,
            last => (last / 3.0).max(LEAST_SHIFT),
        };
        let first = self.last_shift == 0.0;
        while shift.variables < 1e40 {
            if self.kkt.factor(stiffness, shift) == Some(wanted) {
                self.last_shift = shift.variables;
                return Some(shift);
            }
            shift.variables *= if first { 100.0 } else { 8.0 };
            if shift.constraints == 0.0 && shift.variables > 1e6 {
                shift.constraints = DEPENDENT;
            }
        }
        None
    }
}
