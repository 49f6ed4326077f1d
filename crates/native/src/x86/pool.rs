//! Constants that lie before the code and are addressed relative to it.

use crate::Lanes;
use std::collections::HashMap;

/// Constants of a piece of code. Each is stored as wide as a register: a constant that takes part in a
/// bitwise operation is read whole, even by scalar code.
#[derive(Debug)]
pub struct ConstantPool {
    lanes: Lanes,
    bytes: Vec<u8>,
    known: HashMap<u64, u32>,
}

impl ConstantPool {
    /// An empty pool for code of the given width.
    pub fn new(lanes: Lanes) -> Self {
        Self {
            lanes,
            bytes: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// The place of a number that fills its register (scalar code: two copies).
    pub fn add(&mut self, x: f64) -> u32 {
        let bits = x.to_bits();
        let bytes = &mut self.bytes;
        let copies = self.lanes.count().max(2);
        *self.known.entry(bits).or_insert_with(|| {
            let place = bytes.len() as u32;
            (0..copies).for_each(|_| bytes.extend_from_slice(&bits.to_le_bytes()));
            place
        })
    }

    /// The place of a number already in the pool.
    pub fn find(&self, x: f64) -> Option<u32> {
        self.known.get(&x.to_bits()).copied()
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
