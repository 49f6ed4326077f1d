//! Exponent vectors packed eight to a word, a guard bit above each exponent.
//!
//! Generator 0 sits in the highest byte of the first word, so comparing words compares lexicographically.

use crate::TooLarge;

/// Guard bits: a sum of exponents that reaches one has overflowed.
const GUARD: u64 = 0x8080_8080_8080_8080;

/// The largest exponent.
pub(crate) const MAX_EXPONENT: u32 = 127;

/// The number of words for that many generators.
pub(crate) fn words(generators: usize) -> usize {
    generators.div_ceil(8).max(1)
}

fn place(generator: usize) -> (usize, u32) {
    (generator / 8, 56 - 8 * (generator % 8) as u32)
}

/// The exponent of a generator.
pub(crate) fn exponent(m: &[u64], generator: usize) -> u32 {
    let (word, shift) = place(generator);
    (m[word] >> shift & 0xff) as u32
}

/// Sets the exponent of a generator.
pub(crate) fn set_exponent(m: &mut [u64], generator: usize, e: u32) {
    let (word, shift) = place(generator);
    m[word] = m[word] & !(0xff << shift) | u64::from(e) << shift;
}

/// Appends `a + b` to `out`.
pub(crate) fn push_product(a: &[u64], b: &[u64], out: &mut Vec<u64>) -> Result<(), TooLarge> {
    let mut overflow = 0;
    for (x, y) in a.iter().zip(b) {
        let sum = x + y;
        overflow |= sum & GUARD;
        out.push(sum);
    }
    if overflow == 0 { Ok(()) } else { Err(TooLarge) }
}

/// Appends `a - b` to `out`, if `b` divides `a`.
pub(crate) fn push_quotient(a: &[u64], b: &[u64], out: &mut Vec<u64>) -> bool {
    let start = out.len();
    for (x, y) in a.iter().zip(b) {
        let difference = (x | GUARD) - y;
        if difference & GUARD != GUARD {
            out.truncate(start);
            return false;
        }
        out.push(difference & !GUARD);
    }
    true
}

/// The smaller exponent of each generator.
pub(crate) fn meet(into: &mut [u64], m: &[u64]) {
    for (x, y) in into.iter_mut().zip(m) {
        let mut least = 0;
        for shift in (0..64).step_by(8) {
            least |= (*x >> shift & 0xff).min(*y >> shift & 0xff) << shift;
        }
        *x = least;
    }
}

/// The larger exponent of each generator.
pub(crate) fn join(into: &mut [u64], m: &[u64]) {
    for (x, y) in into.iter_mut().zip(m) {
        let mut most = 0;
        for shift in (0..64).step_by(8) {
            most |= (*x >> shift & 0xff).max(*y >> shift & 0xff) << shift;
        }
        *x = most;
    }
}
