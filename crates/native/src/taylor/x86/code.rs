//! The instructions of Taylor kernels, scalar and four lanes wide side by side.

use crate::taylor::layout::{Base, Place, Width};
use crate::x86::{Address, Assembler, GeneralRegister};
use iced_x86::{Code as Opcode, Instruction, MemoryOperand, Register};

/// Points to the memory of the kernel.
pub(super) const WORKSPACE: GeneralRegister = Register::RBX;
/// Points to the coefficients of the state.
pub(super) const COEFFICIENTS: GeneralRegister = Register::R12;

pub(super) use crate::taylor::cache::Vector;

/// Operations d = a ∘ b, and d ± a·b.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Add,
    Sub,
    Mul,
    Div,
    /// d += a·b
    MulAdd,
    /// d −= a·b
    NegMulAdd,
}

/// Where an operand is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operand {
    Register(Vector),
    Memory(Place),
}

impl From<Place> for Operand {
    fn from(place: Place) -> Operand {
        Operand::Memory(place)
    }
}

impl From<Vector> for Operand {
    fn from(register: Vector) -> Operand {
        Operand::Register(register)
    }
}

/// Code under construction.
pub(super) struct Code<'a> {
    pub(super) assembler: &'a mut Assembler,
    /// How many instructions there are.
    pub(super) count: usize,
}

/// A place as the assembler names it.
pub(super) fn address(place: Place) -> Address {
    let base = match place.base {
        Base::Workspace => WORKSPACE,
        Base::Coefficients => COEFFICIENTS,
    };
    Address::At(base, place.offset)
}

fn memory(place: Place) -> MemoryOperand {
    crate::x86::memory(address(place))
}

fn register(width: Width, v: Vector) -> Register {
    match width {
        Width::One => Register::XMM0 + v,
        Width::Four => Register::YMM0 + v,
    }
}

