//! Constants that lie before the code and are addressed relative to it.

use std::collections::HashMap;

/// Constants of a piece of code, each stored once per width.
#[derive(Debug, Default)]
pub struct ConstantPool {
    bytes: Vec<u8>,
    known: HashMap<(u64, usize), u32>,
}

impl ConstantPool {
    /// An empty pool.
    pub fn new() -> Self {
        Self::default()
    }

    /// The place of a number repeated to the given number of copies: one for scalar arithmetic, two for
    /// bitwise operations of scalar code (they read more), four for wide code.
    pub fn add(&mut self, x: f64, copies: usize) -> u32 {
        let bits = x.to_bits();
        let bytes = &mut self.bytes;
        *self.known.entry((bits, copies)).or_insert_with(|| {
            let place = bytes.len() as u32;
            (0..copies).for_each(|_| bytes.extend_from_slice(&bits.to_le_bytes()));
            place
        })
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
