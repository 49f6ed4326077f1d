//! What a linear system tells: is it controllable, stabilisable, observable?

use crate::constancy::Change;
use rattleback_mechanics::LinearSystem;
use rattleback_numeric::{Dense, Reachable, SchurError};
use rattleback_symbolic::{Expr, Matrix, rank};

/// A statement about a linear system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Does it hold? None where rounding hides it.
    pub holds: Option<bool>,
    /// Why.
    pub why: String,
    /// Does it rest on exact numbers?
    pub exact: bool,
}

/// The three statements.
#[derive(Clone, Debug)]
pub struct Claims {
    /// Can every state be reached?
    pub controllable: Claim,
    /// Can every mode that does not die out be moved?
    pub stabilisable: Claim,
    /// Do the outputs see every state?
    pub observable: Claim,
}

impl Claims {
    /// Those of a system in numbers, judged exactly where its entries are known to be exact numbers.
    pub fn of(
        numbers: &LinearSystem<f64>,
        exact: Option<&LinearSystem<Expr>>,
    ) -> Result<Self, SchurError> {
        let n = numbers.state.len();
        let a = dense(&numbers.a, n);
        let by_controls = exact.map(|s| (s.a.clone(), s.b.clone()));
        let by_outputs = exact.map(|s| (transposed(&s.a, n), transposed(&s.c, n)));
        let controllable = reached(&a, &numbers.b, by_controls, "[B, AB, A²B, …]")?;
        Ok(Self {
            stabilisable: stabilisable(&a, &numbers.b, &controllable)?,
            controllable,
            observable: reached(
                &a.transposed(),
                &transposed(&numbers.c, n),
                by_outputs,
                "[C; CA; CA²; …]",
            )?,
        })
    }
}

impl Claims {
    /// The claims that are about constant systems; the others are open.
    pub(crate) fn where_constant(mut self, changes: &[Change]) -> Self {
        let open = |claim: &mut Claim, change: Option<&Change>| {
            if let Some(change) = change {
                claim.holds = None;
                claim.why = change.to_string();
            }
        };
        let of_plant = changes.iter().find(|c| c.is_of_plant());
        let of_outputs = changes.iter().find(|c| c.is_of_outputs());
        open(&mut self.controllable, of_plant);
        open(&mut self.stabilisable, of_plant);
        open(&mut self.observable, of_outputs);
        self
    }
}

/// Rows as a matrix.
pub(crate) fn dense(rows: &[Vec<f64>], columns: usize) -> Dense {
    Dense::new(rows.len(), columns, |i, j| rows[i][j])
}

fn transposed<T: Clone>(rows: &[Vec<T>], columns: usize) -> Vec<Vec<T>> {
    (0..columns)
        .map(|j| rows.iter().map(|row| row[j].clone()).collect())
        .collect()
}

/// A matrix of exact entries by rows.
type Rows = Vec<Vec<Expr>>;

/// Is span{B, AB, A²B, …} everything? Exactly where the matrices are exact numbers.
fn reached(
    a: &Dense,
    b: &[Vec<f64>],
    exact: Option<(Rows, Rows)>,
    matrix: &str,
) -> Result<Claim, SchurError> {
    let n = a.rows();
    if let Some(found) = exact.and_then(|(a, b)| exact_rank(&a, &b)) {
        return Ok(Claim {
            holds: Some(found == n),
            why: format!("{matrix} has rank {found} of {n}"),
            exact: true,
        });
    }
    let columns = b.first().map_or(0, Vec::len);
    let reach = Reachable::of(a, &dense(b, columns))?;
    Ok(Claim {
        holds: reach.is_clear().then_some(reach.rank() == n),
        why: format!(
            "{matrix} has rank {} of {n} in floating point",
            reach.rank()
        ),
        exact: false,
    })
}

/// Matrices up to this size are judged exactly.
const LARGEST_EXACT: usize = 12;

/// The rank of Kalman's matrix of exact numbers; none where it is not decided.
fn exact_rank(a: &[Vec<Expr>], b: &[Vec<Expr>]) -> Option<usize> {
    let n = a.len();
    let m = b.first().map_or(0, Vec::len);
    if n > LARGEST_EXACT {
        return None;
    }
    if n == 0 || m == 0 {
        return Some(0);
    }
    let entries = a.iter().chain(b).flatten();
    if !entries.clone().all(|e| e.as_number().is_some()) {
        return None;
    }
    let a = Matrix::from_rows(a);
    let mut block = Matrix::from_rows(b);
    let mut columns: Vec<Vec<Expr>> = Vec::new();
    for _ in 0..n {
        columns.extend((0..m).map(|j| block.column(j)));
        block = &a * &block;
    }
    let kalman = Matrix::new(n, columns.len(), |i, j| columns[j][i].clone());
    rank(&kalman).ok().map(|r| r.rank)
}

fn stabilisable(a: &Dense, b: &[Vec<f64>], controllable: &Claim) -> Result<Claim, SchurError> {
    if controllable.holds == Some(true) {
        return Ok(Claim {
            why: "controls move every mode".to_owned(),
            ..controllable.clone()
        });
    }
    let columns = b.first().map_or(0, Vec::len);
    let reach = Reachable::of(a, &dense(b, columns))?;
    let holds = reach.dies_out().filter(|_| reach.is_clear());
    let why = match (reach.unstable_mode(), holds) {
        (None, _) => "every mode that no control moves dies out".to_owned(),
        (Some(mode), Some(_)) => {
            format!("no control moves the mode {mode}, which does not die out by itself")
        }
        (Some(mode), None) => format!(
            "whether a control moves the mode {mode}, or it dies out by itself, is lost in rounding"
        ),
    };
    Ok(Claim {
        holds,
        why,
        exact: false,
    })
}
