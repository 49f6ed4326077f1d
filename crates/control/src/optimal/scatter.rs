//! Numbers scattered by a fixed seed.

/// Numbers between −1 and 1, the same for the same seed.
pub(super) struct Scatter(u64);

impl Scatter {
    pub fn new(seed: usize) -> Self {
        Self(0x9E37_79B9_7F4A_7C15 ^ (seed as u64).wrapping_mul(0xD134_2543_DE82_EF95))
    }

    /// The next one (xorshift).
    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
