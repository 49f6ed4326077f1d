//! Where the mass matrix loses its rank: the smallest pivot of what determines the accelerations.

use rattleback_compile::Motion;
use rattleback_compile::program::Interpreter;

/// A pivot that has shrunk to this part of what it was at the start counts as lost.
const LOST: f64 = 1e-4;

/// Says that the mass matrix (with the constraints) has lost its rank, compared with the start.
pub(super) fn lost(motion: &Motion, start: (f64, &[f64]), end: (f64, &[f64])) -> Option<String> {
    let (program, size) = motion.inertia().ok()??;
    let interpreter = Interpreter::new(program);
    let pivot = |(t, x): (f64, &[f64])| {
        let inputs: Vec<f64> = std::iter::once(t).chain(x.iter().copied()).collect();
        let matrix = interpreter.values(&inputs).ok()?;
        Some(smallest_pivot(matrix, size))
    };
    let (before, now) = (pivot(start)?, pivot(end)?);
    let what = if motion.is_constrained() {
        "the mass matrix, restricted by the constraints,"
    } else {
        "the mass matrix"
    };
    (now <= LOST * before)
        .then(|| format!("{what} loses its rank there: its smallest pivot is {now:.1e}, at the start {before:.1e}"))
}

/// The smallest pivot of elimination with complete pivoting.
fn smallest_pivot(mut a: Vec<f64>, n: usize) -> f64 {
    let mut smallest = f64::INFINITY;
    for k in 0..n {
        let places = (k..n).flat_map(|i| (k..n).map(move |j| (i, j)));
        let size = |&(i, j): &(usize, usize)| a[i * n + j].abs();
        let Some((row, column)) = places.max_by(|x, y| size(x).total_cmp(&size(y))) else {
            break;
        };
        for j in 0..n {
            a.swap(k * n + j, row * n + j);
        }
        for i in 0..n {
            a.swap(i * n + k, i * n + column);
        }
        let pivot = a[k * n + k];
        smallest = smallest.min(pivot.abs());
        if pivot == 0.0 {
            break;
        }
        for i in k + 1..n {
            let factor = a[i * n + k] / pivot;
            for j in k..n {
                a[i * n + j] -= factor * a[k * n + j];
            }
        }
    }
    smallest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pivots_tell_the_rank() {
        assert_eq!(smallest_pivot(vec![2.0, 0.0, 0.0, 3.0], 2), 2.0);
        assert_eq!(smallest_pivot(vec![1.0, 2.0, 2.0, 4.0], 2), 0.0);
        assert_eq!(smallest_pivot(vec![0.0, 1.0, 1.0, 0.0], 2), 1.0);
        assert_eq!(smallest_pivot(vec![], 0), f64::INFINITY);
    }
}
