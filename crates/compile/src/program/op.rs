//! The instructions of a straight-line program, and the program that they make up.

use rattleback_symbolic::Function;

/// The value that an instruction computes, by the instruction's place in the program.
pub type Slot = u32;

/// One instruction. Its operands are values of earlier instructions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// A number.
    Constant(f64),
    /// An input of the program.
    Input(u32),
    /// a + b
    Add(Slot, Slot),
    /// a − b
    Sub(Slot, Slot),
    /// a·b
    Mul(Slot, Slot),
    /// a/b
    Div(Slot, Slot),
    /// −a
    Neg(Slot),
    /// √a
    Sqrt(Slot),
    /// a·b + c, rounded once.
    MulAdd(Slot, Slot, Slot),
    /// c − a·b, rounded once.
    NegMulAdd(Slot, Slot, Slot),
    /// a·b − c, rounded once.
    MulSub(Slot, Slot, Slot),
    /// −a·b − c, rounded once.
    NegMulSub(Slot, Slot, Slot),
    /// a to a constant real power that is no product of roots and squares.
    Power(Slot, f64),
    /// a to the power b.
    PowerOf(Slot, Slot),
    /// A function of one argument. Sines and cosines whose arguments are known at the same moment
    /// stand together, so that a backend can work out a whole run of them in one call.
    Function(Function, Slot),
    /// The angle of the point (b, a).
    Atan2(Slot, Slot),
    /// Component `.1` of the solution of block `.0`. The components of one block stand together.
    Solution(u32, u32),
    /// Faults unless |value| > VANISHING_PIVOT·|scale|; its own value is never used.
    Check {
        /// The pivot.
        value: Slot,
        /// What it is small against.
        scale: Slot,
        /// Which block it belongs to.
        block: u32,
        /// Which pivot of that block.
        pivot: u32,
    },
}

/// A system of equations inside a program.
#[derive(Clone, Debug)]
pub struct Block {
    /// What is solved for, for messages.
    pub unknowns: String,
    /// The equations.
    pub system: System,
}

/// The equations of a block.
#[derive(Clone, Debug)]
pub enum System {
    /// `matrix · x = rhs`, the matrix by rows.
    Linear {
        /// The matrix, row by row.
        matrix: Vec<Slot>,
        /// The right-hand side.
        rhs: Vec<Slot>,
        /// Is the matrix symmetric as an expression?
        symmetric: bool,
    },
    /// `residuals(known, x) = 0`, by Newton's method from zero.
    Implicit {
        /// The values of the enclosing program that the equations use.
        known: Vec<Slot>,
        /// The number of unknowns.
        size: usize,
        /// Inputs: `known`, then the unknowns. Outputs: the Jacobian by rows, then the residuals.
        newton: Box<Program>,
    },
}

impl System {
    /// The number of unknowns.
    pub fn size(&self) -> usize {
        match self {
            System::Linear { rhs, .. } => rhs.len(),
            System::Implicit { size, .. } => *size,
        }
    }
}

/// A straight-line program: `inputs` numbers in, one number per entry of `outputs` out.
#[derive(Clone, Debug)]
pub struct Program {
    /// The number of inputs.
    pub inputs: usize,
    /// The instructions; the value of the k-th has slot k.
    pub ops: Vec<Op>,
    /// The systems that [`Op::Solution`] refers to.
    pub blocks: Vec<Block>,
    /// Which values are the results.
    pub outputs: Vec<Slot>,
}

/// An evaluation that failed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the equations of block {block} have no solution here: {kind}")]
pub struct Fault {
    /// Which block.
    pub block: u32,
    /// Why.
    pub kind: FaultKind,
}

/// Why a block has no solution.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum FaultKind {
    /// The matrix is singular to working precision.
    #[error("pivot {0} vanishes")]
    Singular(u32),
    /// Newton's method ended with this residual.
    #[error("the residual stays at {0:.3e}")]
    NotConverged(f64),
}

