//! A program as Cranelift code: one value per instruction, or two pairs of lanes.
#![allow(unsafe_code)]

use super::target::{convention, encoding, flags, has_fused, module, signature};
use crate::code::{Code, Entry, Owner};
use crate::jit_memory::JitMemory;
use crate::kernel::Systems;
use crate::plan::{Call, Callee, FAILURES, NOWHERE, Plan, Step};
use crate::{Lanes, NativeError, runtime};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::types::{F64, F64X2, I32, I64};
use cranelift_codegen::ir::{AbiParam, InstBuilder, SigRef, Signature, Type, Value};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{Linkage, Module};
use rattleback_compile::program::{Op, Program, Slot};
use rattleback_numeric::tolerance::VANISHING_PIVOT;

/// Compiles a valid program.
pub(crate) fn emit(
    program: &Program,
    lanes: Lanes,
    systems: &Systems,
) -> Result<Code, NativeError> {
    let plan = Plan::new(program, lanes, systems);
    // Everything is addressed with 32 bits.
    if plan.scratch as usize > 1 << 25 {
        return Err(NativeError::TooLarge);
    }
    let mut module = module(program.ops.len() * lanes.count().div_ceil(2))?;
    let mut context = module.make_context();
    context.func.signature = signature(convention(&module), 3);
    let id = module
        .declare_function("kernel", Linkage::Local, &context.func.signature)
        .map_err(encoding)?;
    let mut memory = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(&mut context.func, &mut memory);
    let mut emitter = Emitter::new(builder, program, &plan, lanes, convention(&module));
    emitter.body(systems)?;
    emitter.builder.seal_all_blocks();
    emitter.builder.finalize(module.target_config());
    module.define_function(id, &mut context).map_err(encoding)?;
    module.finalize_definitions().map_err(encoding)?;
    let start = module.get_finalized_function(id);
    // SAFETY: the function was declared with this signature and convention.
    let entry = unsafe { std::mem::transmute::<*const u8, Entry>(start) };
    Ok(Code {
        entry,
        memory: Owner::Jit(Box::new(JitMemory::new(module))),
        scratch: plan.scratch as usize * lanes.count(),
    })
}

/// A value of all lanes: one number, or two pairs; the second is unused for one number.
#[derive(Clone, Copy)]
struct Parts([Value; 2]);

struct Emitter<'a> {
    builder: FunctionBuilder<'a>,
    program: &'a Program,
    plan: &'a Plan,
    lanes: Lanes,
    /// The type of a part.
    part: Type,
    values: Vec<Option<Parts>>,
    inputs: Value,
    outputs: Value,
    scratch: Value,
    /// Sign bits of failed lanes.
    failures: Option<Parts>,
    called: SigRef,
    fused: Option<SigRef>,
}

impl<'a> Emitter<'a> {
    fn new(
        mut builder: FunctionBuilder<'a>,
        program: &'a Program,
        plan: &'a Plan,
        lanes: Lanes,
        convention: cranelift_codegen::isa::CallConv,
    ) -> Self {
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        let called = builder.import_signature(signature(convention, 4));
        let fused = (!has_fused()).then(|| {
            let mut signature = Signature::new(convention);
            signature.params = vec![AbiParam::new(F64); 3];
            signature.returns = vec![AbiParam::new(F64)];
            builder.import_signature(signature)
        });
        let parameters = builder.block_params(block);
        let (inputs, outputs, scratch) = (parameters[0], parameters[1], parameters[2]);
        Self {
            builder,
            program,
            plan,
            lanes,
            part: match lanes {
                Lanes::One => F64,
                Lanes::Four => F64X2,
            },
            values: vec![None; program.ops.len()],
            inputs,
            outputs,
            scratch,
            failures: None,
            called,
            fused,
        }
    }

    fn body(&mut self, systems: &Systems) -> Result<(), NativeError> {
        if self.plan.can_fail {
            let zero = self.builder.ins().iconst(I64, 0);
            self.store_integer(zero);
        }
        for step in &self.plan.steps {
            match step {
                Step::Compute(slot) => self.compute(*slot),
                Step::Call(call) => self.call(call, systems)?,
            }
        }
        for (k, &slot) in self.program.outputs.iter().enumerate() {
            let value = self.value(slot);
            self.store(self.outputs, k, value);
        }
        let mask = self.mask();
        self.builder.ins().return_(&[mask]);
        Ok(())
    }

