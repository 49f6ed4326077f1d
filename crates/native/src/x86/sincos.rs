//! The subroutine for sines and cosines: four numbers in registers, without a trip through memory.
//!
//! In: register 0. Out: sines in register 0, cosines in register 1. The first [`CLOBBERED`] registers
//! are overwritten, all others survive. The formulas are those of `math::trigonometric`.

use super::{
    Address, Assembler, Binary, FusedForm, FusedKind, Place, VectorRegister as V, memory, ymm,
};
use super::{ConstantPool, GeneralRegister as G};
use crate::math::trigonometric::*;
use crate::{Lanes, runtime};
use iced_x86::{Code, Instruction};

/// How many registers the subroutine overwrites.
pub(super) const CLOBBERED: u8 = 11;

/// Where its constants lie in the pool.
pub(crate) struct SincosConstants {
    size_bits: Address,
    sign_bit: Address,
    two_over_pi: Address,
    rounder: Address,
    largest: Address,
    half_pi: [Address; 3],
    half: Address,
    one: Address,
    sine: [Address; 6],
    cosine: [Address; 6],
    integer_one: Address,
}

impl SincosConstants {
    pub(crate) fn new(pool: &mut ConstantPool) -> Self {
        let mut put = |x| Address::Pool(pool.add(x, 4));
        Self {
            size_bits: put(f64::from_bits(!(1 << 63))),
            sign_bit: put(-0.0),
            two_over_pi: put(TWO_OVER_PI),
            rounder: put(ROUNDER),
            largest: put(LARGEST),
            half_pi: HALF_PI.map(&mut put),
            half: put(0.5),
            one: put(1.0),
            sine: SINE.map(&mut put),
            cosine: COSINE.map(&mut put),
            integer_one: put(f64::from_bits(1)),
        }
    }

    /// Writes the subroutine.
    pub(crate) fn subroutine(&self, asm: &mut Assembler) {
        let before = asm.lanes();
        asm.set_lanes(Lanes::Four);
        let far = asm.label();
        self.reduce(asm, far);
        self.evaluate(asm);
        self.select(asm);
        asm.ret();
        asm.place(far);
        self.by_standard_library(asm);
        asm.set_lanes(before);
    }

    /// |x| = q·π/2 + r + e: x in 7, q's bits in 1, r in 5, e in 0.
    fn reduce(&self, asm: &mut Assembler, far: super::Label) {
        let [p1, p2, p3] = self.half_pi;
        asm.copy(V(7), V(0));
        binary(asm, Binary::And, 0, 0, self.size_bits);
        asm.load(V(1), self.two_over_pi);
        fused(asm, FusedKind::MulAdd, FusedForm::F213, 1, 0, self.rounder);
        binary(asm, Binary::Sub, 2, 1, self.rounder);
        jump_if_any_beyond(asm, 0, self.largest, far);
        fused(asm, FusedKind::NegMulAdd, FusedForm::F231, 0, 2, p1); // r1
        binary(asm, Binary::Mul, 3, 2, p2); // the product q·p2,
        asm.load(V(4), p2);
        fused(asm, FusedKind::MulSub, FusedForm::F213, 4, 2, V(3)); // its error,
        binary(asm, Binary::Sub, 5, 0, V(3)); // r = r1 − product,
        binary(asm, Binary::Sub, 6, 5, V(0)); // and the error of that sum
        binary(asm, Binary::Add, 3, 3, V(6));
        binary(asm, Binary::Sub, 6, 5, V(6));
        binary(asm, Binary::Sub, 0, 0, V(6));
        binary(asm, Binary::Sub, 0, 0, V(3));
        binary(asm, Binary::Sub, 0, 0, V(4));
        fused(asm, FusedKind::NegMulAdd, FusedForm::F231, 0, 2, p3);
    }

    /// sin(r + e) in 6, cos(r + e) in 8.
    fn evaluate(&self, asm: &mut Assembler) {
        binary(asm, Binary::Mul, 2, 5, V(5)); // z = r²
        binary(asm, Binary::Mul, 3, 5, self.half); // r/2
        binary(asm, Binary::Mul, 4, 2, V(2)); // z²
        asm.load(V(8), self.one);
        fused(asm, FusedKind::NegMulAdd, FusedForm::F231, 8, 3, V(5)); // w = 1 − r²/2
        binary(asm, Binary::Mul, 6, 0, V(8)); // e·w
        asm.load(V(9), self.one);
        binary(asm, Binary::Sub, 9, 9, V(8));
        fused(asm, FusedKind::NegMulAdd, FusedForm::F231, 9, 3, V(5)); // what w lost
        fused(asm, FusedKind::NegMulAdd, FusedForm::F231, 9, 5, V(0)); // − r·e
        polynomial(asm, &self.sine);
        binary(asm, Binary::Mul, 3, 5, V(2));
        fused(asm, FusedKind::MulAdd, FusedForm::F231, 6, 3, V(0));
        binary(asm, Binary::Add, 6, 6, V(5));
        polynomial(asm, &self.cosine);
        fused(asm, FusedKind::MulAdd, FusedForm::F231, 9, 4, V(0));
        binary(asm, Binary::Add, 8, 8, V(9));
    }

