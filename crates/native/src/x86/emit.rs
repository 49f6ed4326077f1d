//! A program as machine code: one step of the plan after another.
#![allow(unsafe_code)]

use super::allocator::{Allocator, Eviction, Home, Uses};
use super::sincos::SincosConstants;
use super::{Address, Assembler, Binary, FusedKind, Label, Place, VectorRegister};
use super::{ConstantPool, GeneralRegister as G};
use crate::code::{Code, Entry, Owner};
use crate::kernel::Systems;
use crate::memory::ExecutableMemory;
use crate::plan::{Call, Callee, FAILURES, NOWHERE, Plan, Step};
use crate::runtime;
use crate::validate::operands;
use crate::{Lanes, NativeError};
use rattleback_compile::program::{Op, Program, Slot};
use rattleback_numeric::tolerance::VANISHING_PIVOT;
use rattleback_symbolic::Function;

/// Every bit but the sign.
const SIZE_BITS: f64 = f64::from_bits(0x7fff_ffff_ffff_ffff);
/// The sign bit.
const SIGN_BIT: f64 = -0.0;

/// Compiles a valid program.
pub(crate) fn emit(
    program: &Program,
    lanes: Lanes,
    systems: &Systems,
) -> Result<Code, NativeError> {
    let plan = Plan::new(program, lanes, systems);
    // Everything is addressed with 32 bits.
    if plan.scratch as usize + program.ops.len() > 1 << 25 {
        return Err(NativeError::TooLarge);
    }
    let mut emitter = Emitter::new(program, &plan, lanes);
    emitter.prologue();
    for step in &plan.steps {
        match step {
            Step::Compute(slot) => emitter.compute(*slot),
            Step::Call(call) if call.callee == Callee::SinCos => emitter.sines_and_cosines(call),
            Step::Call(call) => emitter.call(call, systems)?,
        }
    }
    emitter.epilogue();
    emitter.finish()
}

pub(super) struct Emitter<'a> {
    pub(super) asm: Assembler,
    pub(super) values: Allocator,
    /// The subroutine for sines and cosines, if there is one.
    pub(super) sincos: Option<(Label, SincosConstants)>,
    program: &'a Program,
    pub(super) plan: &'a Plan,
    pub(super) lanes: Lanes,
    /// (value, output), sorted.
    outputs: Vec<(Slot, u32)>,
    bases: Bases,
    masks: Masks,
    /// The value that gathers failed checks.
    failures: Slot,
    has_checks: bool,
}

/// Where inputs, outputs and scratch memory begin.
struct Bases {
    inputs: G,
    outputs: G,
    scratch: G,
    /// Were they moved to registers that survive calls?
    saved: bool,
}

/// Constants for bitwise tricks.
struct Masks {
    sign: u32,
    size: u32,
    singular: u32,
}

impl<'a> Emitter<'a> {
    fn new(program: &'a Program, plan: &'a Plan, lanes: Lanes) -> Self {
        let mut pool = ConstantPool::new();
        let width = lanes.count();
        let masks = Masks {
            sign: pool.add(SIGN_BIT, width.max(2)),
            size: pool.add(SIZE_BITS, width.max(2)),
            singular: pool.add(VANISHING_PIVOT, width),
        };
        let sincos = plan
            .has_call(|callee| callee == Callee::SinCos)
            .then(|| SincosConstants::new(&mut pool));
        let failures = program.ops.len() as Slot;
        let mut home: Vec<Home> = (program.ops.iter().zip(&plan.place))
            .map(|(op, &place)| match *op {
                Op::Input(i) => Home::Input(i),
                Op::Constant(x) => Home::Constant(pool.add(x, width)),
                // These begin in registers.
                Op::Function(Function::Sin | Function::Cos, _) => Home::Nowhere,
                _ if place != NOWHERE => Home::Result(place),
                _ => Home::Nowhere,
            })
            .collect();
        home.push(Home::Nowhere);
        let (uses, has_checks) = uses(program, plan, failures);
        let mut outputs: Vec<(Slot, u32)> = program.outputs.iter().copied().zip(0..).collect();
        outputs.sort_unstable();
        let bases = if plan.has_call(|callee| callee != Callee::SinCos) {
            Bases {
                inputs: G::RBX,
                outputs: G::R12,
                scratch: G::R13,
                saved: true,
            }
        } else {
            Bases {
                inputs: G::RDI,
                outputs: G::RSI,
                scratch: G::RDX,
                saved: false,
            }
        };
        let mut asm = Assembler::new(lanes, pool);
        let sincos = sincos.map(|constants| (asm.label(), constants));
        Self {
            asm,
            sincos,
            values: Allocator::new(Uses::new(home.len(), &uses), home, plan.scratch),
            program,
            plan,
            lanes,
            outputs,
            bases,
            masks,
            failures,
            has_checks,
        }
    }

