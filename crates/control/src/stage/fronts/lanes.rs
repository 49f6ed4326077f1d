//! Rows of blocks of four numbers: the same number of four fronts, or four neighbours of one row, filled up with zeros.

use super::super::term::{LANES, Lane};

/// No number, in all lanes.
pub(super) const ZERO: Lane = [0.0; LANES];

/// Lane by lane.
#[inline(always)]
pub(super) fn each(of: impl FnMut(usize) -> f64) -> Lane {
    std::array::from_fn(of)
}

/// How many blocks so many numbers fill.
pub(super) fn blocks(numbers: usize) -> usize {
    numbers.div_ceil(LANES)
}

/// Zeros, so many.
pub(super) fn renew<T: Copy>(values: &mut Vec<T>, zero: T, count: usize) {
    values.clear();
    values.resize(count, zero);
}

/// Is it zero in all lanes?
#[inline(always)]
pub(super) fn vanishes(a: Lane) -> bool {
    // The sign of zero does not matter.
    a.iter().fold(0, |bits, a| bits | a.to_bits()) << 1 == 0
}

/// −a.
#[inline(always)]
pub(super) fn negative(a: Lane) -> Lane {
    a.map(|a| -a)
}

/// a b.
#[inline(always)]
pub(super) fn product(a: Lane, b: Lane) -> Lane {
    each(|l| a[l] * b[l])
}

/// x ← a x.
#[inline(always)]
pub(super) fn scale(x: &mut [Lane], a: Lane) {
    x.iter_mut().for_each(|x| *x = product(*x, a));
}

/// The sum over lanes.
#[inline(always)]
pub(super) fn total([a, b, c, d]: Lane) -> f64 {
    (a + b) + (c + d)
}
