//! Random programs, and the interpreter to hold machine code against.
#![allow(dead_code)]

use proptest::prelude::*;
use rattleback_compile::program::{Block, Interpreter, Op, Program, Slot, System};
use rattleback_symbolic::Function;

/// The outputs by the interpreter, and whether nothing failed.
pub fn evaluate(program: &Program, inputs: &[f64]) -> (Vec<f64>, bool) {
    let mut outputs = vec![f64::NAN; program.outputs.len()];
    let interpreter = Interpreter::new(program.clone());
    let sound = interpreter
        .run(inputs, &mut outputs, &mut Vec::new())
        .is_ok();
    (outputs, sound)
}

/// Raw material of one instruction: a kind, three operands as fractions of what there is, a number.
pub type Raw = (u8, u32, u32, u32, f64);

pub fn raw() -> impl Strategy<Value = Vec<Raw>> {
    let one = (
        any::<u8>(),
        any::<u32>(),
        any::<u32>(),
        any::<u32>(),
        -2.0..2.0f64,
    );
    prop::collection::vec(one, 1..400)
}

/// Arithmetic, which every backend must do to the last bit.
pub fn exact_program(inputs: usize, raw: &[Raw], outputs: &[u32]) -> Program {
    build(inputs, raw, outputs, false, arithmetic)
}

/// Arithmetic with checks and linear solves, nothing unused: a program may fail for what it needs only.
pub fn failing_program(inputs: usize, raw: &[Raw], outputs: &[u32]) -> Program {
    let program = build(
        inputs,
        raw,
        outputs,
        true,
        |kind, [a, b, c], x| match kind {
            ..5 => Op::Check {
                value: a,
                scale: b,
                block: 0,
                pivot: 0,
            },
            _ => arithmetic(kind, [a, b, c], x),
        },
    );
    program.scheduled()
}

fn arithmetic(kind: u8, [a, b, c]: [Slot; 3], x: f64) -> Op {
    match kind % 13 {
        0 => Op::Constant(x),
        1 | 2 => Op::Add(a, b),
        3 => Op::Sub(a, b),
        4 | 5 => Op::Mul(a, b),
        6 => Op::Div(a, b),
        7 => Op::Neg(a),
        8 => Op::Sqrt(a),
        9 => Op::MulAdd(a, b, c),
        10 => Op::NegMulAdd(a, b, c),
        11 => Op::MulSub(a, b, c),
        _ => Op::NegMulSub(a, b, c),
    }
}

/// Functions, kept tame so that small differences stay small.
pub fn tame_program(inputs: usize, raw: &[Raw], outputs: &[u32]) -> Program {
    let functions = [
        Function::Sin,
        Function::Cos,
        Function::Atan,
        Function::Tanh,
        Function::Sin,
        Function::Cos,
    ];
    build(inputs, raw, outputs, false, |kind, [a, b, c], x| {
        match kind % 14 {
            0 => Op::Constant(x),
            1 | 2 => Op::Add(a, b),
            3 => Op::Sub(a, b),
            4 => Op::Neg(a),
            5 => Op::MulSub(a, b, c),
            6 => Op::Atan2(a, b),
            k => Op::Function(functions[k as usize % functions.len()], a),
        }
    })
}

fn build(
    inputs: usize,
    raw: &[Raw],
    outputs: &[u32],
    solves: bool,
    op: impl Fn(u8, [Slot; 3], f64) -> Op,
) -> Program {
    let mut ops: Vec<Op> = (0..inputs as u32).map(Op::Input).collect();
    let mut blocks = Vec::new();
    for &(kind, a, b, c, x) in raw {
        if solves && kind >= 250 {
            solve(&mut ops, &mut blocks, 1 + a as usize % 4, b);
        } else {
            let operands = [a, b, c].map(|k| pick(&ops, k));
            ops.push(op(kind, operands, x));
        }
    }
    let outputs = outputs.iter().map(|&k| pick(&ops, k)).collect();
    Program {
        inputs,
        ops,
        blocks,
        outputs,
    }
}