    fn compute(&mut self, slot: Slot) {
        let value = match self.program.ops[slot as usize] {
            Op::Add(a, b) => self.map([a, b], |s, [a, b]| s.builder.ins().fadd(a, b)),
            Op::Sub(a, b) => self.map([a, b], |s, [a, b]| s.builder.ins().fsub(a, b)),
            Op::Mul(a, b) => self.map([a, b], |s, [a, b]| s.builder.ins().fmul(a, b)),
            Op::Div(a, b) => self.map([a, b], |s, [a, b]| s.builder.ins().fdiv(a, b)),
            Op::Neg(a) => self.map([a], |s, [a]| s.builder.ins().fneg(a)),
            Op::Sqrt(a) => self.map([a], |s, [a]| s.builder.ins().sqrt(a)),
            Op::MulAdd(a, b, c) => self.map([a, b, c], |s, [a, b, c]| s.fused(a, b, c)),
            Op::NegMulAdd(a, b, c) => self.map([a, b, c], |s, [a, b, c]| {
                let a = s.builder.ins().fneg(a);
                s.fused(a, b, c)
            }),
            Op::MulSub(a, b, c) => self.map([a, b, c], |s, [a, b, c]| {
                let c = s.builder.ins().fneg(c);
                s.fused(a, b, c)
            }),
            Op::NegMulSub(a, b, c) => self.map([a, b, c], |s, [a, b, c]| {
                let [a, c] = [a, c].map(|x| s.builder.ins().fneg(x));
                s.fused(a, b, c)
            }),
            Op::Check { value, scale, .. } => return self.check(value, scale),
            // The plan makes calls of these, and constants and inputs are read when used.
            Op::Constant(_)
            | Op::Input(_)
            | Op::Power(..)
            | Op::PowerOf(..)
            | Op::Function(..)
            | Op::Atan2(..)
            | Op::Solution(..) => return,
        };
        self.values[slot as usize] = Some(value);
    }

    /// Applies an operation to each part.
    fn map<const N: usize>(
        &mut self,
        operands: [Slot; N],
        f: impl Fn(&mut Self, [Value; N]) -> Value,
    ) -> Parts {
        let operands = operands.map(|s| self.value(s));
        self.parts(|this, part| f(this, operands.map(|o| o.0[part])))
    }

    /// A value from its parts.
    fn parts(&mut self, mut f: impl FnMut(&mut Self, usize) -> Value) -> Parts {
        let first = f(self, 0);
        match self.lanes {
            Lanes::One => Parts([first; 2]),
            Lanes::Four => Parts([first, f(self, 1)]),
        }
    }

    /// a·b + c, rounded once.
    fn fused(&mut self, a: Value, b: Value, c: Value) -> Value {
        let Some(signature) = self.fused else {
            return self.builder.ins().fma(a, b, c);
        };
        if self.lanes == Lanes::One {
            return self.call_fused(signature, [a, b, c]);
        }
        let lane = |this: &mut Self, k: u8| {
            let lanes = [a, b, c].map(|v| this.builder.ins().extractlane(v, k));
            this.call_fused(signature, lanes)
        };
        let (low, high) = (lane(self, 0), lane(self, 1));
        let pair = self.builder.ins().splat(F64X2, low);
        self.builder.ins().insertlane(pair, high, 1)
    }

    fn call_fused(&mut self, signature: SigRef, arguments: [Value; 3]) -> Value {
        let address = runtime::FUSED as usize as i64;
        let function = self.builder.ins().iconst(I64, address);
        let call = (self.builder.ins()).call_indirect(signature, function, &arguments);
        self.builder.inst_results(call)[0]
    }

    /// failures |= not |value| > VANISHING_PIVOT·|scale|
    fn check(&mut self, value: Slot, scale: Slot) {
        let singular = self.constant(VANISHING_PIVOT);
        let (value, scale) = (self.value(value), self.value(scale));
        let earlier = self.failures;
        let failed = self.parts(|this, part| {
            let value = this.builder.ins().fabs(value.0[part]);
            let scale = this.builder.ins().fabs(scale.0[part]);
            let bound = this.builder.ins().fmul(scale, singular.0[part]);
            let ins = this.builder.ins();
            let passes = ins.fcmp(FloatCC::GreaterThan, value, bound);
            let failed = match this.lanes {
                Lanes::One => this.builder.ins().bxor_imm_u(passes, 1),
                Lanes::Four => this.builder.ins().bnot(passes),
            };
            match earlier {
                None => failed,
                Some(earlier) => this.builder.ins().bor(earlier.0[part], failed),
            }
        });
        self.failures = Some(failed);
    }

