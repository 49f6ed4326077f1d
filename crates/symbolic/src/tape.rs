//! Expressions as a straight-line program over floating-point numbers: the reference evaluator.

pub use crate::meaning::MissingInput;
use crate::meaning::floats::Floats;
use crate::meaning::wide::WideRange;
use crate::meaning::{Lowered, Prepared};
use crate::{Expr, Symbol, Wide};

/// A program that evaluates expressions at floating-point values of its input symbols.
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, Tape};
/// let x = Symbol::variable("x");
/// let tape = Tape::new(std::slice::from_ref(&x), &[Expr::from(&x).powi(2) + 1]).unwrap();
/// assert_eq!(tape.evaluate(&[3.0]), [10.0]);
/// ```
pub struct Tape {
    lowered: Lowered,
    program: Prepared<Floats>,
    /// Does it have constants at the end of the range of numbers, so that products may leave it unseen?
    is_extreme: bool,
}

impl Tape {
    /// Compiles `outputs` as functions of `inputs`.
    pub fn new(inputs: &[Symbol], outputs: &[Expr]) -> Result<Self, MissingInput> {
        let lowered = Lowered::new(inputs, outputs)?;
        Ok(Self {
            program: lowered.prepare(Floats),
            is_extreme: lowered.has_constant(|r| Wide::of(r).is_extreme()),
            lowered,
        })
    }

    /// The number of operations.
    pub fn len(&self) -> usize {
        self.lowered.len()
    }

    /// Has it no operation at all?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The outputs at these inputs.
    pub fn evaluate(&self, inputs: &[f64]) -> Vec<f64> {
        if !self.is_extreme {
            let values = self.program.run(inputs);
            let in_range = |x: &f64| !x.is_infinite() && !x.is_subnormal();
            if values.iter().all(in_range) {
                return self.program.outputs(&values);
            }
        }
        let inputs: Vec<Wide> = inputs.iter().map(|x| Wide::from(*x)).collect();
        let outputs = self.lowered.prepare(WideRange).evaluate(&inputs);
        outputs.into_iter().map(Wide::to_f64).collect()
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
