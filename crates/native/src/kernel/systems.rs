//! The systems of equations inside a program, ready to be solved from machine code.

use super::{Kernel, Lanes, Newton};
use crate::NativeError;
use rattleback_compile::program::{Program, System};

/// How each block of a program is solved. Machine code holds the addresses of what is in here.
#[derive(Debug, Default)]
pub(crate) struct Systems {
    solvers: Vec<Solver>,
}

/// How one block is solved.
#[derive(Debug)]
pub(crate) enum Solver {
    /// By elimination.
    Linear {
        /// The number of unknowns.
        size: usize,
    },
    /// By Newton's method; boxed because its address must not change.
    Implicit(Box<Newton>),
}

impl Systems {
    /// Prepares all blocks of a program that works on the given number of lanes; `compile` is for the equations inside.
    pub fn new(
        program: &Program,
        lanes: Lanes,
        compile: &dyn Fn(&Program) -> Result<Kernel, NativeError>,
    ) -> Result<Self, NativeError> {
        let solvers = program.blocks.iter().map(|block| match &block.system {
            System::Linear { rhs, .. } => Ok(Solver::Linear { size: rhs.len() }),
            System::Implicit {
                known,
                size,
                newton,
            } => {
                // One level only: equations do not nest in mechanics, and this does not recurse.
                let nested = |s: &System| matches!(s, System::Implicit { .. });
                if newton.blocks.iter().any(|b| nested(&b.system)) {
                    return Err(NativeError::Unsupported("a system inside an implicit one"));
                }
                let inputs = known.len().checked_add(*size);
                let outputs = size.checked_mul(size.saturating_add(1));
                if (Some(newton.inputs), Some(newton.outputs.len())) != (inputs, outputs) {
                    return Err(NativeError::Unsupported("an implicit system of this shape"));
                }
                let equations = compile(newton)?;
                let newton = Newton::new(equations, known.len(), *size, lanes.count());
                Ok(Solver::Implicit(Box::new(newton)))
            }
        });
        Ok(Self {
            solvers: solvers.collect::<Result<_, _>>()?,
        })
    }

    /// How a block is solved.
    pub fn solver(&self, block: u32) -> &Solver {
        &self.solvers[block as usize]
    }
}

impl Solver {
    /// How many numbers of work space the solver needs behind its arguments.
    pub fn workspace(&self) -> usize {
        match self {
            Solver::Linear { size } => size * (size + 1),
            Solver::Implicit(newton) => newton.workspace(),
        }
    }
}