    /// The mask of failed lanes.
    fn mask(&mut self) -> Value {
        let checks = match (self.failures, self.lanes) {
            (None, _) => self.builder.ins().iconst(I64, 0),
            (Some(failed), Lanes::One) => self.builder.ins().uextend(I64, failed.0[0]),
            (Some(failed), Lanes::Four) => {
                let low = self.builder.ins().vhigh_bits(I32, failed.0[0]);
                let high = self.builder.ins().vhigh_bits(I32, failed.0[1]);
                let high = self.builder.ins().ishl_imm_u(high, 2);
                let mask = self.builder.ins().bor(low, high);
                self.builder.ins().uextend(I64, mask)
            }
        };
        if !self.plan.can_fail {
            return checks;
        }
        let solves = self.load_integer();
        self.builder.ins().bor(checks, solves)
    }

    fn call(&mut self, call: &Call, systems: &Systems) -> Result<(), NativeError> {
        let target = runtime::target(call, self.lanes, systems)
            .ok_or(NativeError::Unsupported("a function of this kind"))?;
        for (&argument, k) in call.arguments.iter().zip(self.plan.arguments..) {
            let value = self.value(argument);
            self.store(self.scratch, k as usize, value);
        }
        let offset = |k: u32| i64::from(k) * self.bytes();
        let (arguments, results) = (offset(self.plan.arguments), offset(call.result));
        let ins = &mut self.builder;
        let parameters = [
            ins.ins().iadd_imm_s(self.scratch, arguments),
            ins.ins().iadd_imm_s(self.scratch, results),
            ins.ins().iconst(I64, target.count as i64),
            ins.ins().iconst(I64, target.context.cast_signed()),
        ];
        let function = ins.ins().iconst(I64, target.function as usize as i64);
        let instruction = (ins.ins()).call_indirect(self.called, function, &parameters);
        let failed = ins.inst_results(instruction)[0];
        if matches!(call.callee, Callee::Solve(_)) {
            let earlier = self.load_integer();
            let all = self.builder.ins().bor(earlier, failed);
            self.store_integer(all);
        }
        Ok(())
    }

    /// A value. What lies in memory is read anew for every use: long lives cost registers, and the
    /// allocator far more than linear time.
    fn value(&mut self, slot: Slot) -> Parts {
        if let Some(value) = self.values[slot as usize] {
            return value;
        }
        match self.program.ops[slot as usize] {
            Op::Input(i) => self.load(self.inputs, i as usize),
            Op::Constant(x) => self.constant(x),
            // Results of calls that were made earlier.
            _ => match self.plan.place[slot as usize] {
                NOWHERE => self.constant(f64::NAN),
                place => self.load(self.scratch, place as usize),
            },
        }
    }

    fn constant(&mut self, x: f64) -> Parts {
        let number = self.builder.ins().f64const(x);
        let part = match self.lanes {
            Lanes::One => number,
            Lanes::Four => self.builder.ins().splat(F64X2, number),
        };
        Parts([part; 2])
    }

    fn load(&mut self, base: Value, k: usize) -> Parts {
        self.parts(|this, part| {
            let (offset, kind) = (this.offset(k, part), this.part);
            this.builder.ins().load(kind, flags(), base, offset)
        })
    }

    fn store(&mut self, base: Value, k: usize, value: Parts) {
        self.parts(|this, part| {
            let offset = this.offset(k, part);
            this.builder
                .ins()
                .store(flags(), value.0[part], base, offset);
            value.0[part]
        });
    }

    fn load_integer(&mut self) -> Value {
        let offset = self.offset(FAILURES as usize, 0);
        (self.builder.ins()).load(I64, flags(), self.scratch, offset)
    }

    fn store_integer(&mut self, value: Value) {
        let offset = self.offset(FAILURES as usize, 0);
        (self.builder.ins()).store(flags(), value, self.scratch, offset);
    }

    /// The size of a value of all lanes.
    fn bytes(&self) -> i64 {
        (self.lanes.count() * size_of::<f64>()) as i64
    }

    fn offset(&self, k: usize, part: usize) -> i32 {
        (k as i64 * self.bytes()) as i32 + 16 * part as i32
    }
}
