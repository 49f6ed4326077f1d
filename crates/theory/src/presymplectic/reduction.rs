//! Linear equations that are solved as far as they can be read off: a row with one unknown at a time.

use crate::exact::{Sample, tidy, tidy_all};
use rattleback_symbolic::{
    Budget, Expr, LinearError, Matrix, Rank, Symbol, dot, nullspace_within, rank_within, solve,
};

/// What one elimination may cost.
pub(super) const BUDGET: Budget = Budget {
    terms: 20_000,
    work: 4_000_000,
};

/// K X = r after reading off: `known` unknowns, and equations for the others.
pub(super) struct Reduced {
    /// The unknowns that could be read off.
    pub(super) known: Vec<Option<Expr>>,
    /// What equations without unknowns say must vanish.
    pub(super) residuals: Vec<Expr>,
    /// The rest of K, by rows that are left and unknowns that are left.
    pub(super) matrix: Matrix,
    /// The rest of r.
    pub(super) right: Vec<Expr>,
    /// The unknowns that are left.
    pub(super) columns: Vec<usize>,
}

impl Reduced {
    /// Reads off what can be, dividing only by what never vanishes.
    pub(super) fn of(matrix: &Matrix, right: &[Expr]) -> Self {
        let n = matrix.cols();
        let mut known: Vec<Option<Expr>> = vec![None; n];
        let mut left: Vec<usize> = (0..matrix.rows()).collect();
        let mut residuals = Vec::new();
        loop {
            let before = left.len();
            left.retain(|&i| {
                let row = matrix.row(i);
                let mut open = (0..n).filter(|&a| known[a].is_none() && !row[a].is_zero());
                match (open.next(), open.next()) {
                    (None, _) => residuals.push(rest(row, &right[i], &known)),
                    (Some(a), None) if row[a].is_nonvanishing() => {
                        known[a] = Some(rest(row, &right[i], &known) / &row[a]);
                    }
                    _ => return true,
                }
                false
            });
            if left.len() == before {
                break;
            }
        }
        residuals.retain(|e| !e.is_zero());
        let columns: Vec<usize> = (0..n).filter(|&a| known[a].is_none()).collect();
        let part = matrix.select(&left, &columns);
        let rest: Vec<Expr> = left
            .iter()
            .map(|&i| rest(matrix.row(i), &right[i], &known))
            .collect();
        let mut all = tidy_all(&[part.entries(), rest.as_slice()].concat());
        let right = all.split_off(left.len() * columns.len());
        Self {
            matrix: Matrix::new(left.len(), columns.len(), |i, j| {
                all[i * columns.len() + j].clone()
            }),
            known,
            residuals,
            right,
            columns,
        }
    }

    /// Functions that vanish where the equations can be solved, none if they can. What was taken not to
    /// vanish on the way goes to `conditions`.
    pub(super) fn consequences(
        &self,
        on: &[(Symbol, Expr)],
        conditions: &mut Vec<Expr>,
    ) -> Result<Vec<Expr>, LinearError> {
        let mut all = self.residuals.clone();
        if self.right.is_empty() || self.is_solvable(on) == Some(true) {
            return Ok(all);
        }
        let dual = nullspace_within(&self.matrix.transpose(), BUDGET)?;
        check_rank(&dual.rank, Sample::of(&self.matrix, on))?;
        all.extend(dual.basis.iter().map(|v| dot(v, &self.right)));
        conditions.extend(dual.conditions);
        Ok(all)
    }

    /// Do K and (K, r) have the same rank?
    fn is_solvable(&self, on: &[(Symbol, Expr)]) -> Option<bool> {
        let (rows, n) = (self.matrix.rows(), self.matrix.cols());
        let both = Matrix::new(rows, n + 1, |i, a| match a < n {
            true => self.matrix[(i, a)].clone(),
            false => self.right[i].clone(),
        });
        let sample = Sample::of(&both, on)?;
        let columns: Vec<usize> = (0..n).collect();
        let all: Vec<usize> = (0..rows).collect();
        Some(sample.select(&all, &columns).rank() == sample.rank())
    }

