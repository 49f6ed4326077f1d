//! Which variables of a front its conditions determine.

/// The part of the largest entry that is as good as it: of several the first variable is taken, and states come first.
const AS_GOOD: f64 = 0.5;
/// A condition of which less is left depends on others, or waits for other variables.
const DEPENDENT: f64 = 1e-6;

/// Pairs of a condition and a variable, by elimination with complete pivots in a matrix by rows, measured by the largest
/// entries of rows and columns.
pub(super) fn pairs(mut matrix: Vec<f64>, columns: usize) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    if columns == 0 {
        return found;
    }
    for row in matrix.chunks_exact_mut(columns) {
        scale(row.iter_mut());
    }
    for j in 0..columns {
        scale(matrix.iter_mut().skip(j).step_by(columns));
    }
    let rows = matrix.len() / columns;
    let mut free = [vec![true; rows], vec![true; columns]];
    while let Some((i, j)) = next(&matrix, columns, &free) {
        (free[0][i], free[1][j]) = (false, false);
        let pivot = matrix[i * columns..(i + 1) * columns].to_vec();
        let others = matrix.chunks_exact_mut(columns).zip(&free[0]);
        for (row, _) in others.filter(|(_, is_free)| **is_free) {
            let factor = row[j] / pivot[j];
            if factor != 0.0 {
                row.iter_mut()
                    .zip(&pivot)
                    .for_each(|(x, p)| *x -= factor * p);
            }
        }
        found.push((i, j));
    }
    found
}

/// Divides by the largest magnitude.
fn scale<'v>(values: impl Iterator<Item = &'v mut f64>) {
    let values: Vec<&mut f64> = values.collect();
    let largest = values.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if largest > 0.0 {
        values.into_iter().for_each(|x| *x /= largest);
    }
}

/// The first variable with an entry that is nearly the largest, and where it is largest.
fn next(matrix: &[f64], columns: usize, [rows, free]: &[Vec<bool>; 2]) -> Option<(usize, usize)> {
    let of_column = |j: usize| {
        let entries = matrix.iter().skip(j).step_by(columns).zip(rows).enumerate();
        let entries = entries.filter(|(_, (_, is_free))| **is_free);
        entries.fold((0.0, 0), |best: (f64, usize), (i, (x, _))| {
            match x.abs() > best.0 {
                true => (x.abs(), i),
                false => best,
            }
        })
    };
    let all = (0..columns).filter(|&j| free[j]);
    let all: Vec<(usize, (f64, usize))> = all.map(|j| (j, of_column(j))).collect();
    let largest = all.iter().fold(0.0, |m: f64, (_, best)| m.max(best.0));
    let enough = (AS_GOOD * largest).max(DEPENDENT);
    let first = all.into_iter().find(|(_, best)| best.0 >= enough);
    first.map(|(j, (_, i))| (i, j))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x₁ = x₀ + h u with two states behind and a control: each condition has its state.
    #[test]
    fn states_come_before_controls() {
        let rows = vec![1.0, 0.01, 0.5, 0.02, 1.0, 0.5];
        let mut found = pairs(rows, 3);
        found.sort_unstable();
        assert_eq!(found, [(0, 0), (1, 1)]);
    }

    #[test]
    fn conditions_that_repeat_others_wait() {
        assert_eq!(pairs(vec![1.0, 2.0, 2.0, 4.0], 2).len(), 1);
        assert_eq!(pairs(vec![0.0, 0.0], 2), []);
        assert_eq!(pairs(Vec::new(), 0), []);
    }
}
