//! What has to be inverted for the accelerations: the mass matrix, bordered by the constraints.

use crate::program::Program;
use rattleback_mechanics::System;
use rattleback_symbolic::{Expr, MissingInput, Symbol};

use super::Motion;

/// The Lagrangian and the constraint forms that accelerations come from.
#[derive(Clone)]
pub(super) struct Inertia {
    lagrangian: Expr,
    fibre: Vec<Symbol>,
    /// Constraint forms, row by row.
    forms: Vec<Expr>,
}

impl Inertia {
    /// Of a system with velocities only; accelerations in the Lagrangian make it another matter, and so does a
    /// Lagrangian that is linear in velocities.
    pub(super) fn of(system: &System) -> Option<Self> {
        let is_of_second_order = system.order() == 1 && system.first_order().is_none();
        is_of_second_order.then(|| Self {
            lagrangian: system.lagrangian().clone(),
            fibre: system.frame().fibre().to_vec(),
            forms: system.constraints().forms().entries().to_vec(),
        })
    }

    /// [[M, Aᵀ], [A, 0]] row by row, with its size. Not kept: only a failed motion asks for it.
    fn bordered(&self) -> (Vec<Expr>, usize) {
        let n = self.fibre.len();
        let m = self.forms.len().checked_div(n).unwrap_or(0);
        let momenta = self.lagrangian.gradient(&self.fibre);
        let mass: Vec<Vec<Expr>> = momenta.iter().map(|p| p.gradient(&self.fibre)).collect();
        let entry = |i: usize, j: usize| match (i < n, j < n) {
            (true, true) => mass[i][j].clone(),
            (true, false) => self.forms[(j - n) * n + i].clone(),
            (false, true) => self.forms[(i - n) * n + j].clone(),
            (false, false) => Expr::zero(),
        };
        let size = n + m;
        let all = (0..size).flat_map(|i| (0..size).map(move |j| (i, j)));
        (all.map(|(i, j)| entry(i, j)).collect(), size)
    }
}

impl Motion {
    /// The program of the mass matrix bordered by the constraint forms, on the inputs of the rates, and
    /// its size: where it is singular there are no accelerations. None for Lagrangians with
    /// accelerations.
    pub fn inertia(&self) -> Result<Option<(Program, usize)>, MissingInput> {
        let Some(inertia) = &self.inertia else {
            return Ok(None);
        };
        let (matrix, size) = inertia.bordered();
        let program = self.program(&self.express(&matrix))?;
        Ok(Some((program, size)))
    }
}
