//! Which coefficients of the order at hand are still in registers.
//!
//! Everything is stored to memory as soon as it is known, so that nothing is ever spilled; but to read
//! it back at once would cost more than the arithmetic between.

use rattleback_compile::taylor::Series;

use super::layout::Pack;

/// A register that keeps coefficients.
pub(super) type Vector = u32;

/// What a register may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// The current coefficient of a series.
    Value(Series),
    /// The current coefficients of a pack.
    Row(Pack),
    /// What the current coefficients of a pack are made from, before it is multiplied by the order.
    Source(Pack),
}

/// The first register that keeps coefficients; those below are free for use.
const FIRST: Vector = 8;
const COUNT: usize = 8;

/// The contents of the registers, the one used longest ago first to go.
#[derive(Debug, Default)]
pub(super) struct Cache {
    contents: [Option<(Content, usize)>; COUNT],
    used: [u64; COUNT],
    clock: u64,
}

impl Cache {
    /// The register that holds this at order k.
    pub(super) fn find(&mut self, content: Content, k: usize) -> Option<Vector> {
        let mut contents = self.contents.iter();
        let place = contents.position(|&held| held == Some((content, k)))?;
        self.touch(place);
        Some(FIRST + place as Vector)
    }

    /// A register that will hold this at order k.
    pub(super) fn claim(&mut self, content: Content, k: usize) -> Vector {
        let oldest = (0..COUNT).min_by_key(|&place| self.used[place]);
        let place = oldest.unwrap_or(0);
        self.contents[place] = Some((content, k));
        self.touch(place);
        FIRST + place as Vector
    }

    /// Forgets everything: the registers have been used otherwise.
    pub(super) fn clear(&mut self) {
        self.contents = [None; COUNT];
        self.used = [0; COUNT];
    }

    fn touch(&mut self, place: usize) {
        self.clock += 1;
        self.used[place] = self.clock;
    }
}
