//! Random programs and a plain evaluator to hold machine code against.
#![allow(dead_code)]

use proptest::prelude::*;
use rattleback_compile::program::{Block, Op, Program, Slot, System};
use rattleback_symbolic::Function;

/// The values of all instructions, and whether every check held.
pub fn evaluate(program: &Program, inputs: &[f64]) -> (Vec<f64>, bool) {
    let mut v: Vec<f64> = Vec::with_capacity(program.ops.len());
    let mut sound = true;
    let mut solved: Vec<Option<Vec<f64>>> = vec![None; program.blocks.len()];
    for op in &program.ops {
        let at = |s: Slot| v[s as usize];
        let x = match *op {
            Op::Constant(x) => x,
            Op::Input(i) => inputs[i as usize],
            Op::Add(a, b) => at(a) + at(b),
            Op::Sub(a, b) => at(a) - at(b),
            Op::Mul(a, b) => at(a) * at(b),
            Op::Div(a, b) => at(a) / at(b),
            Op::Neg(a) => -at(a),
            Op::Sqrt(a) => at(a).sqrt(),
            Op::MulAdd(a, b, c) => at(a).mul_add(at(b), at(c)),
            Op::NegMulAdd(a, b, c) => (-at(a)).mul_add(at(b), at(c)),
            Op::MulSub(a, b, c) => at(a).mul_add(at(b), -at(c)),
            Op::Power(a, p) => at(a).powf(p),
            Op::Function(f, a) => f.evaluate(&[at(a)]),
            Op::Atan2(a, b) => at(a).atan2(at(b)),
            Op::Check { value, scale, .. } => {
                sound &= at(value).abs() > 1e-14 * at(scale).abs();
                f64::NAN
            }
            Op::Solution(block, component) => {
                let x = solved[block as usize].get_or_insert_with(|| {
                    match &program.blocks[block as usize].system {
                        System::Linear { matrix, rhs, .. } => solve(
                            matrix.iter().map(|&s| at(s)).collect(),
                            rhs.iter().map(|&s| at(s)).collect(),
                        ),
                        System::Implicit { size, .. } => vec![f64::NAN; *size],
                    }
                });
                x[component as usize]
            }
        };
        v.push(x);
    }
    (
        program.outputs.iter().map(|&s| v[s as usize]).collect(),
        sound,
    )
}

/// Elimination with full pivoting: another way than the one under test.
fn solve(mut m: Vec<f64>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    let mut column: Vec<usize> = (0..n).collect();
    for k in 0..n {
        let (mut pi, mut pj) = (k, k);
        for i in k..n {
            for j in k..n {
                if m[i * n + j].abs() > m[pi * n + pj].abs() {
                    (pi, pj) = (i, j);
                }
            }
        }
        for j in 0..n {
            m.swap(k * n + j, pi * n + j);
        }
        b.swap(k, pi);
        for i in 0..n {
            m.swap(i * n + k, i * n + pj);
        }
        column.swap(k, pj);
        for i in k + 1..n {
            let f = m[i * n + k] / m[k * n + k];
            for j in k..n {
                m[i * n + j] -= f * m[k * n + j];
            }
            b[i] -= f * b[k];
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let tail: f64 = (k + 1..n).map(|j| m[k * n + j] * x[column[j]]).sum();
        x[column[k]] = (b[k] - tail) / m[k * n + k];
    }
    x
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

/// Arithmetic that every backend must do to the last bit.
pub fn exact_program(inputs: usize, raw: &[Raw], outputs: &[u32]) -> Program {
    build(inputs, raw, outputs, |kind, [a, b, c], x| match kind % 12 {
        0 => Op::Constant(x),
        1 | 2 => Op::Add(a, b),
        3 => Op::Sub(a, b),
        4 | 5 => Op::Mul(a, b),
        6 => Op::Div(a, b),
        7 => Op::Neg(a),
        8 => Op::Sqrt(a),
        9 => Op::MulAdd(a, b, c),
        10 => Op::NegMulAdd(a, b, c),
        _ => Op::MulSub(a, b, c),
    })
}

/// All instructions but solves, kept tame so that small differences stay small.
pub fn tame_program(inputs: usize, raw: &[Raw], outputs: &[u32]) -> Program {
    let functions = [
        Function::Sin,
        Function::Cos,
        Function::Atan,
        Function::Sin,
        Function::Cos,
    ];
    build(inputs, raw, outputs, |kind, [a, b, c], x| match kind % 14 {
        0 => Op::Constant(x),
        1 | 2 => Op::Add(a, b),
        3 => Op::Sub(a, b),
        4 => Op::Neg(a),
        5 => Op::MulSub(a, b, c),
        6 => Op::Atan2(a, b),
        k => Op::Function(functions[k as usize % functions.len()], a),
    })
}

fn build(
    inputs: usize,
    raw: &[Raw],
    outputs: &[u32],
    op: impl Fn(u8, [Slot; 3], f64) -> Op,
) -> Program {
    let mut ops: Vec<Op> = (0..inputs as u32).map(Op::Input).collect();
    for &(kind, a, b, c, x) in raw {
        let n = ops.len() as u32;
        ops.push(op(kind, [a % n, b % n, c % n], x));
    }
    let n = ops.len() as u32;
    Program {
        inputs,
        ops,
        blocks: Vec::new(),
        outputs: outputs.iter().map(|o| o % n).collect(),
    }
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
