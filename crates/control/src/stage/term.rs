//! One smooth function of a stage with its exact derivatives, as machine code.

use rattleback_compile::program::{Derivatives, Program, Sparsity};
use rattleback_native::{Function, Memory};

/// A function of local variables and data whose first value is a share of the objective and whose others are
/// constraints, with its first derivatives and the second ones of Σ λ_i f_i.
pub struct Term {
    variables: usize,
    data: usize,
    outputs: usize,
    values: Function,
    full: Function,
    jacobian: Sparsity,
    hessian: Sparsity,
}

/// A function without a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a function of the problem has no finite value at piece {piece}")]
pub struct TermError {
    /// Which piece of the problem.
    pub piece: usize,
}

impl Term {
    /// From a program whose inputs are the variables, then the data.
    pub fn new(program: &Program, variables: usize) -> Self {
        let Derivatives {
            program: full,
            values,
            jacobian,
            hessian,
        } = program.with_second_derivatives(0..variables);
        Self {
            variables,
            data: program.inputs - variables,
            outputs: values,
            values: Function::new(program.clone()),
            full: Function::new(full),
            jacobian,
            hessian,
        }
    }

    /// How many local variables there are.
    pub fn variables(&self) -> usize {
        self.variables
    }
    /// How many numbers of data there are.
    pub fn data(&self) -> usize {
        self.data
    }
    /// How many constraints there are.
    pub fn constraints(&self) -> usize {
        self.outputs - 1
    }
    /// Where ∂f_i/∂x_j may differ from zero; row 0 is the objective.
    pub fn jacobian(&self) -> &Sparsity {
        &self.jacobian
    }
    /// Where the lower triangle of Σ λ_i ∂²f_i may differ from zero.
    pub fn hessian(&self) -> &Sparsity {
        &self.hessian
    }

    /// Memory for calls, of values and of slopes.
    pub(super) fn memory(&self) -> [Memory; 2] {
        [self.values.memory(), self.full.memory()]
    }

    /// The objective and the constraints.
    pub(super) fn values<'o>(
        &self,
        inputs: &[f64],
        outputs: &'o mut Vec<f64>,
        memory: &mut [Memory; 2],
    ) -> Option<&'o [f64]> {
        outputs.clear();
        outputs.resize(self.outputs, 0.0);
        self.values.call(inputs, outputs, &mut memory[0]).ok()?;
        outputs.iter().all(|v| v.is_finite()).then_some(outputs)
    }

    /// Values, entries of the Jacobian and of the Hessian; the inputs end with the multipliers.
    pub(super) fn slopes<'o>(
        &self,
        inputs: &[f64],
        outputs: &'o mut Vec<f64>,
        memory: &mut [Memory; 2],
    ) -> Option<[&'o [f64]; 3]> {
        let (first, second) = (self.jacobian.entries(), self.hessian.entries());
        outputs.clear();
        outputs.resize(self.outputs + first + second, 0.0);
        self.full.call(inputs, outputs, &mut memory[1]).ok()?;
        if !outputs.iter().all(|v| v.is_finite()) {
            return None;
        }
        let (values, rest) = outputs.split_at(self.outputs);
        let (jacobian, hessian) = rest.split_at(first);
        Some([values, jacobian, hessian])
    }
}