    fn prologue(&mut self) {
        if self.bases.saved {
            // Three registers saved leave the stack aligned for calls.
            for (kept, argument) in [(G::RBX, G::RDI), (G::R12, G::RSI), (G::R13, G::RDX)] {
                self.asm.push(kept);
                self.asm.move_register(kept, argument);
            }
        }
        if self.lanes == Lanes::Four {
            self.asm.add_immediate(self.bases.scratch, 31);
            self.asm.and_immediate(self.bases.scratch, -32);
        }
        if self.plan.can_fail {
            self.asm.store_immediate(self.scratch(FAILURES), 0);
        }
        for k in 0..self.outputs.len() {
            let (slot, output) = self.outputs[k];
            let op = &self.program.ops[slot as usize];
            if matches!(op, Op::Input(_) | Op::Constant(_)) {
                self.copy_to_output(slot, output);
            }
        }
    }

    fn epilogue(&mut self) {
        if self.has_checks {
            let mask = self.in_register(self.failures);
            self.asm.sign_mask(G::RAX, mask);
        } else {
            self.asm.move_immediate(G::RAX, 0);
        }
        if self.plan.can_fail {
            self.asm.or_from(G::RAX, self.scratch(FAILURES));
        }
        self.clear_upper();
        if self.bases.saved {
            [G::R13, G::R12, G::RBX]
                .into_iter()
                .for_each(|r| self.asm.pop(r));
        }
        self.asm.ret();
        if let Some((label, constants)) = &self.sincos {
            self.asm.place(*label);
            constants.subroutine(&mut self.asm);
        }
    }

    /// Before code that does not know of wide registers.
    fn clear_upper(&mut self) {
        if self.lanes == Lanes::Four || self.sincos.is_some() {
            self.asm.clear_upper();
        }
    }

    fn finish(self) -> Result<Code, NativeError> {
        // Room to align scratch memory for wide registers.
        let padding = if self.lanes == Lanes::Four { 4 } else { 0 };
        let scratch = self.values.scratch() as usize * self.lanes.count() + padding;
        let image = self.asm.finish()?;
        let memory = ExecutableMemory::new(&image.bytes)?;
        // SAFETY: the image holds code of this signature at its entry.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(memory.address(image.entry)) };
        Ok(Code {
            entry,
            memory: Owner::Pages(memory),
            scratch,
        })
    }

    fn compute(&mut self, slot: Slot) {
        match self.program.ops[slot as usize] {
            Op::Add(a, b) => self.binary(Binary::Add, slot, a, b),
            Op::Sub(a, b) => self.binary(Binary::Sub, slot, a, b),
            Op::Mul(a, b) => self.binary(Binary::Mul, slot, a, b),
            Op::Div(a, b) => self.binary(Binary::Div, slot, a, b),
            Op::MulAdd(a, b, c) => self.fused(FusedKind::MulAdd, slot, [a, b, c]),
            Op::NegMulAdd(a, b, c) => self.fused(FusedKind::NegMulAdd, slot, [a, b, c]),
            Op::MulSub(a, b, c) => self.fused(FusedKind::MulSub, slot, [a, b, c]),
            Op::NegMulSub(a, b, c) => self.fused(FusedKind::NegMulSub, slot, [a, b, c]),
            Op::Neg(a) => self.negate(slot, a),
            Op::Sqrt(a) => self.square_root(slot, a),
            Op::Check { value, scale, .. } => self.check(value, scale),
            // The plan makes calls of these, and constants and inputs need no work.
            Op::Constant(_)
            | Op::Input(_)
            | Op::Power(..)
            | Op::PowerOf(..)
            | Op::Function(..)
            | Op::Atan2(..)
            | Op::Solution(..) => {}
        }
    }

    fn binary(&mut self, op: Binary, slot: Slot, a: Slot, b: Slot) {
        let commutes = matches!(op, Binary::Add | Binary::Mul);
        let swap = commutes && self.values.register(a).is_none() && self.prefers_first(b, a);
        let (a, b) = if swap { (b, a) } else { (a, b) };
        let x = self.in_register(a);
        let y = self.place(b);
        self.values.consume(a);
        self.values.consume(b);
        let d = self.fresh_reusing();
        self.asm.binary(op, d, x, y);
        self.define(slot, d);
    }