    /// Odd quadrants swap; the second bit of q negates the sine, that of q + 1 the cosine.
    fn select(&self, asm: &mut Assembler) {
        shift_left(asm, 2, 1, 63);
        blend(asm, 3, 6, 8, 2);
        blend(asm, 4, 8, 6, 2);
        shift_left(asm, 5, 1, 62);
        binary(asm, Binary::Xor, 5, 5, V(7)); // sin(−x) = −sin x
        binary(asm, Binary::And, 5, 5, self.sign_bit);
        binary(asm, Binary::Xor, 0, 3, V(5));
        let one = memory(self.integer_one);
        let add = Code::VEX_Vpaddq_ymm_ymm_ymmm256;
        asm.raw(Instruction::with3(add, ymm(V(1)), ymm(V(1)), one));
        shift_left(asm, 1, 1, 62);
        binary(asm, Binary::And, 1, 1, self.sign_bit);
        binary(asm, Binary::Xor, 1, 1, V(4));
    }

    /// Huge arguments, infinities and NaN, which are rare: everything that lives is saved around a call.
    fn by_standard_library(&self, asm: &mut Assembler) {
        const RESULTS: i32 = 32;
        const SAVED: i32 = 96;
        let surviving = CLOBBERED..16;
        let saved = |r: u8| Address::At(G::RSP, SAVED + 32 * i32::from(r - CLOBBERED));
        asm.push(G::RBP);
        asm.move_register(G::RBP, G::RSP);
        for r in [G::RDI, G::RSI, G::RDX] {
            asm.push(r);
        }
        asm.add_immediate(G::RSP, -(SAVED + 32 * surviving.len() as i32));
        asm.and_immediate(G::RSP, -32);
        surviving.clone().for_each(|r| asm.store(saved(r), V(r)));
        asm.store(Address::At(G::RSP, 0), V(7));
        asm.clear_upper();
        asm.move_register(G::RDI, G::RSP);
        asm.address_of(G::RSI, Address::At(G::RSP, RESULTS));
        asm.move_immediate(G::RDX, 4);
        asm.move_immediate(G::RCX, 0);
        asm.move_immediate(G::RAX, runtime::SINCOS as usize as u64);
        asm.call(G::RAX);
        surviving.for_each(|r| asm.load(V(r), saved(r)));
        asm.load(V(0), Address::At(G::RSP, RESULTS));
        asm.load(V(1), Address::At(G::RSP, RESULTS + 32));
        asm.address_of(G::RSP, Address::At(G::RBP, -24));
        for r in [G::RDX, G::RSI, G::RDI, G::RBP] {
            asm.pop(r);
        }
        asm.ret();
    }
}

/// 0 = a polynomial of degree five in z (2), by halves with z² (4); overwrites 3 and 10.
fn polynomial(asm: &mut Assembler, c: &[Address; 6]) {
    for (d, k) in [(0, 0), (10, 2), (3, 4)] {
        asm.load(V(d), c[k + 1]);
        fused(asm, FusedKind::MulAdd, FusedForm::F213, d, 2, c[k]);
    }
    fused(asm, FusedKind::MulAdd, FusedForm::F231, 10, 3, V(4));
    fused(asm, FusedKind::MulAdd, FusedForm::F231, 0, 10, V(4));
}

fn binary(asm: &mut Assembler, op: Binary, d: u8, a: u8, b: impl Into<Place>) {
    asm.binary(op, V(d), V(a), b.into());
}

fn fused(asm: &mut Assembler, kind: FusedKind, form: FusedForm, d: u8, x: u8, y: impl Into<Place>) {
    asm.fused(kind, form, V(d), V(x), y.into());
}

/// d = s << bits, as integers.
fn shift_left(asm: &mut Assembler, d: u8, s: u8, bits: u32) {
    let code = Code::VEX_Vpsllq_ymm_ymm_imm8;
    asm.raw(Instruction::with3(code, ymm(V(d)), ymm(V(s)), bits));
}

/// d = b where the sign bit of `mask` is set, else a.
fn blend(asm: &mut Assembler, d: u8, a: u8, b: u8, mask: u8) {
    let code = Code::VEX_Vblendvpd_ymm_ymm_ymmm256_ymm;
    let [d, a, b, mask] = [d, a, b, mask].map(|r| ymm(V(r)));
    asm.raw(Instruction::with4(code, d, a, b, mask));
}

/// Jumps if not x ≤ bound in some lane; overwrites 3.
fn jump_if_any_beyond(asm: &mut Assembler, x: u8, bound: Address, to: super::Label) {
    const NOT_LESS_OR_EQUAL_QUIET: u32 = 0x16;
    let compare = Code::VEX_Vcmppd_ymm_ymm_ymmm256_imm8;
    let (x, bound) = (ymm(V(x)), memory(bound));
    asm.raw(Instruction::with4(
        compare,
        ymm(V(3)),
        x,
        bound,
        NOT_LESS_OR_EQUAL_QUIET,
    ));
    let test = Code::VEX_Vtestpd_ymm_ymmm256;
    asm.raw(Instruction::with2(test, ymm(V(3)), ymm(V(3))));
    asm.jump(super::Condition::NotEqual, to);
}