impl Op {
    /// Calls `f` for each operand that stands in the instruction itself.
    pub fn for_each_operand(&self, mut f: impl FnMut(Slot)) {
        match *self {
            Op::Constant(_) | Op::Input(_) | Op::Solution(..) => {}
            Op::Neg(a) | Op::Sqrt(a) | Op::Power(a, _) | Op::Function(_, a) => f(a),
            Op::Add(a, b)
            | Op::Sub(a, b)
            | Op::Mul(a, b)
            | Op::Div(a, b)
            | Op::PowerOf(a, b)
            | Op::Atan2(a, b) => {
                f(a);
                f(b);
            }
            Op::MulAdd(a, b, c)
            | Op::NegMulAdd(a, b, c)
            | Op::MulSub(a, b, c)
            | Op::NegMulSub(a, b, c) => {
                f(a);
                f(b);
                f(c);
            }
            Op::Check { value, scale, .. } => {
                f(value);
                f(scale);
            }
        }
    }

    /// The same instruction on other operands.
    pub(super) fn map(&self, at: impl Fn(Slot) -> Slot) -> Op {
        match *self {
            Op::Constant(_) | Op::Input(_) | Op::Solution(..) => *self,
            Op::Neg(a) => Op::Neg(at(a)),
            Op::Sqrt(a) => Op::Sqrt(at(a)),
            Op::Power(a, r) => Op::Power(at(a), r),
            Op::Function(f, a) => Op::Function(f, at(a)),
            Op::Add(a, b) => Op::Add(at(a), at(b)),
            Op::Sub(a, b) => Op::Sub(at(a), at(b)),
            Op::Mul(a, b) => Op::Mul(at(a), at(b)),
            Op::Div(a, b) => Op::Div(at(a), at(b)),
            Op::PowerOf(a, b) => Op::PowerOf(at(a), at(b)),
            Op::Atan2(a, b) => Op::Atan2(at(a), at(b)),
            Op::MulAdd(a, b, c) => Op::MulAdd(at(a), at(b), at(c)),
            Op::NegMulAdd(a, b, c) => Op::NegMulAdd(at(a), at(b), at(c)),
            Op::MulSub(a, b, c) => Op::MulSub(at(a), at(b), at(c)),
            Op::NegMulSub(a, b, c) => Op::NegMulSub(at(a), at(b), at(c)),
            Op::Check {
                value,
                scale,
                block,
                pivot,
            } => Op::Check {
                value: at(value),
                scale: at(scale),
                block,
                pivot,
            },
        }
    }

    /// Is it worked out by a call rather than by an instruction of the processor?
    pub fn is_call(&self) -> bool {
        matches!(
            self,
            Op::Power(..) | Op::PowerOf(..) | Op::Function(..) | Op::Atan2(..) | Op::Solution(..)
        )
    }
}

impl System {
    /// The values of the enclosing program that the equations use.
    pub fn operands(&self) -> impl Iterator<Item = Slot> + '_ {
        let (first, second): (&[Slot], &[Slot]) = match self {
            System::Linear { matrix, rhs, .. } => (matrix, rhs),
            System::Implicit { known, .. } => (known, &[]),
        };
        first.iter().chain(second).copied()
    }

    /// The same equations on other values.
    pub(super) fn map(&self, at: impl Fn(Slot) -> Slot) -> System {
        let all = |slots: &[Slot]| slots.iter().map(|&s| at(s)).collect();
        match self {
            System::Linear {
                matrix,
                rhs,
                symmetric,
            } => System::Linear {
                matrix: all(matrix),
                rhs: all(rhs),
                symmetric: *symmetric,
            },
            System::Implicit {
                known,
                size,
                newton,
            } => System::Implicit {
                known: all(known),
                size: *size,
                newton: newton.clone(),
            },
        }
    }
}

impl Program {
    /// Calls `f` for each value that instruction `k` needs, through its block if it is a solution.
    pub fn for_each_operand(&self, k: Slot, mut f: impl FnMut(Slot)) {
        match &self.ops[k as usize] {
            Op::Solution(block, _) => self.blocks[*block as usize].system.operands().for_each(f),
            op => op.for_each_operand(&mut f),
        }
    }

    /// Every pass that makes the program faster to run.
    pub fn optimized(&self) -> Program {
        self.unrolled().fused().scheduled()
    }
}
