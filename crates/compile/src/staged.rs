//! Staged programs: solves whose unknowns feed later expressions.

use crate::dense::{SingularMatrix, solve};
use rattleback_mechanics::Stage;
use rattleback_symbolic::{Expr, MissingInput, Symbol, Tape};

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

enum Step {
    Linear { size: usize, tape: Tape },
    Newton { size: usize, tape: Tape },
}

/// A compiled sequence of stages with outputs, over symbols with floating-point values.
pub struct Staged {
    steps: Vec<(Step, String)>,
    outputs: Tape,
}

impl Staged {
    /// Compiles `stages` and `outputs` as functions of `inputs`.
    pub fn new(
        inputs: &[Symbol],
        stages: &[Stage],
        outputs: &[Expr],
    ) -> Result<Self, EvaluationError> {
        let mut known = inputs.to_vec();
        let mut steps = Vec::new();
        for stage in stages {
            let unknowns = stage.unknowns();
            let size = unknowns.len();
            let names: Vec<String> = unknowns.iter().map(ToString::to_string).collect();
            let step = match stage {
                Stage::Linear { matrix, rhs, .. } => {
                    let all = [matrix.entries(), rhs].concat();
                    Step::Linear {
                        size,
                        tape: Tape::new(&known, &all)?,
                    }
                }
                Stage::Implicit { residuals, .. } => {
                    let jacobian = residuals.iter().flat_map(|r| r.gradient(unknowns));
                    let all: Vec<Expr> = jacobian.chain(residuals.iter().cloned()).collect();
                    let inputs = [&known, unknowns].concat();
                    Step::Newton {
                        size,
                        tape: Tape::new(&inputs, &all)?,
                    }
                }
            };
            steps.push((step, names.join(", ")));
            known.extend(unknowns.iter().cloned());
        }
        Ok(Self {
            steps,
            outputs: Tape::new(&known, outputs)?,
        })
    }

    /// The outputs at these values of the inputs.
    pub fn evaluate(&self, inputs: &[f64]) -> Result<Vec<f64>, EvaluationError> {
        let mut known = inputs.to_vec();
        for (step, names) in &self.steps {
            let found = match step {
                Step::Linear { size, tape } => {
                    let mut matrix = tape.evaluate(&known);
                    let mut rhs = matrix.split_off(size * size);
                    solve(&mut matrix, &mut rhs).map_err(|source| EvaluationError::Singular {
                        unknowns: names.clone(),
                        source,
                    })?;
                    rhs
                }
                Step::Newton { size, tape } => newton(tape, *size, &known, names)?,
            };
            known.extend(found);
        }
        Ok(self.outputs.evaluate(&known))
    }
}

/// Damped Newton iteration from zero: the step is halved until the residual goes down.
fn newton(
    tape: &Tape,
    size: usize,
    known: &[f64],
    names: &str,
) -> Result<Vec<f64>, EvaluationError> {
    const MOST_STEPS: usize = 60;
    let at = |x: &[f64]| {
        let mut jacobian = tape.evaluate(&[known, x].concat());
        let residual = jacobian.split_off(size * size);
        (jacobian, residual)
    };
    let norm = |r: &[f64]| {
        r.iter().fold(0.0f64, |m, v| {
            if v.is_nan() {
                f64::INFINITY
            } else {
                m.max(v.abs())
            }
        })
    };
    let mut x = vec![0.0; size];
    let (mut jacobian, mut residual) = at(&x);
    for _ in 0..MOST_STEPS {
        let mut step = residual.clone();
        solve(&mut jacobian, &mut step).map_err(|source| EvaluationError::Singular {
            unknowns: names.into(),
            source,
        })?;
        let size_now = norm(&residual);
        let mut damping = 1.0;
        let (next, values) = loop {
            let trial: Vec<f64> = x.iter().zip(&step).map(|(x, s)| x - damping * s).collect();
            let values = at(&trial);
            if norm(&values.1) < size_now || damping < 1e-10 || size_now == 0.0 {
                break (trial, values);
            }
            damping /= 2.0;
        };
        let moved = norm(&step) * damping;
        x = next;
        (jacobian, residual) = values;
        if moved <= 1e-15 * (1.0 + norm(&x)) {
            break;
        }
    }
    let left = norm(&residual);
    if left <= 1e-10 * (1.0 + norm(known)) {
        Ok(x)
    } else {
        Err(EvaluationError::NotConverged {
            unknowns: names.into(),
            residual: left,
        })
    }
}
