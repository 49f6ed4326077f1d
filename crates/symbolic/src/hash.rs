//! A hash that is the same on every run: canonical order must not depend on addresses.

use std::hash::{BuildHasherDefault, Hasher};

/// Multiply-and-fold mixer over 64-bit words.
#[derive(Clone, Default)]
pub struct Mixer(u64);

const K: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        fold(self.0 ^ K, 0xd6e8_feb8_6659_fd93)
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0u8; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word) ^ (chunk.len() as u64) << 56);
        }
    }
    fn write_u64(&mut self, x: u64) {
        self.0 = fold(self.0.rotate_left(23) ^ x ^ K, 0xa076_1d64_78bd_642f);
    }
    fn write_u8(&mut self, x: u8) {
        self.write_u64(x.into());
    }
    fn write_u32(&mut self, x: u32) {
        self.write_u64(x.into());
    }
    fn write_usize(&mut self, x: usize) {
        self.write_u64(x as u64);
    }
}

fn fold(a: u64, b: u64) -> u64 {
    let p = u128::from(a) * u128::from(b);
    (p as u64) ^ (p >> 64) as u64
}

pub type BuildMixer = BuildHasherDefault<Mixer>;

/// A hash map keyed by expressions or symbols.
pub type Map<K, V> = std::collections::HashMap<K, V, BuildMixer>;
/// A hash set of expressions or symbols.
pub type Set<K> = std::collections::HashSet<K, BuildMixer>;
