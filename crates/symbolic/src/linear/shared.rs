//! Solutions of large systems as shared expression graphs: nothing is multiplied out, so nothing swells.

use super::square::check_system;
use super::{LinearError, Solved, check_nonzero};
use crate::{Expr, Matrix, fingerprint, work};

/// Solves `m·x = right` by elimination on shared graphs. The size of the answer grows with the number of
/// eliminations (n³), not with what they would be written out; it is not simplified.
///
/// ```
/// use rattleback_symbolic::{Expr, Matrix, Symbol, prove_all_zero, solve_shared};
/// let entry = |i: usize, j: usize| Expr::from(Symbol::constant(&format!("a{}{}", i.min(j), i.max(j))));
/// let m = Matrix::new(6, 6, entry);
/// let right = Matrix::column_vector(&vec![Expr::one(); 6]);
/// let x = solve_shared(&m, &right).unwrap().solution;
/// assert!(prove_all_zero((&(&m * &x) - &right).entries()).is_proven());
/// ```
pub fn solve_shared(m: &Matrix, right: &Matrix) -> Result<Solved, LinearError> {
    check_system(m, right)?;
    let n = m.rows();
    let rows = (0..n).map(|i| [m.row(i), right.row(i)].concat());
    let mut elimination = Elimination {
        rows: rows.collect(),
        certain: m.entries().iter().map(Expr::is_nonvanishing).collect(),
        size: n,
        columns: Vec::with_capacity(n),
        conditions: Vec::new(),
    };
    for k in 0..n {
        elimination.step(k)?;
    }
    Ok(elimination.substitute_back(right.cols()))
}

/// Rows 0..k are in echelon form, row i with a one in column `columns[i]`.
struct Elimination {
    rows: Vec<Vec<Expr>>,
    /// Entries (row by row) that have not changed yet and never vanish.
    certain: Vec<bool>,
    size: usize,
    columns: Vec<usize>,
    conditions: Vec<Expr>,
}

impl Elimination {
    fn step(&mut self, k: usize) -> Result<(), LinearError> {
        if work::cancelled() {
            return Err(LinearError::TooLarge);
        }
        let (i, j) = self.pivot(k)?;
        self.rows.swap(k, i);
        for c in 0..self.size {
            self.certain.swap(k * self.size + c, i * self.size + c);
        }
        let pivot = self.rows[k][j].clone();
        if !pivot.is_nonvanishing() {
            check_nonzero(&pivot)?;
            self.conditions.push(pivot.clone());
        }
        let inverse = pivot.recip();
        for x in &mut self.rows[k] {
            *x *= inverse.clone();
        }
        self.rows[k][j] = Expr::one();
        let (done, below) = self.rows.split_at_mut(k + 1);
        for (i, row) in below.iter_mut().enumerate() {
            let factor = std::mem::replace(&mut row[j], Expr::zero());
            if factor.is_zero() {
                continue;
            }
            for (c, p) in done[k].iter().enumerate() {
                if c != j && !p.is_zero() {
                    row[c] -= &factor * p;
                    if c < self.size {
                        self.certain[(k + 1 + i) * self.size + c] = false;
                    }
                }
            }
        }
        self.columns.push(j);
        Ok(())
    }

    /// The best entry below row k: a number, then what never vanishes, then one with few neighbours.
    fn pivot(&self, k: usize) -> Result<(usize, usize), LinearError> {
        let mut open: Vec<(usize, usize)> = (k..self.size)
            .flat_map(|i| (0..self.size).map(move |j| (i, j)))
            .filter(|&(i, j)| !self.rows[i][j].is_zero())
            .collect();
        let count = |all: &mut dyn Iterator<Item = &Expr>| all.filter(|e| !e.is_zero()).count();
        let across: Vec<usize> = self.rows.iter().map(|r| count(&mut r.iter())).collect();
        let down: Vec<usize> = (0..self.size)
            .map(|j| count(&mut self.rows[k..].iter().map(|r| &r[j])))
            .collect();
        let kind = |i: usize, j: usize| match self.rows[i][j].as_number() {
            Some(_) => 0,
            None if self.certain[i * self.size + j] => 1,
            None => 2,
        };
        open.sort_by_cached_key(|&(i, j)| (kind(i, j), across[i] * down[j]));
        for (i, j) in open {
            let value = fingerprint(std::slice::from_ref(&self.rows[i][j]));
            if value.ok_or(LinearError::Undefined)?[0] != 0 {
                return Ok((i, j));
            }
        }
        Err(LinearError::Singular {
            rank: k,
            size: self.size,
        })
    }

    fn substitute_back(self, width: usize) -> Solved {
        let mut solution = Matrix::zeros(self.size, width);
        for (row, &j) in self.rows.iter().zip(&self.columns).rev() {
            for c in 0..width {
                let known = (0..self.size)
                    .filter(|&i| i != j && !row[i].is_zero())
                    .map(|i| &row[i] * &solution[(i, c)]);
                let known = Expr::sum(known);
                solution[(j, c)] = &row[self.size + c] - known;
            }
        }
        Solved {
            solution,
            conditions: self.conditions,
        }
    }
}
