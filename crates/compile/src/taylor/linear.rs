//! The inverse of a small definite matrix in lanes, and solutions by inverses: one factorisation serves every
//! order of a jet.
// Indices as in the formulas.
#![allow(clippy::needless_range_loop)]

use super::number::Number;

/// Inverts a symmetric row-major n×n matrix in place, by Gauss-Jordan elimination without exchanges,
/// which is stable where the matrix is positive definite. Returns false, and leaves no inverse, if
/// it is not safely so in some lane. `diagonal` is space for n numbers.
#[inline(always)]
pub fn invert_definite<N: Number>(n: usize, matrix: &mut [N], diagonal: &mut [N]) -> bool {
    let mut is_safe = true;
    for k in 0..n {
        diagonal[k] = matrix[k * n + k];
        for lane in 0..N::LANES {
            is_safe &= diagonal[k].lane(lane) > 0.0;
        }
    }
    for k in 0..n {
        let pivot = matrix[k * n + k];
        let least = diagonal[k];
        for lane in 0..N::LANES {
            // Comparisons with NaN are false.
            is_safe &= pivot.lane(lane) > 1e-13 * least.lane(lane);
        }
        let reciprocal = N::splat(1.0) / pivot;
        matrix[k * n + k] = N::splat(1.0);
        for j in 0..n {
            matrix[k * n + j] = matrix[k * n + j] * reciprocal;
        }
        for i in 0..n {
            if i == k {
                continue;
            }
            let factor = matrix[i * n + k];
            matrix[i * n + k] = N::splat(0.0);
            for j in 0..n {
                matrix[i * n + j] = matrix[i * n + j] - factor * matrix[k * n + j];
            }
        }
    }
    is_safe
}

/// Divides each row by its largest entry, and starts `inverse` as the same scaling of the identity.
/// x = A⁻¹ b, with one step of iterative refinement that brings it to working precision.
/// `scratch` holds n numbers.
#[inline(always)]
pub fn solve_with_inverse<N: Number>(
    matrix: &[N],
    inverse: &[N],
    rhs: &[N],
    x: &mut [N],
    scratch: &mut [N],
) {
    let n = rhs.len();
    for i in 0..n {
        x[i] = row(&inverse[i * n..], rhs);
    }
    for i in 0..n {
        scratch[i] = rhs[i] - row(&matrix[i * n..], x);
    }
    for i in 0..n {
        x[i] = x[i] + row(&inverse[i * n..], &scratch[..n]);
    }
}

#[inline(always)]
fn row<N: Number>(entries: &[N], vector: &[N]) -> N {
    let mut sum = N::splat(0.0);
    for (&entry, &v) in entries.iter().zip(vector) {
        sum = sum + entry * v;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverts_definite_matrices_in_place() {
        let matrix = [4.0, 1.0, -2.0, 1.0, 3.0, 0.5, -2.0, 0.5, 5.0];
        let mut inverse = matrix;
        assert!(invert_definite(3, &mut inverse, &mut [0.0; 3]));
        for i in 0..3 {
            for j in 0..3 {
                let entry: f64 = (0..3).map(|k| inverse[i * 3 + k] * matrix[k * 3 + j]).sum();
                let exact = f64::from(u8::from(i == j));
                assert!((entry - exact).abs() < 1e-15, "({i}, {j}): {entry}");
            }
        }
        assert!(!invert_definite(
            2,
            &mut [1.0, 2.0, 2.0, 1.0],
            &mut [0.0; 2]
        ));
        assert!(!invert_definite(1, &mut [f64::NAN], &mut [0.0]));
    }
}
