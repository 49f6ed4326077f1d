//! The order of work for a program: arithmetic one by one, functions and solves gathered into calls.

use crate::Lanes;
use crate::kernel::Systems;
use crate::validate::operands;
use rattleback_compile::program::{Op, Program, Slot, System};
use rattleback_symbolic::Function;

/// What a call computes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Callee {
    /// Sines and cosines of all arguments: four sines and four cosines per group of four numbers.
    SinCos,
    /// A function of one argument, elementwise.
    Unary(Function),
    /// Angles of points: all ordinates, then all abscissas.
    Atan2,
    /// Powers: all bases, then all exponents.
    PowerOf,
    /// A constant power, elementwise.
    Power(f64),
    /// The solution of a block.
    Solve(u32),
}

/// One call out of the program. Arguments and results travel through scratch memory.
#[derive(Debug)]
pub(crate) struct Call {
    /// What is computed.
    pub callee: Callee,
    /// The arguments, in the order of the callee.
    pub arguments: Vec<Slot>,
    /// The number of elements: points, or unknowns of a block.
    pub count: usize,
    /// The first result's place in scratch memory.
    pub result: u32,
    /// The values defined by this call, with the element that they take, and of which kind: sine
    /// (false) or cosine (true).
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code))]
    pub defines: Vec<(Slot, usize, bool)>,
}

/// One step of the work.
#[derive(Debug)]
pub(crate) enum Step {
    /// An arithmetic instruction or a check.
    Compute(Slot),
    /// A call.
    Call(Call),
}

/// The work of a program in order. Scratch memory is counted in values (of one or four numbers).
#[derive(Debug)]
pub(crate) struct Plan {
    /// What to do.
    pub steps: Vec<Step>,
    /// Where the results of calls lie in scratch memory; `NOWHERE` for other values.
    pub place: Vec<u32>,
    /// Where call arguments are gathered, with work space behind them.
    pub arguments: u32,
    /// The number of values in scratch memory taken so far.
    pub scratch: u32,
    /// Are there any calls that can fail?
    pub can_fail: bool,
}

/// The place of a value that is not the result of a call.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// The place where failures of calls are gathered.
pub(crate) const FAILURES: u32 = 0;

impl Plan {
    /// Plans a valid program.
    pub fn new(program: &Program, lanes: Lanes, systems: &Systems) -> Self {
        let live = live(program);
        let mut planner = Planner::new(program, lanes, systems);
        for (k, op) in program.ops.iter().enumerate() {
            if live[k] {
                planner.add(k as Slot, op, &live);
            }
        }
        planner.finish()
    }

    /// Is there a call for which this holds?
    #[cfg(target_arch = "x86_64")]
    pub fn has_call(&self, which: impl Fn(Callee) -> bool) -> bool {
        let calls = |s: &Step| matches!(s, Step::Call(call) if which(call.callee));
        self.steps.iter().any(calls)
    }
}

/// Where the sine (or the cosine) of argument `k` lies among the results, counted in values.
pub(crate) fn trigonometric_place(k: usize, cosine: bool, lanes: Lanes) -> usize {
    let number = k * lanes.count();
    (number / 4 * 8 + number % 4 + if cosine { 4 } else { 0 }) / lanes.count()
}

/// Which values are needed for the outputs and the checks.
fn live(program: &Program) -> Vec<bool> {
    let mut live = vec![false; program.ops.len()];
    program
        .outputs
        .iter()
        .for_each(|&s| live[s as usize] = true);
    let mut wanted = vec![false; program.blocks.len()];
    for (k, op) in program.ops.iter().enumerate().rev() {
        live[k] |= matches!(op, Op::Check { .. });
        if !live[k] {
            continue;
        }
        match *op {
            Op::Solution(block, _) if !wanted[block as usize] => {
                wanted[block as usize] = true;
                for s in block_arguments(program, block) {
                    live[s as usize] = true;
                }
            }
            _ => operands(op)
                .into_iter()
                .flatten()
                .for_each(|s| live[s as usize] = true),
        }
    }
    live
}

/// The values that a block reads.
fn block_arguments(program: &Program, block: u32) -> Vec<Slot> {
    match &program.blocks[block as usize].system {
        System::Linear { matrix, rhs, .. } => [&matrix[..], &rhs[..]].concat(),
        System::Implicit { known, .. } => known.clone(),
    }
}

struct Planner<'a> {
    program: &'a Program,
    lanes: Lanes,
    systems: &'a Systems,
    plan: Plan,
    /// A call that may still grow, with its second arguments and what each value takes from it.
    open: Option<Open>,
    /// Where each block's solution begins, once it has been called.
    solved: Vec<u32>,
    widest: usize,
}

struct Open {
    callee: Callee,
    first: Slot,
    arguments: Vec<Slot>,
    seconds: Vec<Slot>,
    /// As in [`Call`].
    takes: Vec<(Slot, usize, bool)>,
}

