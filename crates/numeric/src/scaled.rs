//! Small dense systems, by elimination with row scaling and partial pivoting.

use crate::error::SingularMatrix;
use crate::tolerance::VANISHING_PIVOT;

/// Solves `matrix · x = rhs` for a row-major n×n matrix; both are overwritten, `rhs` by x.
///
/// ```
/// let (mut matrix, mut x) = ([0.0, 2.0, 4.0, 1.0], [2.0, 9.0]);
/// rattleback_numeric::solve_scaled(&mut matrix, &mut x)?;
/// assert_eq!(x, [2.0, 1.0]);
/// # Ok::<(), rattleback_numeric::SingularMatrix>(())
/// ```
pub fn solve_scaled(matrix: &mut [f64], rhs: &mut [f64]) -> Result<(), SingularMatrix> {
    scale_rows(matrix, rhs);
    let n = rhs.len();
    // Units of the unknowns scale columns, which changes no pivot, only its size.
    let columns: Vec<f64> = (0..n)
        .map(|k| (0..n).fold(0.0, |m: f64, i| m.max(matrix[i * n + k].abs())))
        .collect();
    for k in 0..n {
        let (mut pivot, mut largest) = (k, matrix[k * n + k].abs());
        for i in k + 1..n {
            let size = matrix[i * n + k].abs();
            // The last of equals: all who solve must find the same bits.
            if size >= largest || size.is_nan() {
                (pivot, largest) = (i, size);
            }
        }
        if largest.is_nan() || largest <= VANISHING_PIVOT * columns[k] {
            return Err(SingularMatrix { pivot: k });
        }
        if pivot != k {
            let (upper, lower) = matrix.split_at_mut(pivot * n);
            upper[k * n..(k + 1) * n].swap_with_slice(&mut lower[..n]);
            rhs.swap(k, pivot);
        }
        let (upper, lower) = matrix.split_at_mut((k + 1) * n);
        let row = &upper[k * n..];
        for (i, other) in lower.chunks_exact_mut(n).enumerate() {
            let factor = other[k] / row[k];
            if factor != 0.0 {
                let pairs = other[k + 1..].iter_mut().zip(&row[k + 1..]);
                pairs.for_each(|(x, p)| *x -= factor * p);
                rhs[k + 1 + i] -= factor * rhs[k];
            }
        }
    }
    for k in (0..n).rev() {
        let row = &matrix[k * n..(k + 1) * n];
        let tail: f64 = row[k + 1..]
            .iter()
            .zip(&rhs[k + 1..])
            .map(|(a, x)| a * x)
            .sum();
        rhs[k] = (rhs[k] - tail) / row[k];
    }
    Ok(())
}

fn scale_rows(matrix: &mut [f64], rhs: &mut [f64]) {
    let n = rhs.len();
    for (row, r) in matrix.chunks_exact_mut(n.max(1)).zip(rhs) {
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
        solve_scaled(&mut m, &mut b).unwrap();
        for (found, exact) in b.iter().zip(&x) {
            assert!((found - exact).abs() < 1e-12);
        }
    }

    #[test]
    fn heavy_masses_make_nothing_singular() {
        // A mass on a line with the force that holds it there.
        for mass in [1.0, 1e20, 1e50] {
            let (s, c) = (0.6, 0.8);
            let mut m = [mass, 0.0, -s, 0.0, mass, c, s, -c, 0.0];
            let mut x = [mass * 3.0, 0.0, 0.0];
            solve_scaled(&mut m, &mut x).unwrap();
            let expected = [3.0 * c * c, 3.0 * c * s, -3.0 * mass * s];
            for (found, exact) in x.iter().zip(expected) {
                assert!((found - exact).abs() < 1e-12 * exact.abs(), "{mass}: {x:?}");
            }
        }
    }

    #[test]
    fn refuses_singular_ones() {
        let mut m = [1.0, 2.0, 2.0, 4.0];
        assert_eq!(
            solve_scaled(&mut m, &mut [1.0, 1.0]),
            Err(SingularMatrix { pivot: 1 })
        );
        assert!(solve_scaled(&mut [f64::NAN], &mut [1.0]).is_err());
    }
}