/// A value; checks have none.
fn pick(ops: &[Op], k: u32) -> Slot {
    let slot = k % ops.len() as u32;
    match ops[slot as usize] {
        Op::Check { .. } => 0,
        _ => slot,
    }
}

/// Appends a linear system of random entries.
fn solve(ops: &mut Vec<Op>, blocks: &mut Vec<Block>, size: usize, seed: u32) {
    let entry = |k: usize| {
        pick(
            ops,
            seed.wrapping_add((k as u32).wrapping_mul(2_654_435_761)),
        )
    };
    let system = System::Linear {
        matrix: (0..size * size).map(entry).collect(),
        rhs: (size * size..size * (size + 1)).map(entry).collect(),
        symmetric: false,
    };
    let block = blocks.len() as u32;
    blocks.push(Block {
        unknowns: "x".into(),
        system,
    });
    ops.extend((0..size as u32).map(|k| Op::Solution(block, k)));
}

/// A linear block of the given size whose entries are inputs plus a strong diagonal.
pub fn solve_program(size: usize) -> Program {
    let n = size;
    let mut ops: Vec<Op> = (0..(n * n + n) as u32).map(Op::Input).collect();
    let strong = ops.len() as u32;
    ops.push(Op::Constant(4.0));
    let mut matrix: Vec<Slot> = (0..(n * n) as u32).collect();
    for k in 0..n {
        let entry = k * n + (n - 1 - k);
        matrix[entry] = ops.len() as u32;
        ops.push(Op::Add(entry as u32, strong));
    }
    let rhs = (0..n).map(|k| (n * n + k) as u32).collect();
    let first = ops.len() as u32;
    ops.extend((0..n as u32).map(|k| Op::Solution(0, k)));
    let last = ops.len() as u32;
    ops.push(Op::Mul(first, last - 1));
    Program {
        inputs: n * n + n,
        outputs: (first..=last).collect(),
        ops,
        blocks: vec![Block {
            unknowns: "x".into(),
            system: System::Linear {
                matrix,
                rhs,
                symmetric: false,
            },
        }],
    }
}

/// x solves x_k³ + x_k + x_0·y = known_k, which has one real solution for small y.
pub fn implicit_program(size: usize) -> Program {
    let n = size as u32;
    // Inner inputs: known (n), y, unknowns (n).
    let mut ops: Vec<Op> = (0..2 * n + 1).map(Op::Input).collect();
    let (y, x) = (n, n + 1);
    let push = |ops: &mut Vec<Op>, op| {
        ops.push(op);
        ops.len() as u32 - 1
    };
    let one = push(&mut ops, Op::Constant(1.0));
    let zero = push(&mut ops, Op::Constant(0.0));
    let three = push(&mut ops, Op::Constant(3.0));
    let (mut jacobian, mut residuals) = (vec![], vec![]);
    for i in 0..n {
        let square = push(&mut ops, Op::Mul(x + i, x + i));
        let diagonal = push(&mut ops, Op::MulAdd(three, square, one));
        let with_first = push(&mut ops, Op::Add(diagonal, y));
        for j in 0..n {
            jacobian.push(match (i == j, j == 0) {
                (true, true) => with_first,
                (true, false) => diagonal,
                (false, true) => y,
                (false, false) => zero,
            });
        }
        let cube = push(&mut ops, Op::MulAdd(square, x + i, x + i));
        let left = push(&mut ops, Op::MulAdd(x, y, cube));
        residuals.push(push(&mut ops, Op::Sub(left, i)));
    }
    let newton = Program {
        inputs: 2 * size + 1,
        ops,
        blocks: vec![],
        outputs: [jacobian, residuals].concat(),
    };
    let mut ops: Vec<Op> = (0..=n).map(Op::Input).collect();
    ops.extend((0..n).map(|k| Op::Solution(0, k)));
    ops.push(Op::Mul(n + 1, n + 1));
    Program {
        inputs: size + 1,
        outputs: (n + 1..=2 * n + 1).collect(),
        ops,
        blocks: vec![Block {
            unknowns: "x".into(),
            system: System::Implicit {
                known: (0..=n).collect(),
                size,
                newton: Box::new(newton),
            },
        }],
    }
}
