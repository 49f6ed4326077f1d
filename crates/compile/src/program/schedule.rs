//! The order of instructions: nothing unused, calls of one depth side by side.

use super::op::{Block, Op, Program, Slot};

impl Program {
    /// The same program without unused instructions, in an order in which the calls that can be made
    /// at the same moment stand together and everything else comes just before its first use.
    pub fn scheduled(&self) -> Program {
        let depth = self.call_depths();
        let mut order = Order::new(self);
        let wanted = self.wanted();
        let deepest = depth.iter().max().copied().unwrap_or(0);
        for level in 1..=deepest {
            let mut calls: Vec<Slot> = (0..self.ops.len() as Slot)
                .filter(|&k| wanted[k as usize] && depth[k as usize] == level)
                .filter(|&k| self.ops[k as usize].is_call())
                .collect();
            calls.sort_by_key(|&k| kind_of_call(&self.ops[k as usize]));
            for &call in &calls {
                self.for_each_operand(call, |a| order.place(a));
            }
            calls.iter().for_each(|&call| order.emit(call));
        }
        let checks = (0..self.ops.len() as Slot)
            .filter(|&k| matches!(self.ops[k as usize], Op::Check { .. }));
        checks.for_each(|k| order.place(k));
        self.outputs.iter().for_each(|&k| order.place(k));
        order.finish()
    }

    /// How many calls lie on the longest way to each value, itself included.
    fn call_depths(&self) -> Vec<u32> {
        let mut depth = vec![0; self.ops.len()];
        for (k, op) in self.ops.iter().enumerate() {
            let mut below = 0;
            self.for_each_operand(k as Slot, |a| below = below.max(depth[a as usize]));
            depth[k] = below + u32::from(op.is_call());
        }
        depth
    }

    /// Which instructions a result or a check needs. All unknowns of a block are kept together.
    fn wanted(&self) -> Vec<bool> {
        let mut wanted = vec![false; self.ops.len()];
        let mut blocks = vec![false; self.blocks.len()];
        self.outputs.iter().for_each(|&k| wanted[k as usize] = true);
        for k in (0..self.ops.len()).rev() {
            match &self.ops[k] {
                Op::Check { .. } => wanted[k] = true,
                Op::Solution(b, _) if wanted[k] => blocks[*b as usize] = true,
                _ => {}
            }
            if wanted[k] {
                self.for_each_operand(k as Slot, |a| wanted[a as usize] = true);
            }
        }
        for (k, op) in self.ops.iter().enumerate() {
            if let Op::Solution(b, _) = op {
                wanted[k] = blocks[*b as usize];
            }
        }
        wanted
    }
}

fn kind_of_call(op: &Op) -> (u8, u32) {
    use rattleback_symbolic::Function::{Cos, Sin};
    match op {
        Op::Function(Sin | Cos, _) => (0, 0),
        Op::Function(f, _) => (1, *f as u32),
        Op::Power(..) => (2, 0),
        Op::Atan2(..) => (3, 0),
        Op::Solution(block, _) => (4, *block),
        Op::PowerOf(..) => (5, 0),
        _ => (6, 0),
    }
}

/// Instructions in their new order.
struct Order<'a> {
    program: &'a Program,
    ops: Vec<Op>,
    place: Vec<Option<Slot>>,
    stack: Vec<(Slot, bool)>,
}

impl<'a> Order<'a> {
    fn new(program: &'a Program) -> Self {
        Self {
            program,
            ops: Vec::with_capacity(program.ops.len()),
            place: vec![None; program.ops.len()],
            stack: Vec::new(),
        }
    }

    /// Puts a value and all that it needs, operands first.
    fn place(&mut self, k: Slot) {
        self.stack.push((k, false));
        while let Some((k, ready)) = self.stack.pop() {
            if self.place[k as usize].is_some() {
                continue;
            }
            if ready {
                self.emit(k);
                continue;
            }
            self.stack.push((k, true));
            let from = self.stack.len();
            let stack = &mut self.stack;
            self.program.for_each_operand(k, |a| stack.push((a, false)));
            self.stack[from..].reverse();
        }
    }

    /// Puts one instruction whose operands are there.
    fn emit(&mut self, k: Slot) {
        if self.place[k as usize].is_some() {
            return;
        }
        let place = &self.place;
        let op = self.program.ops[k as usize].map(|a| at(place, a));
        self.place[k as usize] = Some(self.ops.len() as Slot);
        self.ops.push(op);
    }

    fn finish(self) -> Program {
        let at = |k: Slot| at(&self.place, k);
        // A block that nothing needs any more keeps its number, with its slots where they may fall.
        let blocks = self.program.blocks.iter().map(|b| Block {
            unknowns: b.unknowns.clone(),
            system: b.system.map(at),
        });
        Program {
            inputs: self.program.inputs,
            blocks: blocks.collect(),
            outputs: self.program.outputs.iter().map(|&k| at(k)).collect(),
            ops: self.ops,
        }
    }
}

fn at(place: &[Option<Slot>], k: Slot) -> Slot {
    place[k as usize].unwrap_or(0)
}
