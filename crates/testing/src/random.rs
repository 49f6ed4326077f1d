//! Random numbers; a seed gives the same ones on every machine.

/// A small seeded generator (splitmix64).
///
/// ```
/// use rattleback_testing::Random;
/// let mut random = Random::new(1);
/// assert!(random.below(7) < 7);
/// assert!((0.0..1.0).contains(&random.unit()) && (-1.0..1.0).contains(&random.signed()));
/// assert_eq!(Random::new(3).bits(), Random::new(3).bits());
/// ```
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of 0, …, n − 1.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// A number from 0 on, below 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number from −1 on, below 1.
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }
}
