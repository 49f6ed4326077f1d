//! The simplex method over rational numbers: is a vector a combination of others with weights that are
//! not negative?

use crate::Rational;

/// Pivots after which the search is given up.
const MAX_PIVOTS: usize = 300;

/// A tableau of A x = b, x >= 0 with b >= 0; the last row holds the reduced costs of what is maximised.
struct Tableau {
    rows: Vec<Vec<Rational>>,
    basis: Vec<usize>,
    pivots: usize,
}

enum End {
    Optimal,
    Unbounded,
    GivenUp,
}

/// Weights w >= 0 with Σ w_j column_j = target, as much of them as possible on the columns that `count`;
/// nothing where there are none or where the search is given up. With columns that count without bound, the
/// weights are those of some solution.
pub(super) fn conic_combination(
    columns: &[Vec<Rational>],
    target: &[Rational],
    counts: &[bool],
) -> Option<Vec<Rational>> {
    let (m, n) = (target.len(), columns.len());
    // x of the columns, then one artificial variable per row, then the right-hand side.
    let mut rows: Vec<Vec<Rational>> = Vec::with_capacity(m + 1);
    for i in 0..m {
        let flip = target[i].is_negative();
        let entry = |x: &Rational| if flip { -x.clone() } else { x.clone() };
        let mut row: Vec<Rational> = columns.iter().map(|c| entry(&c[i])).collect();
        row.extend((0..m).map(|k| Rational::from(i64::from(k == i))));
        row.push(entry(&target[i]));
        rows.push(row);
    }
    // Maximise minus the sum of the artificial variables: its reduced costs are the column sums.
    let cost: Vec<Rational> = (0..n + m + 1)
        .map(|j| match (n..n + m).contains(&j) {
            true => Rational::ZERO,
            false => rows.iter().fold(Rational::ZERO, |s, r| &s + &r[j]),
        })
        .collect();
    rows.push(cost);
    let mut tableau = Tableau {
        rows,
        basis: (n..n + m).collect(),
        pivots: 0,
    };
    if !matches!(tableau.maximise(n), End::Optimal) || !tableau.rows[m][n + m].is_zero() {
        return None;
    }
    tableau.expel_artificial(n);
    tableau.objective(n, counts);
    // What was found is a solution, whether or not it is the best one.
    tableau.maximise(n);
    let mut weights = vec![Rational::ZERO; n];
    for (i, &j) in tableau.basis.iter().enumerate() {
        if j < n {
            weights[j] = tableau.rows[i][n + m].clone();
        }
    }
    Some(weights)
}

impl Tableau {
    fn constraints(&self) -> usize {
        self.rows.len() - 1
    }

    /// Bland's rule among the first `n` columns: it cannot cycle.
    fn maximise(&mut self, n: usize) -> End {
        let m = self.constraints();
        loop {
            let Some(enter) = (0..n).find(|&j| self.rows[m][j].is_positive()) else {
                return End::Optimal;
            };
            let leave = (0..m)
                .filter(|&i| self.rows[i][enter].is_positive())
                .min_by(|&a, &b| {
                    let ratio = |i: usize| self.last(i) / &self.rows[i][enter];
                    (ratio(a), self.basis[a]).cmp(&(ratio(b), self.basis[b]))
                });
            let Some(leave) = leave else {
                return End::Unbounded;
            };
            self.pivots += 1;
            if self.pivots > MAX_PIVOTS {
                return End::GivenUp;
            }
            self.pivot(leave, enter);
        }
    }

    fn last(&self, i: usize) -> &Rational {
        &self.rows[i][self.rows[i].len() - 1]
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let scale = self.rows[row][column].clone();
        for x in &mut self.rows[row] {
            *x = &*x / &scale;
        }
        let pivot = self.rows[row].clone();
        for (i, other) in self.rows.iter_mut().enumerate() {
            let factor = other[column].clone();
            if i == row || factor.is_zero() {
                continue;
            }
            for (x, p) in other.iter_mut().zip(&pivot) {
                if !p.is_zero() {
                    *x = &*x - &(&factor * p);
                }
            }
        }
        self.basis[row] = column;
    }

    /// Artificial variables leave the basis; rows that have nothing else are redundant and stay zero.
    fn expel_artificial(&mut self, n: usize) {
        for i in 0..self.constraints() {
            if self.basis[i] >= n
                && let Some(j) = (0..n).find(|&j| !self.rows[i][j].is_zero())
            {
                self.pivot(i, j);
            }
        }
    }

    /// The reduced costs of the sum of the variables that count.
    fn objective(&mut self, n: usize, counts: &[bool]) {
        let m = self.constraints();
        let width = self.rows[m].len();
        let cost = |j: usize| Rational::from(i64::from(j < n && counts[j]));
        self.rows[m] = (0..width)
            .map(|j| {
                let held = (0..m).filter(|&i| self.basis[i] < n && counts[self.basis[i]]);
                let sum = held.fold(Rational::ZERO, |s, i| &s + &self.rows[i][j]);
                if j + 1 == width { -sum } else { cost(j) - sum }
            })
            .collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(entries: &[i64]) -> Vec<Rational> {
        entries.iter().map(|&x| Rational::from(x)).collect()
    }

    #[test]
    fn a_cone_holds_what_it_holds() {
        let columns = [vector(&[1, 0, 1]), vector(&[0, 1, 1]), vector(&[-1, 1, 0])];
        let inside = conic_combination(&columns, &vector(&[1, 2, 3]), &[true; 3]).unwrap();
        let sum = |i: usize| {
            let terms = columns.iter().zip(&inside);
            terms.fold(Rational::ZERO, |s, (c, w)| &s + &(&c[i] * w))
        };
        assert_eq!((0..3).map(sum).collect::<Vec<_>>(), vector(&[1, 2, 3]));
        assert!(inside.iter().all(|w| !w.is_negative()));
        assert!(conic_combination(&columns, &vector(&[1, -1, 0]), &[true; 3]).is_none());
    }

    #[test]
    fn what_counts_is_preferred() {
        // Two ways to write the same vector.
        let columns = [vector(&[1, 1]), vector(&[1, 0]), vector(&[0, 1])];
        let first = conic_combination(&columns, &vector(&[2, 2]), &[true, false, false]).unwrap();
        assert_eq!(first, vector(&[2, 0, 0]));
        let second = conic_combination(&columns, &vector(&[2, 2]), &[false, true, true]).unwrap();
        assert_eq!(second, vector(&[0, 2, 2]));
    }
}
