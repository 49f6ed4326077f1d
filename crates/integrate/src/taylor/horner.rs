//! Horner's rule for polynomials in four lanes, whether these are components of one motion or members.
//!
//! Even and odd powers go side by side: two short chains of operations take half the time of a long one.

use crate::simd::{Arithmetic, Block, LANES};

const ZERO: Block = [0.0; LANES];

/// a·b + c in each lane. A loop, since a closure is compiled for the least processor.
#[inline(always)]
fn multiply_add<A: Arithmetic>(a: Block, b: Block, c: Block) -> Block {
    let mut result = c;
    for l in 0..LANES {
        result[l] = A::multiply_add(a[l], b[l], c[l]);
    }
    result
}

/// τ² in each lane.
#[inline(always)]
fn squared(tau: Block) -> Block {
    let mut square = tau;
    for l in 0..LANES {
        square[l] = tau[l] * tau[l];
    }
    square
}

/// Σ_(k≥1) x_k τ^(k−1) = odd(τ²) + τ even(τ²), where `row(k)` is x_k: the change over τ.
#[inline(always)]
pub(super) fn mean_rate<A: Arithmetic>(
    order: usize,
    tau: Block,
    row: impl Fn(usize) -> Block,
) -> Block {
    let square = squared(tau);
    let (mut odd, mut even) = (ZERO, ZERO);
    let mut k = order;
    if k.is_multiple_of(2) {
        even = row(k);
        k -= 1;
    }
    // From here on k is odd, and the sum of even powers is one step ahead.
    while k > 1 {
        odd = multiply_add::<A>(square, odd, row(k));
        even = multiply_add::<A>(square, even, row(k - 1));
        k -= 2;
    }
    odd = multiply_add::<A>(square, odd, row(1));
    multiply_add::<A>(tau, even, odd)
}

/// Σ_(k≥1) k x_k τ^(k−1), where `row(k)` is x_k: the rate at τ.
#[inline(always)]
pub(super) fn rate<A: Arithmetic>(order: usize, tau: Block, row: impl Fn(usize) -> Block) -> Block {
    let square = squared(tau);
    let mut sums = [ZERO; 2];
    for k in (1..=order).rev() {
        let scaled = multiply_add::<A>([k as f64; LANES], row(k), ZERO);
        sums[k % 2] = multiply_add::<A>(square, sums[k % 2], scaled);
    }
    // Odd k have even powers τ^(k−1).
    multiply_add::<A>(tau, sums[0], sums[1])
}
