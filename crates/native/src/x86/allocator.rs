//! Which value is in which register, and who has to leave when none is free.
//!
//! The code is straight, so the next use of every value is known: the value whose next use is farthest
//! away leaves (Belady's rule). Values that also lie in memory leave for free.

use super::VectorRegister;
use rattleback_compile::program::Slot;

/// The number of registers.
const REGISTERS: usize = 16;

/// No register, no value, no further use.
const NONE: u32 = u32::MAX;

/// Where a value lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// Only in a register, if anywhere.
    Nowhere,
    /// Among the inputs.
    Input(u32),
    /// In the constant pool.
    Constant(u32),
    /// A result of a call, in scratch memory.
    Result(u32),
    /// Among the outputs, already stored.
    Output(u32),
    /// In scratch memory, because its register was needed.
    Spill(u32),
}

/// What a register request demands of the emitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Eviction {
    /// The register to be saved,
    pub register: VectorRegister,
    /// and where to.
    pub spill: u32,
}

/// The uses of all values, in order.
#[derive(Debug)]
pub(super) struct Uses {
    /// The steps that use values, value by value.
    steps: Vec<u32>,
    /// The next use and the end of the uses of each value.
    range: Vec<(u32, u32)>,
}

impl Uses {
    /// Gathers uses (value, step) that come in order of steps.
    pub fn new(values: usize, uses: &[(Slot, u32)]) -> Self {
        let mut range = vec![(0u32, 0u32); values];
        uses.iter()
            .for_each(|&(slot, _)| range[slot as usize].1 += 1);
        let mut start = 0;
        for (begin, count) in &mut range {
            let next = start + *count;
            (*begin, *count) = (start, start);
            start = next;
        }
        let mut steps = vec![0; uses.len()];
        for &(slot, step) in uses {
            let end = &mut range[slot as usize].1;
            steps[*end as usize] = step;
            *end += 1;
        }
        Self { steps, range }
    }

    fn next(&self, slot: Slot) -> u32 {
        let (next, end) = self.range[slot as usize];
        if next < end {
            self.steps[next as usize]
        } else {
            NONE
        }
    }

    fn remaining(&self, slot: Slot) -> u32 {
        let (next, end) = self.range[slot as usize];
        end - next
    }
}

/// The state of the registers.
#[derive(Debug)]
pub(super) struct Allocator {
    uses: Uses,
    home: Vec<Home>,
    register: Vec<u32>,
    holder: [u32; REGISTERS],
    /// Registers that the current instruction needs as they are.
    pinned: u32,
    free_spills: Vec<u32>,
    /// Spills that the current instruction may still read.
    leaving_spills: Vec<u32>,
    spills: u32,
}

impl Allocator {
    /// All values with their homes; spills begin at the given place of scratch memory.
    pub fn new(uses: Uses, home: Vec<Home>, spills: u32) -> Self {
        Self {
            register: vec![NONE; home.len()],
            uses,
            home,
            holder: [NONE; REGISTERS],
            pinned: 0,
            free_spills: Vec::new(),
            leaving_spills: Vec::new(),
            spills,
        }
    }

    /// Where the value lies in memory.
    pub fn home(&self, slot: Slot) -> Home {
        self.home[slot as usize]
    }

    /// The value's memory holds it from now on.
    pub fn set_home(&mut self, slot: Slot, home: Home) {
        if let Home::Spill(place) = self.home[slot as usize] {
            self.leaving_spills.push(place);
        }
        self.home[slot as usize] = home;
    }

    /// The end of scratch memory.
    pub fn scratch(&self) -> u32 {
        self.spills
    }

    /// The register that holds the value.
    pub fn register(&self, slot: Slot) -> Option<VectorRegister> {
        let r = self.register[slot as usize];
        (r != NONE).then_some(VectorRegister(r as u8))
    }

    /// How often the value is still used.
    pub fn remaining(&self, slot: Slot) -> u32 {
        self.uses.remaining(slot)
    }

    /// Keeps a register for the current instruction.
    pub fn pin(&mut self, r: VectorRegister) {
        self.pinned |= 1 << r.0;
    }

    /// The instruction's operands may be overwritten.
    pub fn unpin_all(&mut self) {
        self.pinned = 0;
    }

    /// The current instruction is over.
    pub fn end_instruction(&mut self) {
        self.pinned = 0;
        self.free_spills.append(&mut self.leaving_spills);
    }

    /// Is there a free register?
    pub fn has_free(&self) -> bool {
        (0..REGISTERS).any(|r| self.is_free(r))
    }

    fn is_free(&self, r: usize) -> bool {
        self.holder[r] == NONE && self.pinned & (1 << r) == 0
    }

    /// A register to write to, pinned; perhaps its content has to be saved first.
    pub fn take(&mut self) -> (VectorRegister, Option<Eviction>) {
        if let Some(r) = (0..REGISTERS).find(|&r| self.is_free(r)) {
            let r = VectorRegister(r as u8);
            self.pin(r);
            return (r, None);
        }
        // An instruction pins at most four of the sixteen registers.
        let r = (0..REGISTERS)
            .filter(|&r| self.pinned & (1 << r) == 0)
            .max_by_key(|&r| self.uses.next(self.holder[r]))
            .unwrap_or(0);
        let slot = self.holder[r];
        let register = VectorRegister(r as u8);
        let eviction = self.save(slot, register);
        self.leave(slot);
        self.pin(register);
        (register, eviction)
    }

    /// Gives the value a place in memory if it needs one.
    fn save(&mut self, slot: Slot, register: VectorRegister) -> Option<Eviction> {
        if self.home[slot as usize] != Home::Nowhere || self.uses.remaining(slot) == 0 {
            return None;
        }
        let spill = self.free_spills.pop().unwrap_or_else(|| {
            self.spills += 1;
            self.spills - 1
        });
        self.home[slot as usize] = Home::Spill(spill);
        Some(Eviction { register, spill })
    }

    /// The register now holds the value.
    pub fn assign(&mut self, slot: Slot, r: VectorRegister) {
        self.leave(slot);
        let before = self.holder[r.0 as usize];
        if before != NONE {
            self.register[before as usize] = NONE;
        }
        self.holder[r.0 as usize] = slot;
        self.register[slot as usize] = u32::from(r.0);
    }

    /// The value is in no register any more.
    pub fn leave(&mut self, slot: Slot) {
        let r = self.register[slot as usize];
        if r != NONE {
            self.holder[r as usize] = NONE;
            self.register[slot as usize] = NONE;
        }
    }

    /// One use is over; after the last one the value's register and spill are free.
    pub fn consume(&mut self, slot: Slot) {
        self.uses.range[slot as usize].0 += 1;
        self.release_if_dead(slot);
    }

    /// Frees what a value without further uses holds.
    pub fn release_if_dead(&mut self, slot: Slot) {
        if self.uses.remaining(slot) == 0 {
            self.leave(slot);
            if let Home::Spill(_) = self.home[slot as usize] {
                self.set_home(slot, Home::Nowhere);
            }
        }
    }

    /// Empties all registers; the answer is what has to be saved.
    pub fn empty(&mut self) -> Vec<Eviction> {
        self.empty_first(REGISTERS as u8)
    }

    /// Empties the first registers; the answer is what has to be saved.
    pub fn empty_first(&mut self, count: u8) -> Vec<Eviction> {
        let mut evictions = Vec::new();
        for r in 0..count {
            let slot = self.holder[r as usize];
            if slot != NONE {
                evictions.extend(self.save(slot, VectorRegister(r)));
                self.leave(slot);
            }
        }
        evictions
    }
}
