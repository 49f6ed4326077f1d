//! Fused multiply-add: a product that is used once, by an addition, is rounded together with it.

use super::op::{Op, Program, Slot};

impl Program {
    /// The same program with a·b + c, c − a·b, a·b − c and −a·b − c as single instructions.
    pub fn fused(&self) -> Program {
        let mut uses = vec![0u32; self.ops.len()];
        for k in 0..self.ops.len() as Slot {
            // The operands of a block count once per unknown; never less than they are used.
            self.for_each_operand(k, |a| uses[a as usize] += 1);
        }
        self.outputs.iter().for_each(|&k| uses[k as usize] += 1);
        let product = |k: Slot| match self.ops[k as usize] {
            Op::Mul(a, b) if uses[k as usize] == 1 => Some((a, b)),
            _ => None,
        };
        let negated = |k: Slot| match self.ops[k as usize] {
            Op::Neg(a) if uses[k as usize] == 1 => Some(a),
            _ => None,
        };
        let ops = self.ops.iter().map(|op| match *op {
            Op::Add(x, y) => match (product(x), product(y)) {
                (_, Some((a, b))) => Op::MulAdd(a, b, x),
                (Some((a, b)), None) => Op::MulAdd(a, b, y),
                _ => *op,
            },
            Op::Sub(x, y) => match (product(x), product(y)) {
                (_, Some((a, b))) if let Some(z) = negated(x) => Op::NegMulSub(a, b, z),
                (None, None) if let Some((a, b)) = negated(x).and_then(product) => {
                    Op::NegMulSub(a, b, y)
                }
                (_, Some((a, b))) => Op::NegMulAdd(a, b, x),
                (Some((a, b)), None) => Op::MulSub(a, b, y),
                _ => *op,
            },
            _ => *op,
        });
        Program {
            ops: ops.collect(),
            ..self.clone()
        }
    }
}
