//! Least squares of least norm by Householder reflections with column pivoting: for systems that may lack rank.

/// What came out of a least-squares solve.
#[derive(Clone, Debug, PartialEq)]
pub struct LeastSquares {
    /// The x of least length among those that make |A x − b| least.
    pub solution: Vec<f64>,
    /// The numerical rank of A.
    pub rank: usize,
    /// |A x − b| in the Euclidean norm.
    pub residual: f64,
}

/// Solves A x ≈ b for a matrix by rows. Columns whose part outside the span of the ones before is below `tolerance`
/// times the largest do not count.
///
/// ```
/// use rattleback_numeric::least_squares;
/// // x + y = 2 twice: the shortest solution.
/// let found = least_squares(&[1.0, 1.0, 1.0, 1.0], 2, &[2.0, 2.0], 1e-12);
/// assert_eq!(found.rank, 1);
/// assert!((found.solution[0] - 1.0).abs() < 1e-14 && found.residual < 1e-14);
/// ```
pub fn least_squares(matrix: &[f64], columns: usize, b: &[f64], tolerance: f64) -> LeastSquares {
    let rows = b.len();
    let mut a = matrix.to_vec();
    let mut right = b.to_vec();
    let mut order: Vec<usize> = (0..columns).collect();
    let steps = rows.min(columns);
    let mut rank = steps;
    let mut largest = 0.0_f64;
    for k in 0..steps {
        let mut sizes = vec![0.0; columns - k];
        for row in a.chunks(columns).skip(k) {
            let entries = sizes.iter_mut().zip(&row[k..]);
            entries.for_each(|(size, x)| *size += x * x);
        }
        let sizes = sizes.iter().enumerate();
        let Some((pivot, size)) = sizes.max_by(|a, b| a.1.total_cmp(b.1)) else {
            break;
        };
        let (pivot, length) = (k + pivot, size.sqrt());
        largest = largest.max(length);
        if length <= tolerance * largest || length == 0.0 {
            rank = k;
            break;
        }
        order.swap(k, pivot);
        for i in 0..rows {
            a.swap(i * columns + k, i * columns + pivot);
        }
        // With its largest row first a reflection leaves alone what does not depend on this column, and rows of any weight
        // keep their digits (Powell and Reid).
        let entry = |i: &usize| a[i * columns + k].abs();
        let first = (k..rows).max_by(|i, j| entry(i).total_cmp(&entry(j)));
        if let Some(first) = first.filter(|first| *first > k) {
            right.swap(k, first);
            let (above, below) = a.split_at_mut(first * columns);
            above[k * columns..(k + 1) * columns].swap_with_slice(&mut below[..columns]);
        }
        let mut v: Vec<f64> = (k..rows).map(|i| a[i * columns + k]).collect();
        v[0] += length.copysign(v[0]);
        reflect(&mut a, columns, k, k..columns, &v);
        reflect(&mut right, 1, k, 0..1, &v);
    }
    let residual = right[rank..].iter().map(|r| r * r).sum::<f64>().sqrt();
    let y = least_norm(&a, columns, rank, &right[..rank]);
    let mut solution = vec![0.0; columns];
    for (place, value) in order.iter().zip(&y) {
        solution[*place] = *value;
    }
    LeastSquares {
        solution,
        rank,
        residual,
    }
}

/// (1 − 2 v vᵀ/|v|²) on the rows from `from` of some columns.
fn reflect(a: &mut [f64], columns: usize, from: usize, of: std::ops::Range<usize>, v: &[f64]) {
    let length = v.iter().map(|x| x * x).sum::<f64>();
    if length == 0.0 {
        return;
    }
    // Row by row, as the matrix lies in memory.
    let mut along = vec![0.0; of.len()];
    let row = |i: usize| (from + i) * columns + of.start..(from + i) * columns + of.end;
    for (i, x) in v.iter().enumerate() {
        let entries = along.iter_mut().zip(&a[row(i)]);
        entries.for_each(|(sum, a)| *sum += x * a);
    }
    for (i, x) in v.iter().enumerate() {
        let factor = 2.0 * x / length;
        let entries = a[row(i)].iter_mut().zip(&along);
        entries.for_each(|(a, along)| *a -= factor * along);
    }
}

/// The shortest y with R y = c, R the first `rank` rows of a trapezoid: by orthogonalising its rows from the last.
fn least_norm(a: &[f64], columns: usize, rank: usize, c: &[f64]) -> Vec<f64> {
    let row = |i: usize| &a[i * columns..(i + 1) * columns];
    if rank == columns {
        let mut y = c.to_vec();
        for i in (0..rank).rev() {
            let known: f64 = (i + 1..columns).map(|j| row(i)[j] * y[j]).sum();
            y[i] = (c[i] - known) / row(i)[i];
        }
        return y;
    }
    // R = L Qᵀ with orthonormal columns of Q, made by Gram-Schmidt twice.
    let mut q: Vec<Vec<f64>> = Vec::with_capacity(rank);
    let mut y = vec![0.0; columns];
    let mut weights: Vec<f64> = Vec::with_capacity(rank);
    for i in (0..rank).rev() {
        let mut direction: Vec<f64> = (0..columns)
            .map(|j| if j < i { 0.0 } else { row(i)[j] })
            .collect();
        let mut rest = c[i];
        for _ in 0..2 {
            for (basis, weight) in q.iter().zip(&weights) {
                let along: f64 = basis.iter().zip(&direction).map(|(x, d)| x * d).sum();
                direction
                    .iter_mut()
                    .zip(basis)
                    .for_each(|(d, x)| *d -= along * x);
                rest -= along * weight;
            }
        }
        let length = direction.iter().map(|d| d * d).sum::<f64>().sqrt();
        if length == 0.0 {
            continue;
        }
        direction.iter_mut().for_each(|d| *d /= length);
        let weight = rest / length;
        y.iter_mut()
            .zip(&direction)
            .for_each(|(y, d)| *y += weight * d);
        weights.push(weight);
        q.push(direction);
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_systems_are_solved() {
        let a = [4.0, 1.0, -2.0, 3.0, 0.5, 1.0, 1.0, -7.0, 2.0];
        let x = [1.5, -2.0, 0.25];
        let b: Vec<f64> = a
            .chunks(3)
            .map(|r| r.iter().zip(&x).map(|(r, x)| r * x).sum())
            .collect();
        let found = least_squares(&a, 3, &b, 1e-13);
        assert_eq!(found.rank, 3);
        for (found, x) in found.solution.iter().zip(x) {
            assert!((found - x).abs() < 1e-13);
        }
    }

    #[test]
    fn wide_and_deficient_systems_have_the_shortest_solution() {
        // Rows (1, 2, 2) and twice that; b is consistent: x = b (1, 2, 2)/9.
        let found = least_squares(&[1.0, 2.0, 2.0, 2.0, 4.0, 4.0], 3, &[9.0, 18.0], 1e-12);
        assert_eq!(found.rank, 1);
        assert!(found.residual < 1e-13);
        for (found, x) in found.solution.iter().zip([1.0, 2.0, 2.0]) {
            assert!((found - x).abs() < 1e-13, "{found} {x}");
        }
    }

    #[test]
    fn tall_systems_are_fitted() {
        // The mean of 1, 2, 6.
        let found = least_squares(&[1.0, 1.0, 1.0], 1, &[1.0, 2.0, 6.0], 1e-12);
        assert!((found.solution[0] - 3.0).abs() < 1e-14);
        assert!((found.residual - 14.0_f64.sqrt()).abs() < 1e-13);
    }
}