    /// Of two operands where the other one is in memory: should `b` be the one in a register?
    fn prefers_first(&self, b: Slot, a: Slot) -> bool {
        self.values.register(b).is_some() || self.values.remaining(b) > self.values.remaining(a)
    }

    fn negate(&mut self, slot: Slot, a: Slot) {
        let x = self.in_register(a);
        self.values.consume(a);
        let d = self.fresh_reusing();
        let sign = Place::Memory(Address::Pool(self.masks.sign));
        self.asm.binary(Binary::Xor, d, x, sign);
        self.define(slot, d);
    }

    fn square_root(&mut self, slot: Slot, a: Slot) {
        let x = self.in_register(a);
        self.values.consume(a);
        let d = self.fresh_reusing();
        self.asm.square_root(d, x);
        self.define(slot, d);
    }

    /// failures |= not |value| > VANISHING_PIVOT·|scale|
    fn check(&mut self, value: Slot, scale: Slot) {
        let size = Place::Memory(Address::Pool(self.masks.size));
        let x = self.in_register(value);
        let s = self.in_register(scale);
        let d = self.fresh();
        let t = self.fresh();
        self.asm.binary(Binary::And, t, s, size);
        let singular = Place::Memory(Address::Pool(self.masks.singular));
        self.asm.binary(Binary::Mul, t, t, singular);
        self.asm.binary(Binary::And, d, x, size);
        self.asm.not_greater(d, d, t);
        self.values.consume(value);
        self.values.consume(scale);
        self.values.unpin_all();
        self.values.pin(d);
        let failures = self.failures;
        let earlier =
            self.values.register(failures).is_some() || self.values.home(failures) != Home::Nowhere;
        if earlier {
            // Not from memory: a bitwise operation reads more than a scalar.
            let f = self.in_register(failures);
            self.asm.binary(Binary::Or, d, d, Place::Register(f));
        }
        self.values.consume(failures);
        self.values.leave(failures);
        self.values.set_home(failures, Home::Nowhere);
        self.values.assign(failures, d);
        self.values.end_instruction();
    }

    fn call(&mut self, call: &Call, systems: &Systems) -> Result<(), NativeError> {
        let target = runtime::target(call, self.lanes, systems)
            .ok_or(NativeError::Unsupported("a function of this kind"))?;
        let arguments = match self.contiguous_inputs(call) {
            Some(address) => {
                call.arguments.iter().for_each(|&a| self.values.consume(a));
                address
            }
            None => self.gather_arguments(call),
        };
        for eviction in self.values.empty() {
            self.save(eviction);
        }
        self.clear_upper();
        self.asm.address_of(G::RDI, arguments);
        self.asm.address_of(G::RSI, self.scratch(call.result));
        self.asm.move_immediate(G::RDX, target.count as u64);
        self.asm.move_immediate(G::RCX, target.context);
        self.asm
            .move_immediate(G::RAX, target.function as usize as u64);
        self.asm.call(G::RAX);
        if matches!(call.callee, Callee::Solve(_)) {
            self.asm.or_into(self.scratch(FAILURES), G::RAX);
        }
        for &(slot, ..) in &call.defines {
            self.each_output(slot, Self::copy_to_output);
        }
        Ok(())
    }

    /// Arguments that are inputs in a row can be read where they are.
    fn contiguous_inputs(&self, call: &Call) -> Option<Address> {
        let Home::Input(first) = self.values.home(*call.arguments.first()?) else {
            return None;
        };
        // Solves use their arguments as work space.
        let reads_only = !matches!(call.callee, Callee::Solve(_));
        let in_a_row = (call.arguments.iter().zip(first..))
            .all(|(&a, i)| self.values.home(a) == Home::Input(i));
        (reads_only && in_a_row).then(|| self.address(Home::Input(first)))?
    }

    fn gather_arguments(&mut self, call: &Call) -> Address {
        for (&a, k) in call.arguments.iter().zip(self.plan.arguments..) {
            let r = self.in_register(a);
            self.asm.store(self.scratch(k), r);
            self.values.consume(a);
            self.values.end_instruction();
        }
        self.scratch(self.plan.arguments)
    }

