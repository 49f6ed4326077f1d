//! The few instructions that programs need, by name.

use super::ConstantPool;
use super::opcodes::{binary_code, fused_code};
use super::operand::{Address, Binary, Condition, FusedForm, FusedKind, Place, VectorRegister};
use super::operand::{memory, xmm, ymm};
use crate::{Lanes, NativeError};
use iced_x86::{Code, Encoder, IcedError, Instruction, Register};

/// A place in the code to jump to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(usize);

/// Constants and code, ready to be made executable.
#[derive(Debug)]
pub struct Image {
    /// All bytes.
    pub bytes: Vec<u8>,
    /// Where the code begins.
    pub entry: usize,
}

/// Code must begin at the start of a cache line.
const ALIGNMENT: usize = 64;

/// Writes instructions one after another. The first mistake is kept and reported at the end.
pub struct Assembler {
    lanes: Lanes,
    encoder: Encoder,
    /// The constants; the encoder's output follows them.
    pool: Vec<u8>,
    /// The length of the code so far.
    length: usize,
    labels: Vec<Option<usize>>,
    /// Jumps whose last four bytes are a distance: (end of the jump, label).
    jumps: Vec<(usize, Label)>,
    mistake: Option<IcedError>,
}

impl Assembler {
    /// Code of the given width with these constants.
    pub fn new(lanes: Lanes, pool: ConstantPool) -> Self {
        let mut pool = pool.into_bytes();
        pool.resize(pool.len().next_multiple_of(ALIGNMENT), 0);
        Self {
            lanes,
            encoder: Encoder::new(64),
            pool,
            length: 0,
            labels: Vec::new(),
            jumps: Vec::new(),
            mistake: None,
        }
    }

    /// The width of the code.
    pub fn lanes(&self) -> Lanes {
        self.lanes
    }

    /// Changes the width of the code that follows.
    pub fn set_lanes(&mut self, lanes: Lanes) {
        self.lanes = lanes;
    }

    /// Constants and code.
    pub fn finish(mut self) -> Result<Image, NativeError> {
        if let Some(mistake) = self.mistake {
            return Err(NativeError::Encoding(mistake.to_string()));
        }
        let mut code = self.encoder.take_buffer();
        for (end, label) in self.jumps {
            let target = self.labels[label.0]
                .ok_or_else(|| NativeError::Encoding("a label without a place".into()))?;
            let distance =
                i32::try_from(target as i64 - end as i64).map_err(|_| NativeError::TooLarge)?;
            code[end - 4..end].copy_from_slice(&distance.to_le_bytes());
        }
        let entry = self.pool.len();
        let mut bytes = self.pool;
        bytes.append(&mut code);
        if i32::try_from(bytes.len()).is_err() {
            return Err(NativeError::TooLarge);
        }
        Ok(Image { bytes, entry })
    }

    // ---- vector instructions, scalar or four lanes wide -------------------------------------------

    /// d = memory
    pub fn load(&mut self, d: VectorRegister, from: Address) {
        let code = match self.lanes {
            Lanes::One => Code::VEX_Vmovsd_xmm_m64,
            Lanes::Four => Code::VEX_Vmovupd_ymm_ymmm256,
        };
        let (d, from) = (self.vector(d), memory(from));
        self.put(Instruction::with2(code, d, from));
    }

    /// memory = s
    pub fn store(&mut self, to: Address, s: VectorRegister) {
        let code = match self.lanes {
            Lanes::One => Code::VEX_Vmovsd_m64_xmm,
            Lanes::Four => Code::VEX_Vmovupd_ymmm256_ymm,
        };
        let (to, s) = (memory(to), self.vector(s));
        self.put(Instruction::with2(code, to, s));
    }

    /// d = s
    pub fn copy(&mut self, d: VectorRegister, s: VectorRegister) {
        let code = match self.lanes {
            Lanes::One => Code::VEX_Vmovapd_xmm_xmmm128,
            Lanes::Four => Code::VEX_Vmovapd_ymm_ymmm256,
        };
        let (d, s) = (self.vector(d), self.vector(s));
        self.put(Instruction::with2(code, d, s));
    }

