//! Velocities of least kinetic energy that satisfy constraints: ½ W y y least with A y = −r.

use rattleback_numeric::{independent_rows, solve_scaled};

/// The entries of [[W, Aᵀ], [A, 0]], whose system for (y, ν) with the right side (0, −r) has the solution: n entries of y,
/// W by `weight`, A by `row`.
pub(crate) fn bordered<T: Clone>(
    n: usize,
    zero: T,
    weight: impl Fn(usize, usize) -> T,
    row: impl Fn(usize, usize) -> T,
) -> impl Fn(usize, usize) -> T {
    move |i, j| match (i < n, j < n) {
        (true, true) => weight(i, j),
        (true, false) => row(j - n, i),
        (false, true) => row(i - n, j),
        (false, false) => zero.clone(),
    }
}

/// The x of least ½ xᵀ W x with A x = −r, rows of A that add nothing left out; `None` if W is
/// degenerate there.
pub(super) fn least_energy(
    a: &[Vec<f64>],
    r: &[f64],
    weight: impl Fn(usize, usize) -> f64,
) -> Option<Vec<f64>> {
    let n = a.first()?.len();
    let mut kept = Vec::new();
    independent_rows(&mut a.concat(), n, &mut kept);
    let rows: Vec<&Vec<f64>> = kept.iter().map(|&s| &a[s]).collect();
    let rhs: Vec<f64> = kept.iter().map(|&s| r[s]).collect();
    let size = n + rows.len();
    let entry = bordered(n, 0.0, weight, |k, j| rows[k][j]);
    let mut matrix: Vec<f64> = (0..size * size)
        .map(|k| entry(k / size, k % size))
        .collect();
    let mut x = vec![0.0; size];
    x[n..].iter_mut().zip(&rhs).for_each(|(x, r)| *x = -r);
    solve_scaled(&mut matrix, &mut x).ok()?;
    x.truncate(n);
    Some(x)
}
