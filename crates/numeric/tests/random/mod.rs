//! Random matrices for the tests.
#![allow(dead_code, reason = "each test file uses a part")]

use proptest::prelude::*;
use rattleback_numeric::Dense;
use std::ops::Range;

/// Square matrices of these sizes.
pub fn dense(sizes: Range<usize>) -> impl Strategy<Value = Dense> {
    sizes.prop_flat_map(|n| matrix(n, n))
}

/// Matrices of this shape.
pub fn matrix(rows: usize, columns: usize) -> impl Strategy<Value = Dense> {
    let entries = prop::collection::vec(-2.0..2.0f64, rows * columns);
    entries.prop_map(move |e| Dense::of_rows(rows, columns, &e))
}

/// A product of reflections from a seed.
pub fn orthogonal(n: usize, seed: u64) -> Dense {
    let mut state = seed | 1;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    let mut product = Dense::identity(n);
    for _ in 0..n {
        let w: Vec<f64> = (0..n).map(|_| next()).collect();
        let square: f64 = w.iter().map(|x| x * x).sum();
        let reflection = Dense::new(n, n, |i, j| {
            let unit = if i == j { 1.0 } else { 0.0 };
            unit - 2.0 * w[i] * w[j] / square
        });
        product = &product * &reflection;
    }
    product
}
