//! Linear solves written out as instructions.

use super::builder::Builder;
use super::op::{Block, Op, Program, Slot, System};

/// Symmetric systems up to this size are written out; the work grows with the cube.
const LARGEST: usize = 24;
/// A pivot of an indefinite matrix that has become this much smaller than its diagonal has lost
/// too many digits to go on without exchanging rows.
const CAUTION: f64 = 1e6;

impl Program {
    /// The same program with small symmetric linear solves as LDLᵀ, each pivot checked. Where a check
    /// fails, the program before this pass, which exchanges rows, has the answer.
    pub fn unrolled(&self) -> Program {
        if self.blocks.is_empty() {
            return self.clone();
        }
        let mut builder = Builder::new(self.inputs);
        let mut place: Vec<Slot> = Vec::with_capacity(self.ops.len());
        let mut solved: Vec<Option<Vec<Slot>>> = vec![None; self.blocks.len()];
        for op in &self.ops {
            let slot = match op {
                Op::Solution(block, i) => {
                    let b = *block as usize;
                    let solution = solved[b]
                        .get_or_insert_with(|| solve(&mut builder, &self.blocks[b], &place));
                    solution[*i as usize]
                }
                op => builder.rebuild(op, |a| place[a as usize]),
            };
            place.push(slot);
        }
        let outputs = self.outputs.iter().map(|&k| place[k as usize]).collect();
        builder.finish(outputs)
    }
}

fn solve(builder: &mut Builder, block: &Block, place: &[Slot]) -> Vec<Slot> {
    let moved = Block {
        unknowns: block.unknowns.clone(),
        system: block.system.map(|k| place[k as usize]),
    };
    match &moved.system {
        System::Linear {
            matrix,
            rhs,
            symmetric: true,
        } if rhs.len() <= LARGEST && first_pivot_is_there(builder, matrix) => {
            let (matrix, rhs) = (matrix.clone(), rhs.clone());
            let number = builder.blocks.len() as u32;
            // The block stays in the list for its name; no solution refers to it any more.
            builder.blocks.push(moved);
            ldlt(builder, &matrix, &rhs, number)
        }
        _ => builder.solve(moved),
    }
}

fn first_pivot_is_there(builder: &Builder, matrix: &[Slot]) -> bool {
    matrix
        .first()
        .is_some_and(|&m| builder.number(m) != Some(0.0))
}

/// M = L D Lᵀ with W = L D: w_ij = m_ij − Σ_k w_ik l_jk, l_ij = w_ij/d_j; then L D Lᵀ x = b.
fn ldlt(builder: &mut Builder, m: &[Slot], b: &[Slot], block: u32) -> Vec<Slot> {
    let n = b.len();
    let zero_diagonal = (0..n).any(|j| builder.number(m[j * n + j]) == Some(0.0));
    let mut w = vec![0; n * n];
    let mut l = vec![0; n * n];
    let mut inverse = Vec::with_capacity(n);
    for j in 0..n {
        for i in j..n {
            let mut s = m[i * n + j];
            for k in 0..j {
                let product = builder.mul(w[i * n + k], l[j * n + k]);
                s = builder.sub(s, product);
            }
            w[i * n + j] = s;
        }
        let d = w[j * n + j];
        let scale = scale_of(builder, m[j * n + j], zero_diagonal);
        if builder.number(d).is_none_or(|d| d == 0.0) {
            builder.push(Op::Check {
                value: d,
                scale,
                block,
                pivot: j as u32,
            });
        }
        let reciprocal = builder.recip(d);
        inverse.push(reciprocal);
        for i in j + 1..n {
            l[i * n + j] = builder.mul(w[i * n + j], reciprocal);
        }
    }
    let mut x = b.to_vec();
    for i in 0..n {
        for k in 0..i {
            let product = builder.mul(l[i * n + k], x[k]);
            x[i] = builder.sub(x[i], product);
        }
    }
    for (x, inverse) in x.iter_mut().zip(&inverse) {
        *x = builder.mul(*x, *inverse);
    }
    for i in (0..n).rev() {
        for k in i + 1..n {
            let product = builder.mul(l[k * n + i], x[k]);
            x[i] = builder.sub(x[i], product);
        }
    }
    x
}

fn scale_of(builder: &mut Builder, diagonal: Slot, indefinite: bool) -> Slot {
    match (builder.number(diagonal), indefinite) {
        (Some(0.0), _) => builder.constant(1e-280),
        (_, false) => diagonal,
        (_, true) => {
            let caution = builder.constant(CAUTION);
            builder.mul(diagonal, caution)
        }
    }
}
