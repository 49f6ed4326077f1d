//! The reference backend: runs a program anywhere, one state or several side by side.

use super::newton::newton;
use super::op::{Fault, FaultKind, Op, Program, Slot, System};
use rattleback_numeric::solve_scaled;
use rattleback_numeric::tolerance::VANISHING_PIVOT;
use rattleback_symbolic::Function;

/// An interpreter of one program.
pub struct Interpreter {
    program: Program,
    /// The interpreters of the implicit blocks.
    inner: Vec<Option<Box<Interpreter>>>,
}

impl Interpreter {
    /// An interpreter of `program`.
    pub fn new(program: Program) -> Self {
        let inner = program.blocks.iter().map(|b| match &b.system {
            System::Linear { .. } => None,
            System::Implicit { newton, .. } => {
                Some(Box::new(Interpreter::new(newton.as_ref().clone())))
            }
        });
        Self {
            inner: inner.collect(),
            program,
        }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The outputs at these inputs.
    pub fn values(&self, inputs: &[f64]) -> Result<Vec<f64>, Fault> {
        let mut outputs = vec![0.0; self.program.outputs.len()];
        self.run(inputs, &mut outputs, &mut Vec::new())?;
        Ok(outputs)
    }

    /// Writes the outputs at these inputs; `memory` is kept by the caller to be used again.
    pub fn run(
        &self,
        inputs: &[f64],
        outputs: &mut [f64],
        memory: &mut Vec<[f64; 1]>,
    ) -> Result<(), Fault> {
        let (inputs, outputs) = (inputs.as_chunks().0, outputs.as_chunks_mut().0);
        let [fault] = self.run_lanes(inputs, outputs, memory);
        fault.map_or(Ok(()), Err)
    }

    /// Runs `L` states side by side: `inputs[i][lane]`. A fault concerns its own lane only.
    pub fn run_lanes<const L: usize>(
        &self,
        inputs: &[[f64; L]],
        outputs: &mut [[f64; L]],
        memory: &mut Vec<[f64; L]>,
    ) -> [Option<Fault>; L] {
        debug_assert_eq!(inputs.len(), self.program.inputs);
        let mut faults = [None; L];
        memory.clear();
        for op in &self.program.ops {
            let value = match *op {
                Op::Solution(block, 0) => {
                    self.solve_block(block, memory, &mut faults);
                    continue;
                }
                // Written together with the first component.
                Op::Solution(..) => continue,
                Op::Check {
                    value,
                    scale,
                    block,
                    pivot,
                } => {
                    let (v, s) = (memory[value as usize], memory[scale as usize]);
                    check(
                        &v,
                        &s,
                        Fault {
                            block,
                            kind: FaultKind::Singular(pivot),
                        },
                        &mut faults,
                    );
                    v
                }
                _ => lanes(op, inputs, memory),
            };
            memory.push(value);
        }
        for (out, &k) in outputs.iter_mut().zip(&self.program.outputs) {
            *out = memory[k as usize];
        }
        faults
    }

    /// Appends the solution of a block to the memory.
    fn solve_block<const L: usize>(
        &self,
        block: u32,
        memory: &mut Vec<[f64; L]>,
        faults: &mut [Option<Fault>; L],
    ) {
        let system = &self.program.blocks[block as usize].system;
        let size = system.size();
        let from = memory.len();
        memory.resize(from + size, [f64::NAN; L]);
        for lane in 0..L {
            let take = |slots: &[Slot]| -> Vec<f64> {
                slots.iter().map(|&k| memory[k as usize][lane]).collect()
            };
            let found = match system {
                System::Linear { matrix, rhs, .. } => {
                    let (mut matrix, mut x) = (take(matrix), take(rhs));
                    solve_scaled(&mut matrix, &mut x)
                        .map(|()| x)
                        .map_err(|singular| FaultKind::Singular(singular.pivot as u32))
                }
                System::Implicit { known, .. } => match &self.inner[block as usize] {
                    Some(equations) => newton(equations, size, &take(known)),
                    None => Err(FaultKind::NotConverged(f64::NAN)),
                },
            };
            match found {
                Ok(x) => (0..size).for_each(|i| memory[from + i][lane] = x[i]),
                Err(kind) => {
                    faults[lane].get_or_insert(Fault { block, kind });
                }
            }
        }
    }
}

fn check<const L: usize>(
    value: &[f64; L],
    scale: &[f64; L],
    fault: Fault,
    faults: &mut [Option<Fault>; L],
) {
    for lane in 0..L {
        let passes = value[lane].abs() > VANISHING_PIVOT * scale[lane].abs();
        if !passes {
            faults[lane].get_or_insert(fault);
        }
    }
}

fn lanes<const L: usize>(op: &Op, inputs: &[[f64; L]], memory: &[[f64; L]]) -> [f64; L] {
    let one = |a: Slot, f: &dyn Fn(f64) -> f64| memory[a as usize].map(f);
    let two = |a: Slot, b: Slot, f: &dyn Fn(f64, f64) -> f64| {
        let (x, y) = (&memory[a as usize], &memory[b as usize]);
        std::array::from_fn(|l| f(x[l], y[l]))
    };
    let three = |a: Slot, b: Slot, c: Slot, f: &dyn Fn(f64, f64, f64) -> f64| {
        let (x, y, z) = (
            &memory[a as usize],
            &memory[b as usize],
            &memory[c as usize],
        );
        std::array::from_fn(|l| f(x[l], y[l], z[l]))
    };
    match *op {
        Op::Constant(c) => [c; L],
        Op::Input(i) => inputs[i as usize],
        Op::Add(a, b) => two(a, b, &|x, y| x + y),
        Op::Sub(a, b) => two(a, b, &|x, y| x - y),
        Op::Mul(a, b) => two(a, b, &|x, y| x * y),
        Op::Div(a, b) => two(a, b, &|x, y| x / y),
        Op::Neg(a) => one(a, &|x| -x),
        Op::Sqrt(a) => one(a, &f64::sqrt),
        Op::MulAdd(a, b, c) => three(a, b, c, &|x, y, z| x.mul_add(y, z)),
        Op::NegMulAdd(a, b, c) => three(a, b, c, &|x, y, z| (-x).mul_add(y, z)),
        Op::MulSub(a, b, c) => three(a, b, c, &|x, y, z| x.mul_add(y, -z)),
        Op::NegMulSub(a, b, c) => three(a, b, c, &|x, y, z| (-x).mul_add(y, -z)),
        Op::Power(a, r) => one(a, &|x| x.powf(r)),
        Op::Function(f, a) => one(a, &|x| f.evaluate(&[x])),
        Op::PowerOf(a, b) => two(a, b, &f64::powf),
        Op::Atan2(a, b) => two(a, b, &|y, x| Function::Atan2.evaluate(&[y, x])),
        Op::Solution(..) | Op::Check { .. } => [f64::NAN; L],
    }
}