    /// One solution, with what was divided by; unknowns that stay free are zero.
    pub(super) fn solution(&self, on: &[(Symbol, Expr)]) -> Result<Solution, LinearError> {
        let mut field: Vec<Expr> = self
            .known
            .iter()
            .map(|e| e.clone().unwrap_or_else(Expr::zero))
            .collect();
        let (rows, columns) = self.pivots(on)?;
        let mut conditions = Vec::new();
        if !rows.is_empty() {
            let block = self.matrix.select(&rows, &columns);
            let values: Vec<Expr> = rows.iter().map(|&i| self.right[i].clone()).collect();
            let solved = solve(&block, &Matrix::column_vector(&values))?;
            conditions = solved.conditions;
            for (k, &a) in columns.iter().enumerate() {
                field[self.columns[a]] = solved.solution[(k, 0)].clone();
            }
        }
        Ok(Solution {
            field: field.iter().map(tidy).collect(),
            freedom: self.columns.len() - rows.len(),
            conditions,
        })
    }

    /// Rows and columns of an invertible block of full rank.
    fn pivots(&self, on: &[(Symbol, Expr)]) -> Result<(Vec<usize>, Vec<usize>), LinearError> {
        let (rows, columns) = (self.matrix.rows(), self.matrix.cols());
        if rows == 0 || columns == 0 {
            return Ok((Vec::new(), Vec::new()));
        }
        let sample = Sample::of(&self.matrix, on);
        if sample
            .as_ref()
            .is_some_and(|s| s.rank() == rows && rows == columns)
        {
            return Ok(((0..rows).collect(), (0..columns).collect()));
        }
        match (rank_within(&self.matrix, BUDGET), sample) {
            (Ok(exact), sample) => {
                check_rank(&exact, sample)?;
                Ok((exact.rows, exact.cols))
            }
            (Err(_), Some(sample)) => Ok(sample.pivots()),
            (Err(why), None) => Err(why),
        }
    }

    /// A basis of the solutions of K X = 0.
    pub(super) fn kernel(&self, on: &[(Symbol, Expr)]) -> Result<Vec<Vec<Expr>>, LinearError> {
        let unit = |a: usize| -> Vec<Expr> {
            let n = self.known.len();
            (0..n).map(|b| i64::from(a == b).into()).collect()
        };
        if self.right.is_empty() {
            return Ok(self.columns.iter().map(|&a| unit(a)).collect());
        }
        let found = nullspace_within(&self.matrix, BUDGET)?;
        check_rank(&found.rank, Sample::of(&self.matrix, on))?;
        let whole = |v: &Vec<Expr>| {
            let mut all = vec![Expr::zero(); self.known.len()];
            for (&a, e) in self.columns.iter().zip(v) {
                all[a] = e.clone();
            }
            all
        };
        Ok(found.basis.iter().map(whole).collect())
    }
}

/// An error if relations between the coordinates lower the rank, of which the elimination knows nothing.
fn check_rank(exact: &Rank, here: Option<Sample>) -> Result<(), LinearError> {
    match here {
        Some(sample) if sample.rank() < exact.rank => Err(LinearError::Singular {
            rank: sample.rank(),
            size: exact.rank,
        }),
        _ => Ok(()),
    }
}

/// A solution of the equations.
pub(super) struct Solution {
    /// By components.
    pub(super) field: Vec<Expr>,
    /// The dimension of the space of solutions.
    pub(super) freedom: usize,
    /// What was divided by, where it may vanish.
    pub(super) conditions: Vec<Expr>,
}

/// r − Σ K_a X_a over the known unknowns.
fn rest(row: &[Expr], right: &Expr, known: &[Option<Expr>]) -> Expr {
    let terms = row.iter().zip(known).filter_map(|(k, x)| {
        let x = x.as_ref()?;
        (!k.is_zero()).then(|| k * x)
    });
    right - Expr::sum(terms)
}
