//! The checksum of a CSV file's rows, in a comment line of fixed length at the end of its head.
//!
//! ```text
//! # checksum: crc32 1a2b3c4d of the 000000012345 bytes behind this line
//! ```
//! It is written over whenever rows are handed on, and so covers all rows that a killed run has left but perhaps the
//! very last ones.

use std::io::{self, Read};

use crate::checksum::Checksum;

/// The key of the line.
pub(super) const KEY: &str = "checksum";

/// What has been written or read behind the line, and its checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seal {
    pub bytes: u64,
    pub sum: Checksum,
}

impl Seal {
    /// Of nothing.
    pub fn new() -> Self {
        Seal {
            bytes: 0,
            sum: Checksum::new(),
        }
    }

    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.sum.add(bytes);
        self.bytes += bytes.len() as u64;
    }

    /// The line.
    pub fn line(&self) -> String {
        let (sum, bytes) = (self.sum.value(), self.bytes);
        format!("# {KEY}: crc32 {sum:08x} of the {bytes:012} bytes behind this line\n")
    }
}

/// What a line claims: a checksum, and of how many bytes.
pub(super) fn claim(entry: &str) -> Option<(u32, u64)> {
    let mut words = entry.strip_prefix("crc32 ")?.split(' ');
    let sum = u32::from_str_radix(words.next()?, 16).ok()?;
    let bytes = words.nth(2)?.parse().ok()?;
    Some((sum, bytes))
}

/// Bytes that are read and summed up on the way.
pub(super) struct Sealed<R> {
    inner: R,
    /// All that has been read.
    pub seal: Seal,
    /// What is claimed.
    claim: Option<(u32, u64)>,
    /// Is the claim false?
    pub broken: bool,
}

impl<R> Sealed<R> {
    /// Sums up what is to be read.
    pub fn new(inner: R, claim: Option<(u32, u64)>) -> Self {
        Sealed {
            inner,
            seal: Seal::new(),
            broken: claim.is_some_and(|(sum, bytes)| bytes == 0 && sum != 0),
            claim,
        }
    }
}

impl<R: Read> Read for Sealed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let before = self.seal.bytes;
        let rest = match self.claim {
            Some((sum, end)) if before < end && end <= before + read as u64 => {
                let (claimed, rest) = buffer[..read].split_at((end - before) as usize);
                self.seal.add(claimed);
                self.broken = self.seal.sum.value() != sum;
                rest
            }
            _ => &buffer[..read],
        };
        self.seal.add(rest);
        Ok(read)
    }
}
