//! What must stay regular along a motion: the constraints, the frame, the solves and the conditions.

use super::Motion;
use crate::program::Program;
use rattleback_mechanics::{Equations, Stage, System};
use rattleback_symbolic::{Expr, Matrix, MissingInput, Role, Set, Symbol};

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

    /// Does it change along a motion at all?
    fn moves(&self) -> bool {
        let moves = |e: &Expr| e.free_symbols().iter().any(|s| s.role() != Role::Constant);
        self.entries.iter().any(moves)
    }
}

/// What must stay regular where there are constraints, in terms of the model and of the state.
pub(super) fn regular(system: &System, equations: &Equations) -> Vec<Regular> {
    if system.constraints().is_empty() {
        return Vec::new();
    }
    let (forms, _) = system.constraints().cleared();
    let mut all = vec![Regular::of_matrix(RegularKind::Constraints, &forms)];
    if let Some(basis) = &equations.basis {
        all.push(Regular::of_matrix(RegularKind::Frame, &basis.transpose()));
    }
    for c in &equations.conditions {
        let what = RegularKind::Condition(c.clone());
        all.push(Regular::of_matrix(
            what,
            &Matrix::new(1, 1, |_, _| c.clone()),
        ));
    }
    for stage in needed(equations) {
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

/// The stages that the rates need.
fn needed(equations: &Equations) -> Vec<&Stage> {
    let symbols = |all: &[Expr]| all.iter().flat_map(Expr::free_symbols).collect::<Vec<_>>();
    let mut wanted: Set<Symbol> = symbols(&equations.rates).into_iter().collect();
    let mut found = Vec::new();
    for stage in equations.stages.iter().rev() {
        if !stage.unknowns().iter().any(|s| wanted.contains(s)) {
            continue;
        }
        match stage {
            Stage::Linear { matrix, rhs, .. } => {
                wanted.extend(symbols(matrix.entries()));
                wanted.extend(symbols(rhs));
            }
            Stage::Implicit { residuals, .. } => wanted.extend(symbols(residuals)),
        }
        found.push(stage);
    }
    found
}

impl Motion {
    /// What must stay regular along the motion.
    pub fn regular(&self) -> &[Regular] {
        &self.regular
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
