//! Sines and cosines inside a program: arguments into registers, the subroutine, results out.

use super::allocator::Home;
use super::emit::Emitter;
use super::sincos::CLOBBERED;
use super::{Place, VectorRegister as V};
use crate::Lanes;
use crate::plan::{Call, trigonometric_place};
use rattleback_compile::program::Slot;

const SINES: V = V(0);
const COSINES: V = V(1);

impl Emitter<'_> {
    /// All sines and cosines of a call.
    pub(super) fn sines_and_cosines(&mut self, call: &Call) {
        let group = 4 / self.lanes.count();
        for (k, arguments) in call.arguments.chunks(group).enumerate() {
            let first = k * group;
            self.enter(arguments);
            if let Some((subroutine, _)) = self.sincos {
                self.asm.call_label(subroutine);
            }
            let here = first..first + arguments.len();
            let taken = call.defines.iter().filter(|d| here.contains(&d.1));
            let taken: Vec<(Slot, usize, bool)> = taken.copied().collect();
            if arguments.len() == 1 {
                self.keep_in_registers(&taken);
            } else {
                self.keep_in_memory(call, first, &taken);
            }
        }
    }

    /// Brings up to four scalars, or one wide value, into register 0, and clears the way.
    fn enter(&mut self, arguments: &[Slot]) {
        let places: Vec<Place> = arguments.iter().map(|&a| self.where_it_is(a)).collect();
        arguments.iter().for_each(|&a| self.values.consume(a));
        for eviction in self.values.empty_first(CLOBBERED) {
            self.save(eviction);
        }
        // What was in a register is still there until it is overwritten: so 0 comes last.
        let used = |r: V| places.contains(&Place::Register(r));
        let mut free = (1..CLOBBERED).map(V).filter(|&r| !used(r));
        let (low, high) = (free.next().unwrap_or(V(1)), free.next().unwrap_or(V(2)));
        match places[..] {
            [] => {}
            [a] => self.bring(SINES, a),
            [a, b] => self.bring_pair(SINES, low, a, b),
            [a, b, c, ..] => {
                self.bring_pair(low, low, a, b);
                match places.get(3) {
                    Some(&d) => self.bring_pair(high, high, c, d),
                    None => self.bring(high, c),
                }
                self.asm.join_halves(SINES, low, high);
            }
        }
        self.values.end_instruction();
    }

    fn where_it_is(&self, slot: Slot) -> Place {
        match (
            self.values.register(slot),
            self.address(self.values.home(slot)),
        ) {
            (None, Some(address)) => Place::Memory(address),
            (r, _) => Place::Register(r.unwrap_or(SINES)),
        }
    }

    fn bring(&mut self, d: V, from: Place) {
        match from {
            Place::Register(r) => self.asm.copy(d, r),
            Place::Memory(address) => self.asm.load(d, address),
        }
    }

    fn bring_pair(&mut self, d: V, spare: V, a: Place, b: Place) {
        let a = match a {
            Place::Register(r) => r,
            Place::Memory(address) => {
                self.asm.load(spare, address);
                spare
            }
        };
        self.asm.pair(d, a, b);
    }

    /// One argument: its sine and cosine stay where they are.
    fn keep_in_registers(&mut self, taken: &[(Slot, usize, bool)]) {
        // Claimed first, so that a value wanted twice is not copied over one of them.
        self.values.pin(SINES);
        self.values.pin(COSINES);
        let mut copies = Vec::new();
        for &(slot, _, cosine) in taken {
            let r = if cosine { COSINES } else { SINES };
            let first = taken.iter().find(|t| t.2 == cosine).map(|t| t.0);
            if first == Some(slot) {
                copies.push((slot, r));
            } else {
                let d = self.fresh();
                self.asm.copy(d, r);
                copies.push((slot, d));
            }
        }
        for (slot, r) in copies {
            self.define(slot, r);
        }
        self.values.end_instruction();
    }

    /// Several arguments of scalar code: memory takes the lanes apart.
    fn keep_in_memory(&mut self, call: &Call, first: usize, taken: &[(Slot, usize, bool)]) {
        self.asm.set_lanes(Lanes::Four);
        for (r, cosine) in [(SINES, false), (COSINES, true)] {
            let place = trigonometric_place(first, cosine, self.lanes) as u32;
            let to = self.scratch(call.result + place);
            self.asm.store(to, r);
        }
        self.asm.set_lanes(self.lanes);
        for &(slot, ..) in taken {
            let place = self.plan.place[slot as usize];
            self.values.set_home(slot, Home::Result(place));
            self.each_output(slot, Self::copy_to_output);
        }
    }
}
