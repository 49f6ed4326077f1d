//! Small dense linear systems, by elimination with row scaling and partial pivoting.

/// A matrix that is singular to working precision.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the matrix is singular to working precision: pivot {pivot} vanishes")]
pub struct SingularMatrix {
    /// Which pivot, from 0.
    pub pivot: usize,
}

/// Solves `matrix · x = rhs` for a row-major n×n matrix; both arguments are overwritten, `rhs` by x.
pub(crate) fn solve(matrix: &mut [f64], rhs: &mut [f64]) -> Result<(), SingularMatrix> {
    let n = rhs.len();
    scale_rows(matrix, rhs);
    for k in 0..n {
        let pivot = (k..n)
            .max_by(|&i, &j| matrix[i * n + k].abs().total_cmp(&matrix[j * n + k].abs()))
            .unwrap_or(k);
        // Rows have been scaled to unit size, so the threshold is relative.
        let value = matrix[pivot * n + k];
        if value.is_nan() || value.abs() <= 1e-14 {
            return Err(SingularMatrix { pivot: k });
        }
        if pivot != k {
            for j in 0..n {
                matrix.swap(k * n + j, pivot * n + j);
            }
            rhs.swap(k, pivot);
        }
        for i in k + 1..n {
            let factor = matrix[i * n + k] / matrix[k * n + k];
            if factor != 0.0 {
                for j in k..n {
                    matrix[i * n + j] -= factor * matrix[k * n + j];
                }
                rhs[i] -= factor * rhs[k];
            }
        }
    }
    for k in (0..n).rev() {
        let tail: f64 = (k + 1..n).map(|j| matrix[k * n + j] * rhs[j]).sum();
        rhs[k] = (rhs[k] - tail) / matrix[k * n + k];
    }
    Ok(())
}

/// The determinant of a small row-major matrix, by elimination with partial pivoting.
pub(crate) fn determinant(matrix: &[f64], n: usize) -> f64 {
    let mut m = matrix.to_vec();
    let mut product = 1.0;
    for k in 0..n {
        let pivot = (k..n)
            .max_by(|&i, &j| m[i * n + k].abs().total_cmp(&m[j * n + k].abs()))
            .unwrap_or(k);
        if pivot != k {
            (0..n).for_each(|j| m.swap(k * n + j, pivot * n + j));
            product = -product;
        }
        product *= m[k * n + k];
        if product == 0.0 {
            return 0.0;
        }
        for i in k + 1..n {
            let factor = m[i * n + k] / m[k * n + k];
            (k..n).for_each(|j| m[i * n + j] -= factor * m[k * n + j]);
        }
    }
    product
}

fn scale_rows(matrix: &mut [f64], rhs: &mut [f64]) {
    let n = rhs.len();
    for (row, r) in matrix.chunks_mut(n.max(1)).zip(rhs) {
        let largest = row.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        if largest > 0.0 && largest.is_finite() {
            row.iter_mut().for_each(|x| *x /= largest);
            *r /= largest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_badly_scaled_systems() {
        let mut m = [1e-20, 1.0, 0.0, 1e10, 1e10, 2e10, 0.0, 1.0, 1.0];
        let x = [1.0, -2.0, 3.0];
        let mut b: Vec<f64> = m
            .chunks(3)
            .map(|r| r.iter().zip(&x).map(|(a, x)| a * x).sum())
            .collect();
        solve(&mut m, &mut b).unwrap();
        for (found, exact) in b.iter().zip(&x) {
            assert!((found - exact).abs() < 1e-12);
        }
    }

    #[test]
    fn determinants_have_signs() {
        assert_eq!(determinant(&[0.0, 1.0, 1.0, 0.0], 2), -1.0);
        assert!(
            (determinant(&[2.0, 1.0, 0.0, 1.0, 3.0, 1.0, 0.0, 1.0, 2.0], 3) - 8.0).abs() < 1e-12
        );
        assert_eq!(determinant(&[1.0, 2.0, 2.0, 4.0], 2), 0.0);
    }

    #[test]
    fn refuses_singular_ones() {
        let mut m = [1.0, 2.0, 2.0, 4.0];
        assert_eq!(
            solve(&mut m, &mut [1.0, 1.0]),
            Err(SingularMatrix { pivot: 1 })
        );
        assert!(solve(&mut [f64::NAN], &mut [1.0]).is_err());
    }
}