impl Code<'_> {
    fn put(&mut self, instruction: Result<Instruction, iced_x86::IcedError>) {
        self.count += 1;
        self.assembler.raw(instruction);
    }

    /// d = memory
    pub(super) fn load(&mut self, width: Width, d: Vector, from: Place) {
        let opcode = match width {
            Width::One => Opcode::VEX_Vmovsd_xmm_m64,
            Width::Four => Opcode::VEX_Vmovupd_ymm_ymmm256,
        };
        self.put(Instruction::with2(opcode, register(width, d), memory(from)));
    }

    /// memory = s
    pub(super) fn store(&mut self, width: Width, to: Place, s: Vector) {
        let opcode = match width {
            Width::One => Opcode::VEX_Vmovsd_m64_xmm,
            Width::Four => Opcode::VEX_Vmovupd_ymmm256_ymm,
        };
        self.put(Instruction::with2(opcode, memory(to), register(width, s)));
    }

    /// d = the number in memory, in every lane.
    pub(super) fn broadcast(&mut self, d: Vector, from: Place) {
        let opcode = Opcode::VEX_Vbroadcastsd_ymm_m64;
        self.put(Instruction::with2(opcode, Register::YMM0 + d, memory(from)));
    }

    /// d = s
    pub(super) fn copy(&mut self, width: Width, d: Vector, s: Vector) {
        let opcode = match width {
            Width::One => Opcode::VEX_Vmovapd_xmm_xmmm128,
            Width::Four => Opcode::VEX_Vmovapd_ymm_ymmm256,
        };
        self.put(Instruction::with2(
            opcode,
            register(width, d),
            register(width, s),
        ));
    }

    /// d = 0
    pub(super) fn zero(&mut self, d: Vector) {
        let d = Register::XMM0 + d;
        self.put(Instruction::with3(
            Opcode::VEX_Vxorpd_xmm_xmm_xmmm128,
            d,
            d,
            d,
        ));
    }

    /// d = the first lane of s in every lane.
    pub(super) fn broadcast_register(&mut self, d: Vector, s: Vector) {
        let opcode = Opcode::VEX_Vbroadcastsd_ymm_xmm;
        let (d, s) = (Register::YMM0 + d, Register::XMM0 + s);
        self.put(Instruction::with2(opcode, d, s));
    }

    /// The lanes of d = the first lane of low, high.
    pub(super) fn join(&mut self, d: Vector, low: Vector, high: Operand) {
        let (d, low) = (Register::XMM0 + d, Register::XMM0 + low);
        self.put(match high {
            Operand::Memory(high) => {
                let opcode = Opcode::VEX_Vmovhpd_xmm_xmm_m64;
                Instruction::with3(opcode, d, low, memory(high))
            }
            Operand::Register(high) => {
                let opcode = Opcode::VEX_Vunpcklpd_xmm_xmm_xmmm128;
                Instruction::with3(opcode, d, low, Register::XMM0 + high)
            }
        });
    }

    /// The upper two lanes of d = the lower two of s, its lower two those of low.
    pub(super) fn insert_upper(&mut self, d: Vector, low: Vector, s: Vector) {
        let (d, low, s) = (Register::YMM0 + d, Register::YMM0 + low, Register::XMM0 + s);
        let opcode = Opcode::VEX_Vinsertf128_ymm_ymm_xmmm128_imm8;
        self.put(Instruction::with4(opcode, d, low, s, 1));
    }

    /// d = a ∘ b
    pub(super) fn apply(
        &mut self,
        operation: Operation,
        width: Width,
        d: Vector,
        a: Vector,
        b: impl Into<Operand>,
    ) {
        let opcode = opcode(operation, width);
        let (d, a) = (register(width, d), register(width, a));
        self.put(match b.into() {
            Operand::Memory(b) => Instruction::with3(opcode, d, a, memory(b)),
            Operand::Register(b) => Instruction::with3(opcode, d, a, register(width, b)),
        });
    }

    /// d = √s
    pub(super) fn square_root(&mut self, width: Width, d: Vector, s: Vector) {
        let (d, s) = (register(width, d), register(width, s));
        self.put(match width {
            Width::One => Instruction::with3(Opcode::VEX_Vsqrtsd_xmm_xmm_xmmm64, d, s, s),
            Width::Four => Instruction::with2(Opcode::VEX_Vsqrtpd_ymm_ymmm256, d, s),
        });
    }

    /// Calls `function` with these addresses as its first arguments and then these numbers.
    pub(super) fn call(&mut self, function: u64, places: &[Place], numbers: &[u64]) {
        const ARGUMENTS: [GeneralRegister; 6] = [
            Register::RDI,
            Register::RSI,
            Register::RDX,
            Register::RCX,
            Register::R8,
            Register::R9,
        ];
        let mut registers = ARGUMENTS.into_iter();
        for (&place, register) in places.iter().zip(registers.by_ref()) {
            self.assembler.address_of(register, address(place));
        }
        for (&number, register) in numbers.iter().zip(registers) {
            self.assembler.move_immediate(register, number);
        }
        self.assembler.clear_upper();
        self.assembler.move_immediate(Register::RAX, function);
        self.assembler.call(Register::RAX);
    }
}

fn opcode(operation: Operation, width: Width) -> Opcode {
    use Opcode::*;
    match (operation, width) {
        (Operation::Add, Width::One) => VEX_Vaddsd_xmm_xmm_xmmm64,
        (Operation::Sub, Width::One) => VEX_Vsubsd_xmm_xmm_xmmm64,
        (Operation::Mul, Width::One) => VEX_Vmulsd_xmm_xmm_xmmm64,
        (Operation::Div, Width::One) => VEX_Vdivsd_xmm_xmm_xmmm64,
        (Operation::MulAdd, Width::One) => VEX_Vfmadd231sd_xmm_xmm_xmmm64,
        (Operation::NegMulAdd, Width::One) => VEX_Vfnmadd231sd_xmm_xmm_xmmm64,
        (Operation::Add, Width::Four) => VEX_Vaddpd_ymm_ymm_ymmm256,
        (Operation::Sub, Width::Four) => VEX_Vsubpd_ymm_ymm_ymmm256,
        (Operation::Mul, Width::Four) => VEX_Vmulpd_ymm_ymm_ymmm256,
        (Operation::Div, Width::Four) => VEX_Vdivpd_ymm_ymm_ymmm256,
        (Operation::MulAdd, Width::Four) => VEX_Vfmadd231pd_ymm_ymm_ymmm256,
        (Operation::NegMulAdd, Width::Four) => VEX_Vfnmadd231pd_ymm_ymm_ymmm256,
    }
}
