//! The KKT matrix of a program with stages, and the slopes that stand on its right-hand side.

use super::fronts::{Factors, Matrix};
use super::norm::largest;
use super::problem::{Piece, Point, Scratch, StageProblem};
use super::term::{TermError, of_lane};
use super::units::Units;
use rattleback_numeric::Inertia;

/// What is added and taken; smaller ones first, larger ones where rounding drowns them.
const FLAT: [f64; 4] = [1e-9, 1e-8, 1e-7, 1e-6];

/// What may be left of the right-hand side of a step, as a part of it: the next step removes the rest.
const LEFT: f64 = 1e-12;

/// The most steps of refinement, and the part of the solution that the last one changes: the next would change the square.
const REFINEMENTS: usize = 2;
const SETTLED: f64 = 1e-9;

/// The units of a program, one where it has none.
#[derive(Clone, Copy)]
struct InUnits<'u>(Option<&'u Units>);

impl InUnits<'_> {
    fn variable(&self, i: usize) -> f64 {
        self.0.map_or(1.0, |u| u.variables[i])
    }
    fn row(&self, i: usize) -> f64 {
        self.0.map_or(1.0, |u| u.rows[i])
    }
    fn objective(&self) -> f64 {
        self.0.map_or(1.0, |u| u.objective)
    }
}

/// Values and slopes of a program at a point.
#[derive(Clone, Debug)]
pub struct Slopes {
    /// The objective.
    pub objective: f64,
    /// Its gradient.
    pub gradient: Vec<f64>,
    /// The constraints.
    pub constraints: Vec<f64>,
    /// Aᵀλ.
    pub reactions: Vec<f64>,
    /// The largest part of a reaction, which others may cancel.
    pub part: f64,
    /// The largest second derivative.
    pub curvature: f64,
}

/// Where the derivatives of pieces go.
struct Assembly<'a> {
    in_units: InUnits<'a>,
    multipliers: &'a [f64],
    slopes: &'a mut Slopes,
}

/// Entries of a sparse matrix, with row and column.
type Entry = ((usize, usize), f64);

impl Assembly<'_> {
    fn add_values(&mut self, piece: &Piece, mut values: impl Iterator<Item = f64>) {
        let share = values.next().unwrap_or(0.0);
        self.slopes.objective += share / self.in_units.objective();
        for (&row, value) in piece.rows.iter().zip(values) {
            self.slopes.constraints[row] = value / self.in_units.row(row);
        }
    }

    fn add_slopes(
        &mut self,
        piece: &Piece,
        entries: impl Iterator<Item = Entry>,
        jacobian: &mut [f64],
    ) {
        let slopes = &mut *self.slopes;
        for (((i, j), value), kept) in entries.zip(jacobian) {
            let variable = piece.variables[j];
            let value = value * self.in_units.variable(variable);
            let Some(i) = i.checked_sub(1) else {
                slopes.gradient[variable] += value / self.in_units.objective();
                continue;
            };
            let row = piece.rows[i];
            let value = value / self.in_units.row(row);
            let part = self.multipliers[row] * value;
            slopes.reactions[variable] += part;
            slopes.part = slopes.part.max(part.abs());
            *kept = value;
        }
    }

    fn add_curvature(
        &mut self,
        piece: &Piece,
        entries: impl Iterator<Item = Entry>,
        hessian: &mut [f64],
    ) {
        for (((i, j), value), kept) in entries.zip(hessian) {
            let (a, b) = (piece.variables[i], piece.variables[j]);
            *kept = value * self.in_units.variable(a) * self.in_units.variable(b);
            self.slopes.curvature = self.slopes.curvature.max(kept.abs());
        }
    }
}

/// The KKT matrix with its factors.
pub(super) struct Kkt<'p> {
    problem: &'p StageProblem,
    matrix: Matrix,
    factors: Factors,
    right: Vec<f64>,
    solution: Vec<f64>,
    scratch: Vec<f64>,
}

/// What is added to the diagonal: to the variables, and (subtracted) to the constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Shift {
    pub variables: f64,
    pub constraints: f64,
}

impl<'p> Kkt<'p> {
    pub fn new(problem: &'p StageProblem) -> Self {
        let size = problem.variables() + problem.constraints();
        Self {
            problem,
            matrix: Matrix::of(problem),
            factors: Factors::new(problem),
            right: vec![0.0; size],
            solution: vec![0.0; size],
            scratch: vec![0.0; size],
        }
    }

