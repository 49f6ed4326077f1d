//! Linear systems per lane.

use rattleback_numeric::solve_scaled;

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
        if solve_scaled(matrix, rhs).is_err() {
            failed |= 1 << lane;
        }
        for (y, x) in solution[lane..].iter_mut().step_by(lanes).zip(&*rhs) {
            *y = *x;
        }
    }
    failed
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
