//! CRC-32, the checksum of Ethernet and zip files: any damage to up to four bytes in a row is seen.

/// The generator polynomial x^32 + x^26 + … + 1, its lowest power in the highest bit.
const POLYNOMIAL: u32 = 0xEDB8_8320;

/// The remainder of every byte, for a byte and for seven zero bytes behind it.
const TABLE: [[u32; 256]; 8] = table();

const fn table() -> [[u32; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut rest = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            rest = (rest >> 1) ^ if rest & 1 == 1 { POLYNOMIAL } else { 0 };
            bit += 1;
        }
        table[0][byte] = rest;
        byte += 1;
    }
    let mut behind = 1;
    while behind < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before: u32 = table[behind - 1][byte];
            table[behind][byte] = (before >> 8) ^ table[0][(before & 0xFF) as usize];
            byte += 1;
        }
        behind += 1;
    }
    table
}

/// The checksum of what has been added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Checksum(u32);

impl Checksum {
    /// Of nothing.
    pub fn new() -> Self {
        Checksum(!0)
    }

    /// Of these bytes.
    #[cfg(feature = "parquet")]
    pub fn of(bytes: &[u8]) -> u32 {
        let mut sum = Checksum::new();
        sum.add(bytes);
        sum.value()
    }

    /// Adds bytes, eight at a time.
    pub fn add(&mut self, bytes: &[u8]) {
        let (eights, rest) = bytes.as_chunks::<8>();
        for eight in eights {
            let folded = u64::from_le_bytes(*eight) ^ u64::from(self.0);
            self.0 = folded
                .to_le_bytes()
                .iter()
                .zip(TABLE.iter().rev())
                .fold(0, |sum, (byte, table)| sum ^ table[usize::from(*byte)]);
        }
        for byte in rest {
            self.0 = (self.0 >> 8) ^ TABLE[0][((self.0 ^ u32::from(*byte)) & 0xFF) as usize];
        }
    }

    /// The checksum.
    pub fn value(self) -> u32 {
        !self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8]) -> u32 {
        let mut sum = Checksum::new();
        sum.add(bytes);
        sum.value()
    }

    #[test]
    fn known_checksums() {
        // The check value of the catalogues, and what zip writes for this sentence.
        assert_eq!(of(b"123456789"), 0xCBF4_3926);
        assert_eq!(
            of(b"The quick brown fox jumps over the lazy dog"),
            0x414F_A339
        );
        assert_eq!(of(b""), 0);
    }

    #[test]
    fn parts_add_up_and_every_flip_is_seen() {
        let bytes: Vec<u8> = (0..=255u8)
            .cycle()
            .take(1000)
            .map(|b| b.wrapping_mul(31))
            .collect();
        for cut in [0, 1, 7, 8, 9, 500, 1000] {
            let mut sum = Checksum::new();
            sum.add(&bytes[..cut]);
            sum.add(&bytes[cut..]);
            assert_eq!(sum.value(), of(&bytes));
        }
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut other = bytes.clone();
                other[place] ^= 1 << bit;
                assert_ne!(of(&other), of(&bytes));
            }
        }
    }
}
