//! Where an atom occurs in a sum of terms.

use super::monomial::Exponent;

/// In which terms an atom occurs, and with which exponents.
#[derive(Clone, Copy, Default)]
pub(super) struct Occurrence {
    pub(super) above: Side,
    pub(super) below: Side,
}

/// The exponents on one side of the fraction bar.
#[derive(Clone, Copy, Default)]
pub(super) struct Side {
    /// How many terms have the atom there.
    pub(super) terms: usize,
    lowest: Exponent,
    highest: Exponent,
}

impl Occurrence {
    pub(super) fn note(&mut self, e: Exponent) {
        let side = if e > 0 {
            &mut self.above
        } else {
            &mut self.below
        };
        side.lowest = if side.terms == 0 {
            e
        } else {
            side.lowest.min(e)
        };
        side.highest = if side.terms == 0 {
            e
        } else {
            side.highest.max(e)
        };
        side.terms += 1;
    }

    /// How many terms have the atom at all.
    pub(super) fn terms(&self) -> usize {
        self.above.terms + self.below.terms
    }

    /// The exponent that all of `terms` terms have on the same side of the bar.
    pub(super) fn shared(&self, terms: usize) -> Exponent {
        if self.above.terms == terms {
            self.above.lowest
        } else if self.below.terms == terms {
            self.below.highest
        } else {
            0
        }
    }

    /// Can the terms fall into groups of one size by their exponents?
    pub(super) fn may_group_evenly(&self, terms: usize) -> bool {
        let without = terms - self.terms();
        without == 0 || (without > 1 && terms.is_multiple_of(without))
    }
}

impl Side {
    /// Do all terms that have the atom here have it to the same power?
    pub(super) fn is_uniform(&self) -> bool {
        self.lowest == self.highest
    }
}