    // ---- values and registers ---------------------------------------------------------------------

    /// The value in a register, which the current instruction keeps.
    pub(super) fn in_register(&mut self, slot: Slot) -> VectorRegister {
        if let Some(r) = self.values.register(slot) {
            self.values.pin(r);
            return r;
        }
        let r = self.fresh();
        self.load_into(r, slot);
        self.values.assign(slot, r);
        r
    }

    /// Reads a value that lies in memory.
    pub(super) fn load_into(&mut self, r: VectorRegister, slot: Slot) {
        if let Some(from) = self.address(self.values.home(slot)) {
            self.asm.load(r, from);
        }
    }

    /// The value where it is; one that is used often moves to a register if there is room.
    pub(super) fn place(&mut self, slot: Slot) -> Place {
        let often = self.values.remaining(slot) >= 3 && self.values.has_free();
        match self.address(self.values.home(slot)) {
            Some(address) if self.values.register(slot).is_none() && !often => {
                Place::Memory(address)
            }
            _ => Place::Register(self.in_register(slot)),
        }
    }

    /// A register to write to while the pinned ones are still needed.
    pub(super) fn fresh(&mut self) -> VectorRegister {
        let (r, eviction) = self.values.take();
        if let Some(eviction) = eviction {
            self.save(eviction);
        }
        r
    }

    /// A register to write to; the operands' registers may serve if they have become free. If nothing is
    /// free, the operands themselves stay: they are read by the same instruction that writes.
    pub(super) fn fresh_reusing(&mut self) -> VectorRegister {
        self.values.unpin_all();
        self.fresh()
    }

    pub(super) fn save(&mut self, eviction: Eviction) {
        self.asm
            .store(self.scratch(eviction.spill), eviction.register);
    }

    /// The register holds the value from now on; outputs are stored at once.
    pub(super) fn define(&mut self, slot: Slot, d: VectorRegister) {
        self.values.assign(slot, d);
        self.each_output(slot, |this, slot, output| {
            let to = this.output(output);
            this.asm.store(to, d);
            this.values.set_home(slot, Home::Output(output));
        });
        self.values.release_if_dead(slot);
        self.values.end_instruction();
    }

    pub(super) fn each_output(&mut self, slot: Slot, mut act: impl FnMut(&mut Self, Slot, u32)) {
        let mut k = self.outputs.partition_point(|o| o.0 < slot);
        while let Some(&(s, output)) = self.outputs.get(k) {
            if s != slot {
                break;
            }
            act(self, slot, output);
            k += 1;
        }
    }

    pub(super) fn copy_to_output(&mut self, slot: Slot, output: u32) {
        let r = self.in_register(slot);
        let to = self.output(output);
        self.asm.store(to, r);
        self.values.release_if_dead(slot);
        self.values.end_instruction();
    }

    pub(super) fn address(&self, home: Home) -> Option<Address> {
        Some(match home {
            Home::Nowhere => return None,
            Home::Input(i) => Address::At(self.bases.inputs, self.offset(i)),
            Home::Constant(place) => Address::Pool(place),
            Home::Output(k) => self.output(k),
            Home::Result(place) | Home::Spill(place) => self.scratch(place),
        })
    }

    fn output(&self, k: u32) -> Address {
        Address::At(self.bases.outputs, self.offset(k))
    }

    pub(super) fn scratch(&self, place: u32) -> Address {
        Address::At(self.bases.scratch, self.offset(place))
    }

    fn offset(&self, k: u32) -> i32 {
        (k as usize * self.lanes.count() * size_of::<f64>()) as i32
    }
}

/// All uses of values in order of the steps, and whether there are checks.
fn uses(program: &Program, plan: &Plan, failures: Slot) -> (Vec<(Slot, u32)>, bool) {
    let mut uses = Vec::with_capacity(2 * program.ops.len());
    let mut has_checks = false;
    for (step, k) in plan.steps.iter().zip(0..) {
        match step {
            Step::Compute(slot) => {
                let op = &program.ops[*slot as usize];
                uses.extend(operands(op).into_iter().flatten().map(|s| (s, k)));
                if matches!(op, Op::Check { .. }) {
                    has_checks = true;
                    uses.push((failures, k));
                }
            }
            Step::Call(call) => uses.extend(call.arguments.iter().map(|&s| (s, k))),
        }
    }
    if has_checks {
        uses.push((failures, plan.steps.len() as u32));
    }
    (uses, has_checks)
}
