//! Fused multiply-add: which operand is overwritten, and which may stay in memory.

use super::emit::Emitter;
use super::{FusedForm, FusedKind, Place, VectorRegister};
use rattleback_compile::program::Slot;

impl Emitter<'_> {
    /// The result overwrites an operand: one that dies here, else a copy. One operand, the last of the
    /// instruction, may come from memory.
    pub(super) fn fused(&mut self, kind: FusedKind, slot: Slot, [a, b, c]: [Slot; 3]) {
        let dies = |s: Slot| {
            let here = [a, b, c].iter().filter(|&&o| o == s).count() as u32;
            self.values.register(s).is_some() && self.values.remaining(s) == here
        };
        let held = |s: Slot| self.values.register(s).is_some();
        let (form, d, x, y) = if dies(c) {
            let d = self.in_register(c);
            let (x, y) = self.factors(a, b);
            (FusedForm::F231, d, x, y)
        } else if dies(a) || dies(b) {
            let (dying, other) = if dies(a) { (a, b) } else { (b, a) };
            let other_held = held(other);
            let d = self.in_register(dying);
            if other_held {
                let x = self.in_register(other);
                (FusedForm::F213, d, x, self.place(c))
            } else {
                let x = self.in_register(c);
                (FusedForm::F132, d, x, self.place(other))
            }
        } else if held(c) && (!held(a) || !held(b)) {
            let (loaded, other) = if held(a) { (b, a) } else { (a, b) };
            let d = self.copy_of(loaded);
            let x = self.in_register(c);
            (FusedForm::F132, d, x, self.place(other))
        } else {
            let d = self.copy_of(c);
            let (x, y) = self.factors(a, b);
            (FusedForm::F231, d, x, y)
        };
        self.asm.fused(kind, form, d, x, y);
        [a, b, c].into_iter().for_each(|s| self.values.consume(s));
        self.define(slot, d);
    }

    /// Two factors, the first in a register.
    fn factors(&mut self, a: Slot, b: Slot) -> (VectorRegister, Place) {
        let swap = self.values.register(a).is_none() && self.values.register(b).is_some();
        let (a, b) = if swap { (b, a) } else { (a, b) };
        (self.in_register(a), self.place(b))
    }

    /// A fresh register with the value in it; the value itself stays where it is.
    fn copy_of(&mut self, slot: Slot) -> VectorRegister {
        if let Some(r) = self.values.register(slot) {
            self.values.pin(r);
            let d = self.fresh();
            self.asm.copy(d, r);
            d
        } else {
            let d = self.fresh();
            self.load_into(d, slot);
            d
        }
    }
}
