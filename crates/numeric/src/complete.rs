//! What elimination tells about the rank of a matrix.

use crate::tolerance::DEPENDENT_ROW;

/// Eliminates a row-major matrix with complete pivoting, overwriting it, and writes the magnitudes
/// of the pivots; those after a vanishing one are 0. There are as many as the smaller side.
///
/// ```
/// let mut pivots = [0.0; 2];
/// rattleback_numeric::complete_pivots(&mut [1.0, 2.0, 2.0, 4.0], 2, &mut pivots);
/// assert_eq!(pivots, [4.0, 0.0]);
/// ```
pub fn complete_pivots(a: &mut [f64], columns: usize, pivots: &mut [f64]) {
    pivots.fill(0.0);
    let rows = a.len().checked_div(columns).unwrap_or(0);
    for k in 0..rows.min(columns) {
        let places = (k..rows).flat_map(|i| (k..columns).map(move |j| (i, j)));
        let size = |&(i, j): &(usize, usize)| a[i * columns + j].abs();
        let Some((row, column)) = places.max_by(|x, y| size(x).total_cmp(&size(y))) else {
            return;
        };
        (0..columns).for_each(|j| a.swap(k * columns + j, row * columns + j));
        (0..rows).for_each(|i| a.swap(i * columns + k, i * columns + column));
        let pivot = a[k * columns + k];
        pivots[k] = pivot.abs();
        if pivot == 0.0 {
            return;
        }
        for i in k + 1..rows {
            let factor = a[i * columns + k] / pivot;
            for j in k..columns {
                a[i * columns + j] -= factor * a[k * columns + j];
            }
        }
    }
}

/// The number of pivots that are more than this part of the largest.
pub fn rank(pivots: &[f64], least: f64) -> usize {
    let largest = pivots.iter().fold(0.0, |m: f64, p| m.max(*p));
    pivots.iter().filter(|p| **p > least * largest).count()
}

/// Finds a maximal set of independent rows of a row-major matrix, which is overwritten: a row stays
/// if elimination by those before it leaves more than [`DEPENDENT_ROW`] of its size.
///
/// ```
/// let mut kept = Vec::new();
/// let mut rows = [1.0, 2.0, 2.0, 4.0, 0.0, 1.0];
/// rattleback_numeric::independent_rows(&mut rows, 2, &mut kept);
/// assert_eq!(kept, [0, 2]);
/// ```
pub fn independent_rows(a: &mut [f64], columns: usize, kept: &mut Vec<usize>) {
    kept.clear();
    let rows = a.len().checked_div(columns).unwrap_or(0);
    for s in 0..rows {
        let (done, rest) = a.split_at_mut(s * columns);
        let row = &mut rest[..columns];
        let size = row.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        for &before in kept.iter() {
            let by = &done[before * columns..(before + 1) * columns];
            let Some(pivot) = largest_place(by) else {
                continue;
            };
            let factor = row[pivot] / by[pivot];
            row.iter_mut().zip(by).for_each(|(x, b)| *x -= factor * b);
        }
        let left = largest_place(row).map_or(0.0, |p| row[p].abs());
        if left > DEPENDENT_ROW * size {
            kept.push(s);
        }
    }
}

/// The place of the largest entry, the last of equals.
fn largest_place(row: &[f64]) -> Option<usize> {
    (0..row.len()).max_by(|&i, &j| row[i].abs().total_cmp(&row[j].abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pivots_tell_the_rank() {
        let smallest = |mut a: Vec<f64>, n: usize| {
            let mut pivots = vec![0.0; n];
            complete_pivots(&mut a, n, &mut pivots);
            pivots.into_iter().fold(f64::INFINITY, f64::min)
        };
        assert_eq!(smallest(vec![2.0, 0.0, 0.0, 3.0], 2), 2.0);
        assert_eq!(smallest(vec![1.0, 2.0, 2.0, 4.0], 2), 0.0);
        assert_eq!(smallest(vec![0.0, 1.0, 1.0, 0.0], 2), 1.0);
        assert_eq!(smallest(vec![], 0), f64::INFINITY);
    }

    #[test]
    fn ranks_of_rectangles() {
        let mut a = [1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 1.0, 0.0, 1.0, 0.0, 2.0, 2.0];
        let mut pivots = [0.0; 3];
        complete_pivots(&mut a, 3, &mut pivots);
        assert_eq!(rank(&pivots, 1e-12), 2);
        assert_eq!(rank(&[], 1e-12), 0);
    }
}
