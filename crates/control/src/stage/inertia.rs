//! Newton's step with as much added to the KKT matrix as its inertia, and the length of the step, ask for.

use super::assembly::Shift;
use super::solver::Solver;
use super::tolerance::{DEPENDENT, DEPENDENT_BARRIER, FIRST_SHIFT, LEAST_SHIFT};
use rattleback_numeric::Inertia;

/// What is added to the variables to tell a singular block from a singular matrix.
const TRACE: f64 = 1e-9;
/// How far an angle may turn in a step.
const TURN: f64 = 1.0;
/// What is added and taken of the sizes of variables, to tell what is flat.
const SIZED: [f64; 3] = [1e-8, 1e-7, 1e-6];
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

    /// The inertia at the end. Where a little that is the same for all variables does not settle it, a little of the
    /// size of each does: what the objective changes by along its range, whatever its units.
    pub(super) fn settled_inertia(&mut self, stiffness: &[f64], objective: f64) -> Option<Inertia> {
        let settled = self.kkt.settled_inertia(stiffness);
        settled.or_else(|| self.settled_by_size(stiffness, objective))
    }

    fn settled_by_size(&mut self, stiffness: &[f64], objective: f64) -> Option<Inertia> {
        let share = objective.abs() / self.problem.blocks.len() as f64;
        let ranges = self.ranges();
        let mut with = |little: f64| {
            let weights = ranges.iter().map(|r| little * share / (r * r));
            let shifted = stiffness.iter().zip(weights).map(|(s, w)| s + w);
            let shifted: Vec<f64> = shifted.collect();
            let found = self.kkt.factor(&shifted, Shift::default());
            found.filter(|i| i.zero == 0)
        };
        SIZED.iter().find_map(|&little| {
            let found = with(little)?;
            (share > 0.0 && with(-little) == Some(found)).then_some(found)
        })
    }

    /// The largest size of each variable among the blocks that have it at the same place; one where it vanishes.
    fn ranges(&self) -> Vec<f64> {
        let sizes = &self.problem.blocks;
        let mut largest = vec![0.0_f64; sizes.iter().copied().max().unwrap_or(0)];
        let blocks = sizes.iter().flat_map(|n| 0..*n);
        for (i, x) in blocks.clone().zip(&self.now.point.variables) {
            largest[i] = largest[i].max(x.abs());
        }
        let shared = self.now.point.variables.iter().rev();
        let shared: Vec<f64> = shared.take(self.problem.shared).map(|x| x.abs()).collect();
        let all = blocks.map(|i| largest[i]).chain(shared.into_iter().rev());
        all.map(|r| if r > 0.0 { r } else { 1.0 }).collect()
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