    /// W = σ ∇²f + λ ∇²c and A at a point, with the slopes.
    pub fn assemble(
        &mut self,
        at: &Point,
        objective: f64,
        multipliers: &[f64],
        scratch: &mut Scratch,
    ) -> Result<Slopes, TermError> {
        let problem = self.problem;
        let mut slopes = Slopes {
            objective: 0.0,
            gradient: vec![0.0; problem.variables()],
            constraints: vec![0.0; problem.constraints()],
            reactions: vec![0.0; problem.variables()],
            part: 0.0,
            curvature: 0.0,
        };
        let in_units = InUnits(problem.units.as_deref());
        let weigh = |r: usize| multipliers[r] / in_units.row(r);
        let weights = (objective / in_units.objective(), &weigh);
        let mut into = Assembly {
            in_units,
            multipliers,
            slopes: &mut slopes,
        };
        self.matrix.is_flat = false;
        for four in problem.fours() {
            let [values, first, second] = problem.slopes_at(four, at, weights, scratch)?;
            for (lane, piece) in four.1.iter().enumerate() {
                let term = &problem.terms[piece.term];
                let [jacobian, hessian] = self.matrix.entries_of(four.0 + lane);
                let first = term.first(of_lane(first, lane));
                let second = term.second(of_lane(second, lane));
                into.add_values(piece, of_lane(values, lane));
                into.add_slopes(piece, first, jacobian);
                into.add_curvature(piece, second, hessian);
            }
        }
        Ok(slopes)
    }

    /// Replaces W by the identity: for least-squares multipliers.
    pub fn with_identity(&mut self) {
        self.matrix.is_flat = true;
    }

    /// Factors the matrix with a diagonal added to the variables and shifts; none where it is singular.
    pub fn factor(&mut self, diagonal: &[f64], shift: Shift) -> Option<Inertia> {
        let (variables, rows) = self.matrix.diagonal.split_at_mut(diagonal.len());
        let identity = if self.matrix.is_flat { 1.0 } else { 0.0 };
        for (entry, d) in variables.iter_mut().zip(diagonal) {
            *entry = identity + (d + shift.variables);
        }
        rows.fill(-shift.constraints);
        let with_pairs = shift.constraints == 0.0;
        (self.factors).factor(self.problem, &self.matrix, with_pairs)
    }

    /// The inertia, where it is the same with a little added to the variables and taken from them: what is flat to
    /// working precision has none, and a singular block is no singular matrix.
    ///
    /// Where blocks are singular whatever the variables get, it is their constraints that depend on each other, as those of
    /// a shortest time do at its least value, where only the border tells them apart. A little is taken from the
    /// constraints then, and added to them: they are independent where the inertia is the same.
    pub fn settled_inertia(&mut self, diagonal: &[f64]) -> Option<Inertia> {
        let mut with = |variables: f64, constraints: f64| {
            let shift = Shift {
                variables,
                constraints,
            };
            self.factor(diagonal, shift).filter(|i| i.zero == 0)
        };
        let mut settled = |signs: &[[f64; 2]]| {
            FLAT.iter().find_map(|&little| {
                let mut all = signs.iter().map(|[v, c]| with(v * little, c * little));
                let first = all.next()??;
                all.all(|i| i == Some(first)).then_some(first)
            })
        };
        let alone = settled(&[[1.0, 0.0], [-1.0, 0.0]]);
        alone.or_else(|| settled(&[[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]))
    }

    /// y = M x, variables first, then conditions.
    #[cfg(test)]
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        self.matrix.multiply(self.problem, x, y);
    }

    /// Solves for the step of variables and multipliers, with refinement: x ← x + M⁻¹(b − M x).
    pub fn solve(&mut self, by_variables: &[f64], by_rows: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
        self.solve_at_once(by_variables, by_rows)?;
        let enough = LEFT * largest(&self.right).0;
        for _ in 0..REFINEMENTS {
            (self.matrix).multiply(self.problem, &self.solution, &mut self.scratch);
            let left = self.scratch.iter_mut().zip(&self.right);
            left.for_each(|(r, b)| *r = b - *r);
            if largest(&self.scratch).0 <= enough {
                break;
            }
            self.factors.solve(&mut self.scratch)?;
            let step = self.solution.iter_mut().zip(&self.scratch);
            step.for_each(|(x, d)| *x += d);
            if largest(&self.scratch).0 <= SETTLED * largest(&self.solution).0 {
                break;
            }
        }
        self.solved(by_variables.len())
    }

    /// The same without refinement, where digits do not matter: for the multipliers alone.
    pub fn solve_roughly(&mut self, by_rows: &[f64]) -> Option<Vec<f64>> {
        let none = vec![0.0; self.problem.variables()];
        self.solve_at_once(&none, by_rows)?;
        self.solved(none.len()).map(|(_, rows)| rows)
    }

    fn solve_at_once(&mut self, by_variables: &[f64], by_rows: &[f64]) -> Option<()> {
        let (variables, rows) = self.right.split_at_mut(by_variables.len());
        variables.copy_from_slice(by_variables);
        rows.copy_from_slice(by_rows);
        self.solution.copy_from_slice(&self.right);
        self.factors.solve(&mut self.solution)
    }

    /// The solution by variables and rows, where it has values.
    fn solved(&self, variables: usize) -> Option<(Vec<f64>, Vec<f64>)> {
        if self.solution.iter().any(|x| !x.is_finite()) {
            return None;
        }
        let (variables, rows) = self.solution.split_at(variables);
        Some((variables.to_vec(), rows.to_vec()))
    }
}
