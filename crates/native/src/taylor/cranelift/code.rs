//! Cranelift's instructions on one number, or on four as two pairs.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F64, F64X2, I64};
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Type, Value};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;

use crate::cranelift::{flags, has_fused, signature};
use crate::taylor::layout::{Base, Place, Width};

/// One number, or four as two pairs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    One(Value),
    Four([Value; 2]),
}

impl Number {
    fn part(self, part: usize) -> Value {
        match self {
            Number::One(value) => value,
            Number::Four(pairs) => pairs[part],
        }
    }

    /// A number of its values.
    pub(super) fn new(parts: &[Value]) -> Number {
        match *parts {
            [low, high] => Number::Four([low, high]),
            _ => Number::One(parts[0]),
        }
    }

    /// The values it is made of.
    pub(super) fn parts(&self) -> &[Value] {
        match self {
            Number::One(value) => std::slice::from_ref(value),
            Number::Four(pairs) => pairs,
        }
    }
}

/// A place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Address {
    pub(super) base: Value,
    pub(super) offset: i32,
}

/// A loop under construction.
pub(super) struct Loop {
    body: Block,
    rest: Block,
    /// The values of the turn at hand.
    pub(super) values: Vec<Value>,
}

/// A function under construction.
pub(super) struct Code<'a> {
    pub(super) builder: FunctionBuilder<'a>,
    convention: CallConv,
    /// The memory of the kernel.
    workspace: Value,
    /// The coefficients of the state.
    coefficients: Value,
    is_fused: bool,
}

impl<'a> Code<'a> {
    /// Begins a function that gets the memory of the kernel and the coefficients of the state, and returns
    /// what else it gets.
    pub(super) fn begin(
        mut builder: FunctionBuilder<'a>,
        convention: CallConv,
    ) -> (Code<'a>, Vec<Value>) {
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        let parameters = builder.block_params(block);
        let (workspace, coefficients) = (parameters[0], parameters[1]);
        let others = parameters[2..].to_vec();
        let code = Code {
            builder,
            convention,
            workspace,
            coefficients,
            is_fused: has_fused(),
        };
        (code, others)
    }

    /// The address that places are relative to.
    pub(super) fn base(&self, base: Base) -> Value {
        match base {
            Base::Workspace => self.workspace,
            Base::Coefficients => self.coefficients,
        }
    }

    pub(super) fn address(&self, place: Place) -> Address {
        Address {
            base: self.base(place.base),
            offset: place.offset,
        }
    }

    pub(super) fn load(&mut self, width: Width, from: Address) -> Number {
        let mut part = |kind: Type, further: i32| {
            let offset = from.offset + further;
            (self.builder.ins()).load(kind, flags(), from.base, offset)
        };
        match width {
            Width::One => Number::One(part(F64, 0)),
            Width::Four => Number::Four([part(F64X2, 0), part(F64X2, 16)]),
        }
    }

    pub(super) fn store(&mut self, to: Address, number: Number) {
        for (&part, place) in number.parts().iter().zip(0..) {
            let offset = to.offset + 16 * place;
            self.builder.ins().store(flags(), part, to.base, offset);
        }
    }

    pub(super) fn load_integer(&mut self, from: Address) -> Value {
        (self.builder.ins()).load(I64, flags(), from.base, from.offset)
    }

    pub(super) fn store_integer(&mut self, to: Address, x: Value) {
        (self.builder.ins()).store(flags(), x, to.base, to.offset);
    }

    pub(super) fn integer(&mut self, x: i64) -> Value {
        self.builder.ins().iconst(I64, x)
    }

    /// Are two integers different?
    pub(super) fn differ(&mut self, a: Value, b: Value) -> Value {
        self.builder.ins().icmp(IntCC::NotEqual, a, b)
    }

    /// a + a number
    pub(super) fn advance(&mut self, a: Value, by: i32) -> Value {
        self.builder.ins().iadd_imm_s(a, i64::from(by))
    }

    pub(super) fn constant(&mut self, width: Width, x: f64) -> Number {
        let value = self.builder.ins().f64const(x);
        self.widened(width, value)
    }

    /// The number itself, or the number in all lanes.
    pub(super) fn widened(&mut self, width: Width, x: Value) -> Number {
        match width {
            Width::One => Number::One(x),
            Width::Four => Number::Four([self.builder.ins().splat(F64X2, x); 2]),
        }
    }

    /// The number in memory, in all lanes.
    pub(super) fn spread(&mut self, from: Address) -> Number {
        let x = self.load(Width::One, from).part(0);
        self.widened(Width::Four, x)
    }

    /// One of four numbers.
    pub(super) fn lane(&mut self, number: Number, lane: usize) -> Value {
        let pair = number.part(lane / 2);
        self.builder.ins().extractlane(pair, (lane % 2) as u8)
    }