    /// d = the number in memory, in every lane.
    pub fn broadcast(&mut self, d: VectorRegister, from: Address) {
        match self.lanes {
            Lanes::One => self.load(d, from),
            Lanes::Four => {
                let (d, from) = (self.vector(d), memory(from));
                self.put(Instruction::with2(Code::VEX_Vbroadcastsd_ymm_m64, d, from));
            }
        }
    }

    /// d = a ∘ b. Bitwise operations read a full register from memory, also in scalar code.
    pub fn binary(&mut self, op: Binary, d: VectorRegister, a: VectorRegister, b: Place) {
        self.three(binary_code(op, self.lanes), d, a, b);
    }

    /// The fused operation of the given kind and form.
    pub fn fused(
        &mut self,
        kind: FusedKind,
        form: FusedForm,
        d: VectorRegister,
        x: VectorRegister,
        y: Place,
    ) {
        self.three(fused_code(kind, form, self.lanes), d, x, y);
    }

    /// d = √s
    pub fn square_root(&mut self, d: VectorRegister, s: VectorRegister) {
        match self.lanes {
            // The second operand only fills the unused half: the same register adds no dependency.
            Lanes::One => {
                self.three(Code::VEX_Vsqrtsd_xmm_xmm_xmmm64, d, s, Place::Register(s));
            }
            Lanes::Four => {
                let (d, s) = (self.vector(d), self.vector(s));
                self.put(Instruction::with2(Code::VEX_Vsqrtpd_ymm_ymmm256, d, s));
            }
        }
    }

    /// d = all ones in the lanes where not a > b (also where either is NaN), else zeros.
    pub fn not_greater(&mut self, d: VectorRegister, a: VectorRegister, b: VectorRegister) {
        const NOT_GREATER_QUIET: u32 = 0x1a;
        let code = match self.lanes {
            Lanes::One => Code::VEX_Vcmpsd_xmm_xmm_xmmm64_imm8,
            Lanes::Four => Code::VEX_Vcmppd_ymm_ymm_ymmm256_imm8,
        };
        let (d, a, b) = (self.vector(d), self.vector(a), self.vector(b));
        self.put(Instruction::with4(code, d, a, b, NOT_GREATER_QUIET));
    }

    /// The sign bits of the lanes, in the low bits of a general register.
    pub fn sign_mask(&mut self, d: Register, s: VectorRegister) {
        let code = match self.lanes {
            Lanes::One => Code::VEX_Vmovmskpd_r64_xmm,
            Lanes::Four => Code::VEX_Vmovmskpd_r64_ymm,
        };
        let s = self.vector(s);
        self.put(Instruction::with2(code, d, s));
        if self.lanes == Lanes::One {
            self.and_immediate(d, 1);
        }
    }

    /// d = (the low number of a, b); scalar code only.
    pub fn pair(&mut self, d: VectorRegister, a: VectorRegister, b: Place) {
        let (d, a) = (xmm(d), xmm(a));
        self.put(match b {
            Place::Register(b) => {
                Instruction::with3(Code::VEX_Vunpcklpd_xmm_xmm_xmmm128, d, a, xmm(b))
            }
            Place::Memory(b) => Instruction::with3(Code::VEX_Vmovhpd_xmm_xmm_m64, d, a, memory(b)),
        });
    }

    /// d = (low half of a, low half of b)
    pub fn join_halves(&mut self, d: VectorRegister, a: VectorRegister, b: VectorRegister) {
        let code = Code::VEX_Vinsertf128_ymm_ymm_xmmm128_imm8;
        self.put(Instruction::with4(code, ymm(d), ymm(a), xmm(b), 1));
    }

    /// Clears the upper halves of the vector registers, before code that does not know of them.
    pub fn clear_upper(&mut self) {
        self.put(Ok(Instruction::with(Code::VEX_Vzeroupper)));
    }

    // ---- general registers and control ------------------------------------------------------------

    /// d = s
    pub fn move_register(&mut self, d: Register, s: Register) {
        self.put(Instruction::with2(Code::Mov_r64_rm64, d, s));
    }

