//! The inverse of a small matrix.

use crate::error::SingularMatrix;
use crate::tolerance::VANISHING_PIVOT;

/// Inverts the row-major n×n matrix into `inverse`, by Gauss-Jordan elimination with row scaling and
/// partial pivoting; `matrix` is overwritten. One inverse serves every order of a jet.
pub fn invert(n: usize, matrix: &mut [f64], inverse: &mut [f64]) -> Result<(), SingularMatrix> {
    scale_rows(n, matrix, inverse);
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if matrix[i * n + k].abs() > matrix[pivot * n + k].abs() {
                pivot = i;
            }
        }
        // Rows have been scaled to unit size, so the threshold is relative.
        let value = matrix[pivot * n + k];
        if value.is_nan() || value.abs() <= VANISHING_PIVOT {
            return Err(SingularMatrix { pivot: k });
        }
        if pivot != k {
            for j in 0..n {
                matrix.swap(k * n + j, pivot * n + j);
                inverse.swap(k * n + j, pivot * n + j);
            }
        }
        let reciprocal = 1.0 / matrix[k * n + k];
        for j in 0..n {
            matrix[k * n + j] *= reciprocal;
            inverse[k * n + j] *= reciprocal;
        }
        for i in (0..n).filter(|&i| i != k) {
            let factor = matrix[i * n + k];
            if factor != 0.0 {
                for j in 0..n {
                    matrix[i * n + j] -= factor * matrix[k * n + j];
                    inverse[i * n + j] -= factor * inverse[k * n + j];
                }
            }
        }
    }
    Ok(())
}

fn scale_rows(n: usize, matrix: &mut [f64], inverse: &mut [f64]) {
    inverse.fill(0.0);
    for i in 0..n {
        let row = &mut matrix[i * n..(i + 1) * n];
        let largest = row.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let scale = if largest > 0.0 && largest.is_finite() {
            1.0 / largest
        } else {
            1.0
        };
        row.iter_mut().for_each(|x| *x *= scale);
        inverse[i * n + i] = scale;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverts_badly_scaled_matrices() {
        let matrix = [1e-20, 1.0, 0.0, 1e10, 1e10, 2e10, 0.0, 1.0, 1.0];
        let (mut work, mut inverse) = (matrix, [0.0; 9]);
        invert(3, &mut work, &mut inverse).unwrap();
        for i in 0..3 {
            for j in 0..3 {
                let entry: f64 = (0..3).map(|k| inverse[i * 3 + k] * matrix[k * 3 + j]).sum();
                let exact = f64::from(u8::from(i == j));
                assert!((entry - exact).abs() < 1e-5, "({i}, {j}): {entry}");
            }
        }
    }

    #[test]
    fn refuses_singular_ones() {
        let mut inverse = [0.0; 4];
        assert_eq!(
            invert(2, &mut [1.0, 2.0, 2.0, 4.0], &mut inverse),
            Err(SingularMatrix { pivot: 1 })
        );
        assert_eq!(
            invert(1, &mut [f64::NAN], &mut inverse[..1]),
            Err(SingularMatrix { pivot: 0 })
        );
    }
}
