//! What instructions work on: registers, places in memory, kinds of operations.

use iced_x86::{MemoryOperand, Register};

/// One of the sixteen vector registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorRegister(pub u8);

/// A place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// Relative to a general register, in bytes.
    At(Register, i32),
    /// Base, index, scale (1, 2, 4, 8), offset in bytes.
    Indexed(Register, Register, u32, i32),
    /// In the constant pool.
    Pool(u32),
}

/// Where an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a vector register.
    Register(VectorRegister),
    /// In memory.
    Memory(Address),
}

impl From<VectorRegister> for Place {
    fn from(register: VectorRegister) -> Self {
        Place::Register(register)
    }
}

impl From<Address> for Place {
    fn from(address: Address) -> Self {
        Place::Memory(address)
    }
}

/// Operations d = a ∘ b.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// a + b
    Add,
    /// a − b
    Sub,
    /// a·b
    Mul,
    /// a/b
    Div,
    /// Bits of both.
    And,
    /// Bits of either.
    Or,
    /// Bits of one.
    Xor,
}

/// What a fused operation computes from a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FusedKind {
    /// a·b + c
    MulAdd,
    /// c − a·b
    NegMulAdd,
    /// a·b − c
    MulSub,
    /// −a·b − c
    NegMulSub,
}

/// Which operand of a fused operation (d, x, y) is which: the digits say what is multiplied and added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FusedForm {
    /// d = d·y ± x
    F132,
    /// d = x·d ± y
    F213,
    /// d = x·y ± d
    F231,
}

/// When to jump, after a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// In any case.
    Always,
    /// If both were equal.
    Equal,
    /// If they were not.
    NotEqual,
    /// If the first was less, as signed integers.
    Less,
    /// If it was not.
    GreaterOrEqual,
}

/// The narrow name of a register.
pub fn xmm(r: VectorRegister) -> Register {
    Register::XMM0 + u32::from(r.0)
}

/// The wide name of a register.
pub fn ymm(r: VectorRegister) -> Register {
    Register::YMM0 + u32::from(r.0)
}

/// A place in memory as the encoder wants it.
pub fn memory(address: Address) -> MemoryOperand {
    match address {
        Address::At(base, offset) => MemoryOperand::with_base_displ(base, offset.into()),
        Address::Indexed(base, index, scale, offset) => {
            MemoryOperand::with_base_index_scale_displ_size(base, index, scale, offset.into(), 1)
        }
        // Relative to the instruction pointer: the encoder wants the target itself.
        Address::Pool(place) => MemoryOperand::with_base_displ(Register::RIP, place.into()),
    }
}
