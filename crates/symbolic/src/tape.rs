//! Expressions as a straight-line program over floating-point numbers: the reference evaluator.

pub use crate::meaning::MissingInput;
use crate::meaning::floats::Floats;
use crate::meaning::{Lowered, Prepared};
use crate::{Expr, Symbol};

/// A program that evaluates expressions at floating-point values of its input symbols.
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, Tape};
/// let x = Symbol::variable("x");
/// let tape = Tape::new(std::slice::from_ref(&x), &[Expr::from(&x).powi(2) + 1]).unwrap();
/// assert_eq!(tape.evaluate(&[3.0]), [10.0]);
/// ```
pub struct Tape(Prepared<Floats>);

impl Tape {
    /// Compiles `outputs` as functions of `inputs`.
    pub fn new(inputs: &[Symbol], outputs: &[Expr]) -> Result<Self, MissingInput> {
        Ok(Self(Lowered::new(inputs, outputs)?.prepare(Floats)))
    }

    /// The number of operations.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Has it no operation at all?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The outputs at these inputs.
    pub fn evaluate(&self, inputs: &[f64]) -> Vec<f64> {
        self.0.evaluate(inputs)
    }
}

impl Expr {
    /// The value at floating-point values of its symbols.
    pub fn evaluate(&self, values: &[(Symbol, f64)]) -> Result<f64, MissingInput> {
        let symbols: Vec<Symbol> = values.iter().map(|(s, _)| s.clone()).collect();
        let numbers: Vec<f64> = values.iter().map(|(_, v)| *v).collect();
        Ok(Tape::new(&symbols, std::slice::from_ref(self))?.evaluate(&numbers)[0])
    }
}
