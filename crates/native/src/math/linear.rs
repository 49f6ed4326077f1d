//! Linear systems per lane, by elimination with row scaling and partial pivoting.

/// Solves one system per lane; lanes are innermost in `system` (matrix by rows, right-hand side) and
/// `solution`; `work` holds one system. Returns the mask of singular lanes.
pub(crate) fn solve_lanes(
    system: &[f64],
    work: &mut [f64],
    solution: &mut [f64],
    lanes: usize,
) -> u64 {
    let size = solution.len() / lanes;
    let mut failed = 0;
    for lane in 0..lanes {
        for (w, x) in work.iter_mut().zip(system[lane..].iter().step_by(lanes)) {
            *w = *x;
        }
        let (matrix, rhs) = work.split_at_mut(size * size);
        if !solve(matrix, rhs) {
            failed |= 1 << lane;
        }
        for (y, x) in solution[lane..].iter_mut().step_by(lanes).zip(&*rhs) {
            *y = *x;
        }
    }
    failed
}

/// Solves `matrix · x = rhs`, both overwritten; false if the matrix is singular to working precision.
pub(crate) fn solve(matrix: &mut [f64], rhs: &mut [f64]) -> bool {
    let n = rhs.len();
    scale_rows(matrix, rhs);
    for k in 0..n {
        let (mut pivot, mut largest) = (k, matrix[k * n + k].abs());
        for i in k + 1..n {
            let size = matrix[i * n + k].abs();
            // The last of equals, as the interpreter does, for the same bits.
            if size >= largest || size.is_nan() {
                (pivot, largest) = (i, size);
            }
        }
        // Rows have been scaled to unit size, so the threshold is relative.
        if largest.is_nan() || largest <= 1e-14 {
            return false;
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
    true
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
    fn each_lane_has_its_own_pivots_and_failures() {
        // Lane 0: [[0, 1], [1, 0]] x = (2, 3); lane 1: a singular matrix.
        let system = [0.0, 1.0, 1.0, 2.0, 1.0, 2.0, 0.0, 4.0, 2.0, 1.0, 3.0, 1.0];
        let mut x = [0.0; 4];
        assert_eq!(solve_lanes(&system, &mut [0.0; 6], &mut x, 2), 0b10);
        assert_eq!((x[0], x[2]), (3.0, 2.0));
    }

    #[test]
    fn a_matrix_with_nan_fails() {
        assert_eq!(
            solve_lanes(&[f64::NAN, 1.0], &mut [0.0; 2], &mut [0.0], 1),
            1
        );
    }
}
