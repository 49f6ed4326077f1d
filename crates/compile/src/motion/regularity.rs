//! What must stay regular along a motion: the constraints, the frame, the solves and the conditions.

use super::Motion;
use super::assured::{is_restricted_metric, stay_independent};
use crate::program::Program;
use rattleback_mechanics::{Equations, Stage, System};
use rattleback_symbolic::{Expr, Matrix, MissingInput, Role, Symbol};

/// Rows that must stay independent along a motion: where they do not, the equations end.
#[derive(Clone, Debug)]
pub struct Regular {
    /// What they are.
    pub what: RegularKind,
    /// How many.
    pub rows: usize,
    /// The length of each, at least their number.
    pub columns: usize,
    /// The rows, one after the other.
    pub(super) entries: Vec<Expr>,
}

/// What stays regular where equations hold.
#[derive(Clone, Debug, PartialEq)]
pub enum RegularKind {
    /// The constraint forms, freed of denominators.
    Constraints,
    /// The sections that the equations are written on.
    Frame,
    /// The matrix of a linear system for these unknowns.
    Solve(Vec<Symbol>),
    /// A function that must not vanish.
    Condition(Expr),
}

impl Regular {
    fn of_matrix(what: RegularKind, m: &Matrix) -> Self {
        Self {
            what,
            rows: m.rows(),
            columns: m.cols(),
            entries: m.entries().to_vec(),
        }
    }

    fn matrix(&self) -> Matrix {
        Matrix::new(self.rows, self.columns, |i, j| {
            self.entries[i * self.columns + j].clone()
        })
    }

    /// Does it change along a motion at all?
    fn moves(&self) -> bool {
        let moves = |e: &Expr| e.free_symbols().iter().any(|s| s.role() != Role::Constant);
        self.entries.iter().any(moves)
    }
}

/// Are equations written on sections that turn with the motion?
pub(super) fn has_moving_frame(system: &System, equations: &Equations) -> bool {
    let frame = |basis: &Matrix| Regular::of_matrix(RegularKind::Frame, basis).moves();
    !system.constraints().is_empty() && equations.basis.as_ref().is_some_and(frame)
}

/// Leaves out what is proven to stay regular for all states, at these values of the constants.
pub(super) fn without_assured(
    mut all: Vec<Regular>,
    system: &System,
    equations: &Equations,
    state: &[Symbol],
    constants: &[(Symbol, f64)],
) -> Vec<Regular> {
    let basis = equations.basis.as_ref();
    let basis = basis.filter(|basis| stay_independent(&basis.transpose(), state, constants));
    all.retain(|r| match r.what {
        RegularKind::Frame => basis.is_none(),
        RegularKind::Condition(_) => !stay_independent(&r.matrix(), state, constants),
        RegularKind::Solve(_) => {
            let matrix = r.matrix();
            let is_metric = |b: &Matrix| is_restricted_metric(&matrix, system, b, constants);
            !stay_independent(&matrix, state, constants) && !basis.is_some_and(is_metric)
        }
        // Linkages branch where theirs lose rank, and it is told when they pass.
        RegularKind::Constraints => true,
    });
    all
}

/// What must stay regular where there are constraints, in terms of the model and of the state.
pub(super) fn regular(system: &System, equations: &Equations) -> Vec<Regular> {
    if system.constraints().is_empty() {
        return Vec::new();
    }
    let mut all = Vec::new();
    // On a frame that stays regular a rolling system goes on where its forms, as written, lose rank; the
    // configurations of a linkage branch there.
    let on_frame = equations.basis.is_some() && system.constraints().holonomic().is_empty();
    if !on_frame {
        let (forms, _) = system.constraints().cleared();
        all.push(Regular::of_matrix(RegularKind::Constraints, &forms));
    }
    if let Some(basis) = &equations.basis {
        all.push(Regular::of_matrix(RegularKind::Frame, &basis.transpose()));
    }
    let needed_here = |c: &&Expr| !(on_frame && system.rank_drop().contains(c));
    for c in equations.conditions.iter().filter(needed_here) {
        let what = RegularKind::Condition(c.clone());
        all.push(Regular::of_matrix(
            what,
            &Matrix::new(1, 1, |_, _| c.clone()),
        ));
    }
    let needed = Stage::needed(&equations.stages, &equations.rates);
    for stage in needed.into_iter().rev() {
        if let Stage::Linear {
            unknowns, matrix, ..
        } = stage
        {
            all.push(Regular::of_matrix(
                RegularKind::Solve(unknowns.clone()),
                matrix,
            ));
        }
    }
    all.retain(Regular::moves);
    all
}

impl Motion {
    /// What must stay regular along the motion, and is not proven to.
    pub fn regular(&self) -> &[Regular] {
        &self.regular
    }

    /// Are its equations written on a frame of the constraints that turns with the motion?
    pub fn has_moving_frame(&self) -> bool {
        self.moving_frame
    }

    /// The program of all rows of [`Motion::regular`], one after the other, on the inputs of the rates; none
    /// where nothing is to be watched.
    pub fn regularity(&self) -> Result<Option<Program>, MissingInput> {
        if self.regular.is_empty() {
            return Ok(None);
        }
        let all: Vec<Expr> = self
            .regular
            .iter()
            .flat_map(|r| r.entries.clone())
            .collect();
        self.program(&self.express(&all)).map(Some)
    }
}
