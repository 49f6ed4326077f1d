//! Building programs: equal instructions are shared, constants are folded.

use super::op::{Block, Op, Program, Slot};
use rattleback_symbolic::{Function, checkpoint};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// Instructions under construction.
pub(super) struct Builder {
    pub(super) inputs: usize,
    pub(super) ops: Vec<Op>,
    pub(super) blocks: Vec<Block>,
    known: HashMap<Key, Slot, BuildHasherDefault<Mixer>>,
}

/// An instruction with its numbers as bits, so that it can be looked up.
#[derive(PartialEq, Eq, Hash)]
struct Key(u8, u64, u64, u32);

/// Multiply and rotate: the keys are small and not chosen by an adversary.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&b| self.write_u64(u64::from(b)));
    }
    fn write_u8(&mut self, x: u8) {
        self.write_u64(u64::from(x));
    }
    fn write_u32(&mut self, x: u32) {
        self.write_u64(u64::from(x));
    }
    fn write_u64(&mut self, x: u64) {
        self.0 = (self.0.rotate_left(23) ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

fn key(op: &Op) -> Key {
    let two = |tag, a: Slot, b: Slot| Key(tag, u64::from(a), u64::from(b), 0);
    match *op {
        Op::Constant(c) => Key(0, c.to_bits(), 0, 0),
        Op::Input(i) => two(1, i, 0),
        Op::Add(a, b) => two(2, a, b),
        Op::Sub(a, b) => two(3, a, b),
        Op::Mul(a, b) => two(4, a, b),
        Op::Div(a, b) => two(5, a, b),
        Op::Neg(a) => two(6, a, 0),
        Op::Sqrt(a) => two(7, a, 0),
        Op::MulAdd(a, b, c) => Key(8, u64::from(a), u64::from(b), c),
        Op::NegMulAdd(a, b, c) => Key(9, u64::from(a), u64::from(b), c),
        Op::MulSub(a, b, c) => Key(10, u64::from(a), u64::from(b), c),
        Op::Power(a, r) => Key(11, u64::from(a), r.to_bits(), 0),
        Op::Function(f, a) => two(12, a, f as u32),
        Op::Atan2(a, b) => two(13, a, b),
        Op::Solution(b, i) => two(14, b, i),
        Op::Check {
            value,
            scale,
            block,
            pivot,
        } => Key(
            15,
            u64::from(value),
            u64::from(scale),
            block.wrapping_mul(0x1_0001) ^ pivot,
        ),
        Op::NegMulSub(a, b, c) => Key(16, u64::from(a), u64::from(b), c),
        Op::PowerOf(a, b) => two(17, a, b),
    }
}

impl Builder {
    pub(super) fn new(inputs: usize) -> Self {
        Self {
            inputs,
            ops: Vec::new(),
            blocks: Vec::new(),
            known: HashMap::default(),
        }
    }

    pub(super) fn finish(self, outputs: Vec<Slot>) -> Program {
        Program {
            inputs: self.inputs,
            ops: self.ops,
            blocks: self.blocks,
            outputs,
        }
    }

    pub(super) fn constant(&mut self, c: f64) -> Slot {
        self.push(Op::Constant(c))
    }

    /// The value as a number, where it is one.
    pub(super) fn number(&self, a: Slot) -> Option<f64> {
        match self.ops[a as usize] {
            Op::Constant(c) => Some(c),
            _ => None,
        }
    }

    /// Adds an instruction as it stands, or finds the equal one.
    pub(super) fn push(&mut self, op: Op) -> Slot {
        checkpoint();
        let next = self.ops.len() as Slot;
        let slot = *self.known.entry(key(&op)).or_insert(next);
        if slot == next {
            self.ops.push(op);
        }
        slot
    }

    pub(super) fn add(&mut self, a: Slot, b: Slot) -> Slot {
        match (self.number(a), self.number(b)) {
            (Some(x), Some(y)) => self.constant(x + y),
            (Some(0.0), _) => b,
            (_, Some(0.0)) => a,
            _ => match (self.negated(a), self.negated(b)) {
                (_, Some(b)) => self.sub(a, b),
                (Some(a), None) => self.sub(b, a),
                _ => self.push(Op::Add(a.min(b), a.max(b))),
            },
        }
    }

    pub(super) fn sub(&mut self, a: Slot, b: Slot) -> Slot {
        if a == b {
            return self.constant(0.0);
        }
        match (self.number(a), self.number(b)) {
            (Some(x), Some(y)) => self.constant(x - y),
            (Some(0.0), _) => self.neg(b),
            (_, Some(0.0)) => a,
            _ => match self.negated(b) {
                Some(b) => self.push(Op::Add(a.min(b), a.max(b))),
                None => self.push(Op::Sub(a, b)),
            },
        }
    }

    /// The operand, if the value is a negation.
    fn negated(&self, a: Slot) -> Option<Slot> {
        match self.ops[a as usize] {
            Op::Neg(b) => Some(b),
            _ => None,
        }
    }

    pub(super) fn neg(&mut self, a: Slot) -> Slot {
        match self.ops[a as usize] {
            Op::Constant(c) => self.constant(-c),
            Op::Neg(b) => b,
            Op::Sub(x, y) => self.push(Op::Sub(y, x)),
            _ => self.push(Op::Neg(a)),
        }
    }

    pub(super) fn mul(&mut self, a: Slot, b: Slot) -> Slot {
        match (self.number(a), self.number(b)) {
            (Some(x), Some(y)) => self.constant(x * y),
            (Some(0.0), _) | (_, Some(0.0)) => self.constant(0.0),
            (Some(1.0), _) => b,
            (_, Some(1.0)) => a,
            (Some(-1.0), _) => self.neg(b),
            (_, Some(-1.0)) => self.neg(a),
            _ => self.push(Op::Mul(a.min(b), a.max(b))),
        }
    }

    pub(super) fn div(&mut self, a: Slot, b: Slot) -> Slot {
        match (self.number(a), self.number(b)) {
            (Some(x), Some(y)) => self.constant(x / y),
            (Some(0.0), _) => a,
            (_, Some(1.0)) => a,
            (_, Some(-1.0)) => self.neg(a),
            // A power of two divides exactly as its inverse multiplies.
            (_, Some(y)) if y.to_bits() << 12 == 0 && y.is_normal() => {
                let inverse = self.constant(1.0 / y);
                self.mul(a, inverse)
            }
            _ => self.push(Op::Div(a, b)),
        }
    }

    pub(super) fn recip(&mut self, a: Slot) -> Slot {
        let one = self.constant(1.0);
        self.div(one, a)
    }

    pub(super) fn sqrt(&mut self, a: Slot) -> Slot {
        match self.number(a) {
            Some(x) => self.constant(x.sqrt()),
            None => self.push(Op::Sqrt(a)),
        }
    }

    /// a^k for k ≥ 1, by squaring.
    fn natural_power(&mut self, a: Slot, k: u64) -> Slot {
        let mut result = None;
        let mut square = a;
        let mut left = k;
        while left > 0 {
            if left & 1 == 1 {
                result = Some(match result {
                    None => square,
                    Some(r) => self.mul(r, square),
                });
            }
            left >>= 1;
            if left > 0 {
                square = self.mul(square, square);
            }
        }
        result.unwrap_or(a)
    }

    /// a^(twice/2) for a positive exponent: squares and one root.
    pub(super) fn half_power(&mut self, a: Slot, twice: u64) -> Slot {
        if twice.is_multiple_of(2) {
            return self.natural_power(a, twice / 2);
        }
        let root = self.sqrt(a);
        match twice / 2 {
            0 => root,
            whole => {
                let power = self.natural_power(a, whole);
                self.mul(power, root)
            }
        }
    }

    pub(super) fn power(&mut self, a: Slot, r: f64) -> Slot {
        match self.number(a) {
            Some(x) => self.constant(x.powf(r)),
            None => self.push(Op::Power(a, r)),
        }
    }

    /// a^r, by multiplications and a root where they do.
    pub(super) fn number_power(&mut self, a: Slot, r: f64) -> Slot {
        let twice = 2.0 * r;
        match twice {
            0.0 => self.constant(1.0),
            _ if twice.fract() == 0.0 && twice.abs() <= 64.0 => {
                let power = self.half_power(a, twice.abs() as u64);
                if r < 0.0 { self.recip(power) } else { power }
            }
            _ => self.power(a, r),
        }
    }

    /// a^b
    pub(super) fn power_of(&mut self, a: Slot, b: Slot) -> Slot {
        match self.number(b) {
            Some(r) => self.number_power(a, r),
            None => self.push(Op::PowerOf(a, b)),
        }
    }

    pub(super) fn function(&mut self, f: Function, a: Slot) -> Slot {
        match self.number(a) {
            Some(x) => self.constant(f.evaluate(&[x])),
            None => self.push(Op::Function(f, a)),
        }
    }

    pub(super) fn atan2(&mut self, a: Slot, b: Slot) -> Slot {
        match (self.number(a), self.number(b)) {
            (Some(y), Some(x)) => self.constant(Function::Atan2.evaluate(&[y, x])),
            _ => self.push(Op::Atan2(a, b)),
        }
    }

    /// Adds a block and returns the slots of its unknowns.
    pub(super) fn solve(&mut self, block: Block) -> Vec<Slot> {
        let number = self.blocks.len() as u32;
        let size = block.system.size() as u32;
        self.blocks.push(block);
        (0..size)
            .map(|i| self.push(Op::Solution(number, i)))
            .collect()
    }

    /// The same instruction with its operands replaced; not for solutions and checks.
    pub(super) fn rebuild(&mut self, op: &Op, at: impl Fn(Slot) -> Slot) -> Slot {
        match *op {
            Op::Add(a, b) => self.add(at(a), at(b)),
            Op::Sub(a, b) => self.sub(at(a), at(b)),
            Op::Mul(a, b) => self.mul(at(a), at(b)),
            Op::Div(a, b) => self.div(at(a), at(b)),
            Op::Neg(a) => self.neg(at(a)),
            Op::Sqrt(a) => self.sqrt(at(a)),
            Op::Power(a, r) => self.power(at(a), r),
            Op::Function(f, a) => self.function(f, at(a)),
            Op::PowerOf(a, b) => self.power_of(at(a), at(b)),
            Op::Atan2(a, b) => self.atan2(at(a), at(b)),
            _ => self.push(op.map(at)),
        }
    }
}
