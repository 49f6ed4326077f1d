//! What an evaluation costs.

use super::op::{Op, Program, Slot, System};

impl Program {
    /// The time of one evaluation that waits for the one before, in units of about a nanosecond: the
    /// longest chain of instructions, or all of them where they are many. Only ratios matter.
    pub fn cost(&self) -> f64 {
        let mut ready = vec![0.0; self.ops.len()];
        let mut work = 0.0;
        for (k, op) in self.ops.iter().enumerate() {
            let mut begun = 0.0;
            self.for_each_operand(k as Slot, |a| begun = f64::max(begun, ready[a as usize]));
            let (latency, throughput) = self.time(op);
            ready[k] = begun + latency;
            work += throughput;
        }
        ready.into_iter().fold(work, f64::max)
    }

    /// Until the result is there, and until the next instruction can begin.
    fn time(&self, op: &Op) -> (f64, f64) {
        match op {
            Op::Constant(_) | Op::Input(_) | Op::Check { .. } => (0.0, 0.0),
            Op::Add(..)
            | Op::Sub(..)
            | Op::Mul(..)
            | Op::Neg(_)
            | Op::MulAdd(..)
            | Op::NegMulAdd(..)
            | Op::MulSub(..)
            | Op::NegMulSub(..) => (1.3, 0.2),
            Op::Div(..) | Op::Sqrt(_) => (5.0, 2.0),
            Op::Function(..) => (15.0, 2.5),
            Op::Power(..) | Op::PowerOf(..) | Op::Atan2(..) => (30.0, 20.0),
            Op::Solution(block, 0) => {
                let n = self.blocks[*block as usize].system.size() as f64;
                let elimination = n * n * (n + 6.0) / 6.0;
                match self.blocks[*block as usize].system {
                    System::Linear { .. } => (8.0 * n, 0.3 * elimination),
                    System::Implicit { ref newton, .. } => {
                        let rounds = 4.0 * (newton.cost() + elimination);
                        (rounds, rounds)
                    }
                }
            }
            Op::Solution(block, _) => {
                (8.0 * self.blocks[*block as usize].system.size() as f64, 0.0)
            }
        }
    }
}