    /// Four numbers side by side.
    pub(super) fn join(&mut self, lanes: [Number; 4]) -> Number {
        let mut pair = |low: Number, high: Number| {
            let both = self.builder.ins().splat(F64X2, low.part(0));
            self.builder.ins().insertlane(both, high.part(0), 1)
        };
        Number::Four([pair(lanes[0], lanes[1]), pair(lanes[2], lanes[3])])
    }

    fn map<const N: usize>(
        &mut self,
        operands: [Number; N],
        f: impl Fn(&mut FunctionBuilder, [Value; N]) -> Value,
    ) -> Number {
        let mut part = |k: usize| f(&mut self.builder, operands.map(|x| x.part(k)));
        match operands[0] {
            Number::One(_) => Number::One(part(0)),
            Number::Four(_) => Number::Four([part(0), part(1)]),
        }
    }

    pub(super) fn add(&mut self, a: Number, b: Number) -> Number {
        self.map([a, b], |ins, [a, b]| ins.ins().fadd(a, b))
    }

    pub(super) fn sub(&mut self, a: Number, b: Number) -> Number {
        self.map([a, b], |ins, [a, b]| ins.ins().fsub(a, b))
    }

    pub(super) fn mul(&mut self, a: Number, b: Number) -> Number {
        self.map([a, b], |ins, [a, b]| ins.ins().fmul(a, b))
    }

    pub(super) fn div(&mut self, a: Number, b: Number) -> Number {
        self.map([a, b], |ins, [a, b]| ins.ins().fdiv(a, b))
    }

    pub(super) fn neg(&mut self, a: Number) -> Number {
        self.map([a], |ins, [a]| ins.ins().fneg(a))
    }

    pub(super) fn sqrt(&mut self, a: Number) -> Number {
        self.map([a], |ins, [a]| ins.ins().sqrt(a))
    }

    /// a·b + c, rounded once where the processor can.
    pub(super) fn mul_add(&mut self, a: Number, b: Number, c: Number) -> Number {
        if self.is_fused {
            return self.map([a, b, c], |ins, [a, b, c]| ins.ins().fma(a, b, c));
        }
        let product = self.mul(a, b);
        self.add(product, c)
    }

    /// c − a·b
    pub(super) fn neg_mul_add(&mut self, a: Number, b: Number, c: Number) -> Number {
        let a = self.neg(a);
        self.mul_add(a, b, c)
    }

    /// Calls a function with these addresses as its first arguments and then these numbers.
    pub(super) fn call(&mut self, function: u64, places: &[Place], numbers: &[u64]) -> Value {
        let mut arguments = Vec::new();
        for &place in places {
            let base = self.base(place.base);
            arguments.push(self.advance(base, place.offset));
        }
        for &x in numbers {
            arguments.push(self.integer(x.cast_signed()));
        }
        self.call_with(function, &arguments)
    }

    /// Calls a function with these arguments.
    pub(super) fn call_with(&mut self, function: u64, arguments: &[Value]) -> Value {
        let signature = signature(self.convention, arguments.len());
        let signature = self.builder.import_signature(signature);
        let function = self.integer(function.cast_signed());
        let call = (self.builder.ins()).call_indirect(signature, function, arguments);
        self.builder.inst_results(call)[0]
    }

    /// Calls a part of the kernel.
    pub(super) fn call_part(&mut self, function: u64, k: Value) {
        let arguments = [self.workspace, self.coefficients, k];
        self.call_with(function, &arguments);
    }

    /// Adds a mask to the mask of failed motions.
    pub(super) fn add_failures(&mut self, place: i32, mask: Value) {
        let place = self.address(Place::workspace(place));
        let earlier = self.load_integer(place);
        let all = self.builder.ins().bor(earlier, mask);
        self.store_integer(place, all);
    }

    /// Begins a loop with these values; it has no turn unless the condition holds.
    pub(super) fn begin_loop(&mut self, condition: Value, initial: &[Value]) -> Loop {
        let [body, rest] = [(); 2].map(|()| {
            let block = self.builder.create_block();
            for &value in initial {
                let kind = self.builder.func.dfg.value_type(value);
                self.builder.append_block_param(block, kind);
            }
            block
        });
        let initial = arguments(initial);
        (self.builder.ins()).brif(condition, body, &initial, rest, &initial);
        self.builder.switch_to_block(body);
        let values = self.builder.block_params(body).to_vec();
        Loop { body, rest, values }
    }

    /// Goes on with these values while the condition holds; returns the last ones.
    pub(super) fn end_loop(&mut self, of: Loop, condition: Value, next: &[Value]) -> Vec<Value> {
        let next = arguments(next);
        (self.builder.ins()).brif(condition, of.body, &next, of.rest, &next);
        self.builder.switch_to_block(of.rest);
        self.builder.block_params(of.rest).to_vec()
    }
}

fn arguments(values: &[Value]) -> Vec<BlockArg> {
    values.iter().map(|&value| value.into()).collect()
}