impl<'a> Planner<'a> {
    fn new(program: &'a Program, lanes: Lanes, systems: &'a Systems) -> Self {
        Self {
            program,
            lanes,
            systems,
            plan: Plan {
                steps: Vec::with_capacity(program.ops.len()),
                place: vec![NOWHERE; program.ops.len()],
                arguments: 0,
                scratch: FAILURES + 1,
                can_fail: false,
            },
            open: None,
            solved: vec![NOWHERE; program.blocks.len()],
            widest: 0,
        }
    }

    fn add(&mut self, slot: Slot, op: &Op, live: &[bool]) {
        match *op {
            Op::Constant(_) | Op::Input(_) => {}
            Op::Function(Function::Sin, a) => self.gather(slot, Callee::SinCos, a, None, false),
            Op::Function(Function::Cos, a) => self.gather(slot, Callee::SinCos, a, None, true),
            Op::Function(f, a) => self.gather(slot, Callee::Unary(f), a, None, false),
            Op::Power(a, p) => self.gather(slot, Callee::Power(p), a, None, false),
            Op::PowerOf(a, b) => self.gather(slot, Callee::PowerOf, a, Some(b), false),
            Op::Atan2(a, b) => self.gather(slot, Callee::Atan2, a, Some(b), false),
            Op::Solution(block, component) => self.solution(slot, block, component, live),
            _ => {
                self.close();
                self.plan.steps.push(Step::Compute(slot));
            }
        }
    }

    /// Puts a function value into the open call, or opens one.
    fn gather(&mut self, slot: Slot, callee: Callee, a: Slot, b: Option<Slot>, second: bool) {
        let fits = self.open.as_ref().is_some_and(|o| {
            o.callee == callee
                && [Some(a), b]
                    .iter()
                    .flatten()
                    .all(|&s| self.known_before(o, s))
        });
        if !fits {
            self.close();
        }
        let open = self.open.get_or_insert_with(|| Open {
            callee,
            first: slot,
            arguments: Vec::new(),
            seconds: Vec::new(),
            takes: Vec::new(),
        });
        // A sine and a cosine of one argument share it; they stand side by side.
        let shared = match callee {
            Callee::SinCos => open.arguments.iter().rposition(|&s| s == a),
            _ => None,
        };
        let argument = shared.unwrap_or_else(|| {
            open.arguments.push(a);
            open.seconds.extend(b);
            open.arguments.len() - 1
        });
        open.takes.push((slot, argument, second));
    }

    fn known_before(&self, open: &Open, slot: Slot) -> bool {
        slot < open.first
            || matches!(
                self.program.ops[slot as usize],
                Op::Constant(_) | Op::Input(_)
            )
    }

    /// Ends the open call.
    fn close(&mut self) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        let count = open.arguments.len();
        let place = |argument, second| match open.callee {
            Callee::SinCos => trigonometric_place(argument, second, self.lanes),
            _ => argument,
        };
        // Whole groups of four are written, also where the last one is not full.
        let room = match open.callee {
            Callee::SinCos => place(count.next_multiple_of(4), false),
            _ => count,
        };
        let result = self.plan.scratch;
        for &(slot, argument, second) in &open.takes {
            self.plan.place[slot as usize] = result + place(argument, second) as u32;
        }
        self.reserve(room);
        open.arguments.append(&mut open.seconds);
        self.push(Call {
            callee: open.callee,
            arguments: open.arguments,
            count,
            result,
            defines: open.takes,
        });
    }

    fn solution(&mut self, slot: Slot, block: u32, component: u32, live: &[bool]) {
        self.close();
        if self.solved[block as usize] == NOWHERE {
            let count = self.program.blocks[block as usize].system.size();
            let result = self.reserve(count);
            self.solved[block as usize] = result;
            self.plan.can_fail = true;
            let rest = self.program.ops[slot as usize..].iter().zip(slot..);
            let defines = rest
                .filter(|(_, s)| live[*s as usize])
                .filter_map(|(op, s)| match op {
                    Op::Solution(b, k) if *b == block => Some((s, *k as usize, false)),
                    _ => None,
                })
                .collect();
            self.push(Call {
                callee: Callee::Solve(block),
                arguments: block_arguments(self.program, block),
                count,
                result,
                defines,
            });
        }
        self.plan.place[slot as usize] = self.solved[block as usize] + component;
    }

    fn push(&mut self, call: Call) {
        let workspace = match call.callee {
            Callee::Solve(block) => self.systems.solver(block).workspace(),
            _ => 0,
        };
        let values = call.arguments.len() + workspace.div_ceil(self.lanes.count());
        self.widest = self.widest.max(values);
        self.plan.steps.push(Step::Call(call));
    }

    fn reserve(&mut self, values: usize) -> u32 {
        let place = self.plan.scratch;
        self.plan.scratch += values as u32;
        place
    }

    fn finish(mut self) -> Plan {
        self.close();
        self.plan.arguments = self.reserve(self.widest);
        self.plan
    }
}
