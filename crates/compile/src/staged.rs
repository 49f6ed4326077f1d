//! Staged programs: solves whose unknowns feed later expressions.

use crate::program::{Fault, FaultKind, Interpreter, Program};
use rattleback_mechanics::Stage;
use rattleback_numeric::SingularMatrix;
use rattleback_symbolic::{Expr, MissingInput, Symbol};

/// An evaluation that failed, and where.
#[derive(Debug, Clone, thiserror::Error)]
pub enum EvaluationError {
    /// A symbol without a value.
    #[error(transparent)]
    Missing(#[from] MissingInput),
    /// A linear solve with a singular matrix.
    #[error("the equations for {unknowns} are singular here: {source}")]
    Singular {
        /// What was to be solved for.
        unknowns: String,
        /// Which pivot.
        source: SingularMatrix,
    },
    /// Newton's method did not converge.
    #[error("no solution for {unknowns} was found: the residual stays at {residual:.3e}")]
    NotConverged {
        /// What was to be solved for.
        unknowns: String,
        /// The last residual.
        residual: f64,
    },
}

/// A compiled sequence of stages with outputs, over symbols with floating-point values.
pub struct Staged {
    program: Interpreter,
}

impl Staged {
    /// Compiles `stages` and `outputs` as functions of `inputs`.
    pub fn new(
        inputs: &[Symbol],
        stages: &[Stage],
        outputs: &[Expr],
    ) -> Result<Self, EvaluationError> {
        let program = Program::new(inputs, &[], stages, outputs)?;
        Ok(Self {
            program: Interpreter::new(program),
        })
    }

    /// The outputs at these values of the inputs.
    pub fn evaluate(&self, inputs: &[f64]) -> Result<Vec<f64>, EvaluationError> {
        let values = self.program.values(inputs);
        values.map_err(|fault| EvaluationError::of(fault, self.program.program()))
    }
}

impl EvaluationError {
    /// What a fault means in the words of the equations.
    pub fn of(fault: Fault, program: &Program) -> Self {
        let unknowns = program.blocks[fault.block as usize].unknowns.clone();
        match fault.kind {
            FaultKind::Singular(pivot) => EvaluationError::Singular {
                unknowns,
                source: SingularMatrix {
                    pivot: pivot as usize,
                },
            },
            FaultKind::NotConverged(residual) => {
                EvaluationError::NotConverged { unknowns, residual }
            }
        }
    }
}