    /// d = a number
    pub fn move_immediate(&mut self, d: Register, x: u64) {
        match i32::try_from(x) {
            Ok(small) => self.put(Instruction::with2(Code::Mov_rm64_imm32, d, small)),
            Err(_) => self.put(Instruction::with2(Code::Mov_r64_imm64, d, x)),
        }
    }

    /// d = the address itself
    pub fn address_of(&mut self, d: Register, of: Address) {
        self.put(Instruction::with2(Code::Lea_r64_m, d, memory(of)));
    }

    /// d += a number
    pub fn add_immediate(&mut self, d: Register, x: i32) {
        self.put(Instruction::with2(Code::Add_rm64_imm32, d, x));
    }

    /// d &= a number, extended by its sign
    pub fn and_immediate(&mut self, d: Register, x: i32) {
        self.put(Instruction::with2(Code::And_rm64_imm32, d, x));
    }

    /// memory = a number (64 bits)
    pub fn store_immediate(&mut self, to: Address, x: i32) {
        self.put(Instruction::with2(Code::Mov_rm64_imm32, memory(to), x));
    }

    /// memory |= s
    pub fn or_into(&mut self, to: Address, s: Register) {
        self.put(Instruction::with2(Code::Or_rm64_r64, memory(to), s));
    }

    /// d |= memory
    pub fn or_from(&mut self, d: Register, from: Address) {
        self.put(Instruction::with2(Code::Or_r64_rm64, d, memory(from)));
    }

    /// Saves a register on the stack.
    pub fn push(&mut self, s: Register) {
        self.put(Instruction::with1(Code::Push_r64, s));
    }

    /// Restores a register from the stack.
    pub fn pop(&mut self, d: Register) {
        self.put(Instruction::with1(Code::Pop_r64, d));
    }

    /// Calls the function whose address is in a register.
    pub fn call(&mut self, target: Register) {
        self.put(Instruction::with1(Code::Call_rm64, target));
    }

    /// Returns to the caller.
    pub fn ret(&mut self) {
        self.put(Ok(Instruction::with(Code::Retnq)));
    }

    /// A label, to be placed once.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// Puts a label here.
    pub fn place(&mut self, label: Label) {
        self.labels[label.0] = Some(self.length);
    }

    /// Jumps to a label.
    pub fn jump(&mut self, when: Condition, to: Label) {
        let code = match when {
            Condition::Always => Code::Jmp_rel32_64,
            Condition::Equal => Code::Je_rel32_64,
            Condition::NotEqual => Code::Jne_rel32_64,
            Condition::Less => Code::Jl_rel32_64,
            Condition::GreaterOrEqual => Code::Jge_rel32_64,
        };
        // The distance is filled in at the end.
        self.put(Instruction::with_branch(code, self.position()));
        self.jumps.push((self.length, to));
    }

    /// Calls code of this image.
    pub fn call_label(&mut self, to: Label) {
        self.put(Instruction::with_branch(
            Code::Call_rel32_64,
            self.position(),
        ));
        self.jumps.push((self.length, to));
    }

    /// Any other instruction, with this code's vector width left to the caller.
    pub fn raw(&mut self, instruction: Result<Instruction, IcedError>) {
        self.put(instruction);
    }

    // ---- encoding ----------------------------------------------------------------------------------

    fn three(&mut self, code: Code, d: VectorRegister, a: VectorRegister, b: Place) {
        let (d, a) = (self.vector(d), self.vector(a));
        self.put(match b {
            Place::Register(b) => Instruction::with3(code, d, a, self.vector(b)),
            Place::Memory(b) => Instruction::with3(code, d, a, memory(b)),
        });
    }

    fn vector(&self, r: VectorRegister) -> Register {
        match self.lanes {
            Lanes::One => xmm(r),
            Lanes::Four => ymm(r),
        }
    }

    fn position(&self) -> u64 {
        (self.pool.len() + self.length) as u64
    }

    fn put(&mut self, instruction: Result<Instruction, IcedError>) {
        let position = self.position();
        match instruction.and_then(|i| self.encoder.encode(&i, position)) {
            Ok(length) => self.length += length,
            Err(mistake) => {
                self.mistake.get_or_insert(mistake);
            }
        }
    }
}
