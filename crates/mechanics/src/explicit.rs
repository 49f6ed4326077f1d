//! Equations written out: linear solves eliminated where that stays small enough to read.

use crate::equations::{Equations, Stage};
use rattleback_symbolic::{
    Expr, Matrix, Simplifier, Symbol, postorder, simplify_with, solve, substitute_all,
};

/// Beyond this many unknowns or nodes a solved system is no longer something a person reads.
const MOST_UNKNOWNS: usize = 8;
const MOST_NODES: usize = 600;

impl Equations {
    /// The same equations with every stage that is small enough solved symbolically and everything
    /// simplified for reading. What remains in `stages` stays a solve.
    pub fn explicit(&self) -> Equations {
        let mut result = self.clone();
        result.stages.clear();
        let mut known: Vec<(Symbol, Expr)> = Vec::new();
        for stage in &self.stages {
            let stage = stage.with(&known);
            match stage.solved() {
                Some((solution, conditions)) => {
                    known.extend(stage.unknowns().iter().cloned().zip(solution));
                    result.conditions.extend(conditions);
                }
                None => result.stages.push(stage),
            }
        }
        let reader = Simplifier {
            collect: self.collected(),
            ..Simplifier::default()
        };
        let all: Vec<Expr> = result.expressions_mut().map(|e| e.clone()).collect();
        let written_out = substitute_all(&all, &known);
        for (slot, value) in result.expressions_mut().zip(written_out) {
            *slot = simplify_with(&value, &reader);
        }
        result.conditions.sort();
        result.conditions.dedup();
        result
    }

    /// The part of the state that formulas are collected in: everything that is no position.
    fn collected(&self) -> Vec<Symbol> {
        let momentum = |s: &Symbol| s.name().starts_with("p_") || s.name().starts_with("P_");
        self.state
            .iter()
            .filter(|s| s.order() > 0 || momentum(s))
            .cloned()
            .collect()
    }
}

impl Stage {
    /// The stage with symbols replaced.
    fn with(&self, known: &[(Symbol, Expr)]) -> Stage {
        let replace = |e: &[Expr]| substitute_all(e, known);
        match self {
            Stage::Linear {
                unknowns,
                matrix,
                rhs,
            } => {
                let entries = replace(matrix.entries());
                let columns = matrix.cols();
                Stage::Linear {
                    unknowns: unknowns.clone(),
                    matrix: Matrix::new(matrix.rows(), columns, |i, j| {
                        entries[i * columns + j].clone()
                    }),
                    rhs: replace(rhs),
                }
            }
            Stage::Implicit {
                unknowns,
                residuals,
            } => Stage::Implicit {
                unknowns: unknowns.clone(),
                residuals: replace(residuals),
            },
        }
    }

    /// The solution and the pivots that must not vanish, if the solve stays small.
    fn solved(&self) -> Option<(Vec<Expr>, Vec<Expr>)> {
        let Stage::Linear {
            unknowns,
            matrix,
            rhs,
        } = self
        else {
            return None;
        };
        let nodes = postorder(&[matrix.entries(), rhs].concat(), |_| true).len();
        if unknowns.len() > MOST_UNKNOWNS || nodes > MOST_NODES {
            return None;
        }
        let solved = solve(matrix, &Matrix::column_vector(rhs)).ok()?;
        let conditions = solved
            .conditions
            .into_iter()
            .filter(|c| !c.is_nonvanishing())
            .collect();
        Some((solved.solution.column(0), conditions))
    }
}
