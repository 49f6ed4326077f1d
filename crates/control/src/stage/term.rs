//! One smooth function of a stage with its exact derivatives, as machine code.

use rattleback_compile::program::{Derivatives, Program, Sparsity};
use rattleback_native::{WideFunction, WideMemory};

/// How many pieces a term is evaluated for at once.
pub(super) const LANES: usize = 4;
/// The same number of each of them.
pub(super) type Lane = [f64; LANES];

/// A function of local variables and data whose first value is a share of the objective and whose others are
/// constraints, with its first derivatives and the second ones of Σ λ_i f_i.
pub struct Term {
    variables: usize,
    data: usize,
    outputs: usize,
    values: WideFunction,
    full: WideFunction,
    jacobian: Sparsity,
    hessian: Sparsity,
    /// Row and column of their entries.
    places: [Places; 2],
}

/// Row and column of entries, in their order.
type Places = Vec<[u32; 2]>;

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
        let places = |of: &Sparsity| of.iter().map(|(i, j)| [i as u32, j as u32]).collect();
        Self {
            places: [places(&jacobian), places(&hessian)],
            variables,
            data: program.inputs - variables,
            outputs: values,
            values: WideFunction::new(program.clone()),
            full: WideFunction::new(full),
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

    /// The entries of the Jacobian with their row and column.
    pub(super) fn first<E>(
        &self,
        entries: impl IntoIterator<Item = E>,
    ) -> impl Iterator<Item = ((usize, usize), E)> {
        placed(&self.places[0], entries)
    }

    /// The entries of the Hessian with theirs.
    pub(super) fn second<E>(
        &self,
        entries: impl IntoIterator<Item = E>,
    ) -> impl Iterator<Item = ((usize, usize), E)> {
        placed(&self.places[1], entries)
    }

    /// Memory for calls, of values and of slopes.
    pub(super) fn memory(&self) -> [WideMemory; 2] {
        [self.values.memory(), self.full.memory()]
    }

    /// The objective and the constraints, of four pieces; the first one without a value is told.
    pub(super) fn values<'o>(
        &self,
        inputs: &[Lane],
        outputs: &'o mut Vec<Lane>,
        memory: &mut [WideMemory; 2],
    ) -> Result<&'o [Lane], usize> {
        outputs.clear();
        outputs.resize(self.outputs, [0.0; LANES]);
        let failed = self.values.call(inputs, outputs, &mut memory[0]);
        sound(failed, outputs)
    }

    /// Values, entries of the Jacobian and of the Hessian, of four pieces; the inputs end with the multipliers.
    pub(super) fn slopes<'o>(
        &self,
        inputs: &[Lane],
        outputs: &'o mut Vec<Lane>,
        memory: &mut [WideMemory; 2],
    ) -> Result<[&'o [Lane]; 3], usize> {
        let (first, second) = (self.jacobian.entries(), self.hessian.entries());
        outputs.clear();
        outputs.resize(self.outputs + first + second, [0.0; LANES]);
        let failed = self.full.call(inputs, outputs, &mut memory[1]);
        let (values, rest) = sound(failed, outputs)?.split_at(self.outputs);
        let (jacobian, hessian) = rest.split_at(first);
        Ok([values, jacobian, hessian])
    }
}

/// Entries with their places.
fn placed<E>(
    places: &[[u32; 2]],
    entries: impl IntoIterator<Item = E>,
) -> impl Iterator<Item = ((usize, usize), E)> {
    let places = places.iter().map(|[i, j]| (*i as usize, *j as usize));
    places.zip(entries)
}

/// Outputs that are all finite, or the first lane in which one is not.
fn sound(failed: u8, outputs: &[Lane]) -> Result<&[Lane], usize> {
    // A sum of zeros is zero: what is not finite stays so.
    let mut sums = [0.0; LANES];
    for output in outputs {
        sums.iter_mut().zip(output).for_each(|(s, x)| *s += 0.0 * x);
    }
    let is_bad = |l: &usize| failed >> l & 1 == 1 || sums[*l] != 0.0;
    match (0..LANES).find(is_bad) {
        None => Ok(outputs),
        Some(lane) => Err(lane),
    }
}

/// One lane of outputs.
pub(super) fn of_lane(outputs: &[Lane], lane: usize) -> impl Iterator<Item = f64> {
    outputs.iter().map(move |all| all[lane])
}
