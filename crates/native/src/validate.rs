//! Checks that a program refers only to what it has.

use crate::NativeError;
use rattleback_compile::program::{Op, Program, Slot, System};

/// Values before their use, inputs and blocks in range: what the backends rely on.
pub(crate) fn validate(program: &Program) -> Result<(), NativeError> {
    // Offsets are 32-bit; this leaves ample room.
    if program.ops.len() > 1 << 24 || program.inputs > 1 << 24 || program.outputs.len() > 1 << 24 {
        return Err(NativeError::TooLarge);
    }
    for (k, op) in program.ops.iter().enumerate() {
        match *op {
            Op::Input(i) => in_range(k, "input", i, program.inputs)?,
            Op::Solution(block, component) => {
                in_range(k, "block", block, program.blocks.len())?;
                let system = &program.blocks[block as usize].system;
                in_range(k, "component", component, system.size())?;
                let values = match system {
                    System::Linear { matrix, rhs, .. } => {
                        let entries = rhs.len().saturating_mul(rhs.len());
                        if matrix.len() != entries {
                            let index = u32::try_from(matrix.len()).unwrap_or(u32::MAX);
                            return Err(malformed(k, "matrix entry", index));
                        }
                        [&matrix[..], &rhs[..]].concat()
                    }
                    System::Implicit { known, .. } => known.clone(),
                };
                values
                    .iter()
                    .try_for_each(|&s| in_range(k, "value", s, k))?;
            }
            _ => operands(op)
                .into_iter()
                .flatten()
                .try_for_each(|s| in_range(k, "value", s, k))?,
        }
    }
    let end = program.ops.len();
    program
        .outputs
        .iter()
        .try_for_each(|&s| in_range(end, "value", s, end))
}

/// The values that an instruction itself reads; those of a block are not among them.
pub(crate) fn operands(op: &Op) -> [Option<Slot>; 3] {
    match *op {
        Op::Constant(_) | Op::Input(_) | Op::Solution(..) => [None; 3],
        Op::Neg(a) | Op::Sqrt(a) | Op::Power(a, _) | Op::Function(_, a) => [Some(a), None, None],
        Op::Add(a, b)
        | Op::Sub(a, b)
        | Op::Mul(a, b)
        | Op::Div(a, b)
        | Op::PowerOf(a, b)
        | Op::Atan2(a, b) => [Some(a), Some(b), None],
        Op::MulAdd(a, b, c)
        | Op::NegMulAdd(a, b, c)
        | Op::MulSub(a, b, c)
        | Op::NegMulSub(a, b, c) => [Some(a), Some(b), Some(c)],
        Op::Check { value, scale, .. } => [Some(value), Some(scale), None],
    }
}

fn in_range(
    instruction: usize,
    what: &'static str,
    index: u32,
    length: usize,
) -> Result<(), NativeError> {
    if (index as usize) < length {
        Ok(())
    } else {
        Err(malformed(instruction, what, index))
    }
}

fn malformed(instruction: usize, what: &'static str, index: u32) -> NativeError {
    NativeError::Malformed {
        instruction,
        what,
        index,
    }
}
