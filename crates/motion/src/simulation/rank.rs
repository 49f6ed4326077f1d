//! Where the mass matrix loses its rank: the smallest pivot of what determines the accelerations.

use rattleback_compile::Motion;
use rattleback_compile::program::Interpreter;
use rattleback_numeric::complete_pivots;

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
fn smallest_pivot(mut matrix: Vec<f64>, n: usize) -> f64 {
    let mut pivots = vec![0.0; n];
    complete_pivots(&mut matrix, n, &mut pivots);
    pivots.into_iter().fold(f64::INFINITY, f64::min)
}
