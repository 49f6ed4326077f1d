//! What a linear system tells: is it controllable, stabilisable, observable?

use crate::constancy::Change;
use rattleback_mechanics::LinearSystem;
use rattleback_numeric::{Dense, Reachable, SchurError};
use rattleback_symbolic::{Expr, Matrix, Rational, rank};

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
    /// Those of a system in numbers that are known to roundings of these sizes, judged exactly where its entries are known to
    /// be exact numbers.
    pub(crate) fn of(
        numbers: &LinearSystem<f64>,
        sizes: &LinearSystem<f64>,
        exact: Option<&LinearSystem<Expr>>,
    ) -> Result<Self, SchurError> {
        let n = numbers.state.len();
        let by_controls = Judged::of(
            (&dense(&numbers.a, n), &dense(&sizes.a, n)),
            (&numbers.b, &sizes.b),
            exact.map(|s| (s.a.clone(), s.b.clone())),
        )?;
        let by_outputs = Judged::of(
            (
                &dense(&numbers.a, n).transposed(),
                &dense(&sizes.a, n).transposed(),
            ),
            (&transposed(&numbers.c, n), &transposed(&sizes.c, n)),
            exact.map(|s| (transposed(&s.a, n), transposed(&s.c, n))),
        )?;
        Ok(Self {
            controllable: by_controls.reached("[B, AB, A²B, …]"),
            stabilisable: by_controls.stabilisable(),
            observable: by_outputs.reached("[C; CA; CA²; …]"),
        })
    }
}

impl Claims {
    /// Why it is not known whether the state can be held, where it is not.
    pub(crate) fn unsure(&self) -> Option<String> {
        let claim = &self.stabilisable;
        claim.holds.is_none().then(|| claim.why.clone())
    }

    /// The claims that are about constant systems; the others are open. About a state that moves they are those of the pair
    /// of matrices there, and say so.
    pub(crate) fn where_constant(mut self, at_rest: bool, changes: &[Change]) -> Self {
        if !at_rest {
            let all = [
                &mut self.controllable,
                &mut self.stabilisable,
                &mut self.observable,
            ];
            for claim in all {
                claim.why = format!(
                    "for the matrices of this moment, not for the motion: {}",
                    claim.why
                );
            }
        }
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

/// What is known of span{B, AB, A²B, …}.
struct Judged {
    reach: Reachable,
    exact: Option<ExactRank>,
    /// Is the mode 0 certainly out of reach?
    leaves_zero: bool,
    n: usize,
}

/// What formulas tell of a rank.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ExactRank {
    /// It is this.
    Is(usize),
    /// It is no larger: relations among constants that nobody knows of may make it smaller.
    AtMost(usize),
}

impl Judged {
    fn of(
        (a, a_from): (&Dense, &Dense),
        (b, b_from): (&[Vec<f64>], &[Vec<f64>]),
        exact: Option<(Rows, Rows)>,
    ) -> Result<Self, SchurError> {
        let columns = b.first().map_or(0, Vec::len);
        let (b, b_from) = (dense(b, columns), dense(b_from, columns));
        Ok(Self {
            reach: Reachable::among(a, &b, a_from, &b_from)?,
            leaves_zero: (exact.as_ref()).and_then(|(a, b)| leaves_zero(a, b)) == Some(true),
            exact: exact.and_then(|(a, b)| exact_rank(&a, &b)),
            n: a.rows(),
        })
    }

    /// The rank, and whether it is certain.
    fn rank(&self) -> (usize, bool) {
        let seen = self.reach.rank();
        match self.exact {
            Some(ExactRank::Is(rank)) => (rank, true),
            Some(ExactRank::AtMost(most)) if most == seen => (seen, self.reach.is_reached()),
            _ if seen == self.n => (seen, self.reach.is_reached()),
            _ => (seen, self.reach.is_clear()),
        }
    }

    /// Is the span everything?
    fn reached(&self, matrix: &str) -> Claim {
        let ((rank, is_certain), n) = (self.rank(), self.n);
        let exact = self.exact == Some(ExactRank::Is(rank));
        let how = match (exact, is_certain) {
            (true, _) => "",
            (false, true) => " in floating point",
            (false, false) => " in floating point, but for what may be rounding",
        };
        Claim {
            holds: is_certain.then_some(rank == n),
            why: format!("{matrix} has rank {rank} of {n}{how}"),
            exact,
        }
    }

    /// Does every mode die out that is not moved? Whether it is moved does not matter then.
    fn stabilisable(&self) -> Claim {
        let (rank, is_certain) = self.rank();
        let exact = self.exact == Some(ExactRank::Is(rank));
        if rank == self.n && is_certain {
            return Claim {
                holds: Some(true),
                why: "controls move every mode".to_owned(),
                exact,
            };
        }
        if self.leaves_zero {
            return Claim {
                holds: Some(false),
                why: "no control moves the mode 0, which does not die out by itself".to_owned(),
                exact: true,
            };
        }
        let reach = &self.reach;
        let same = rank == reach.rank();
        let holds = match reach.dies_out() {
            Some(true) if reach.is_reached() && same => Some(true),
            Some(false) if is_certain && same => Some(false),
            _ => None,
        };
        let why = match (reach.unstable_mode(), holds) {
            (None, Some(_)) => "every mode that no control moves dies out".to_owned(),
            (None, None) => {
                "which modes controls move is lost in rounding, and so is whether the others die out"
                    .to_owned()
            }
            (Some(mode), Some(_)) => {
                format!("no control moves the mode {mode}, which does not die out by itself")
            }
            (Some(mode), None) => format!(
                "whether a control moves the mode {mode}, or it dies out by itself, is lost in rounding"
            ),
        };
        Claim {
            holds,
            why,
            exact: false,
        }
    }
}

/// Matrices of numbers, and of formulas of constants, which grow, up to these sizes are judged exactly.
const LARGEST_EXACT: usize = 40;
const LARGEST_OF_CONSTANTS: usize = 6;

/// The rank of Kalman's matrix of exact numbers or constants; none where it is not decided.
fn exact_rank(a: &[Vec<Expr>], b: &[Vec<Expr>]) -> Option<ExactRank> {
    let n = a.len();
    let m = b.first().map_or(0, Vec::len);
    if n == 0 || m == 0 {
        return Some(ExactRank::Is(0));
    }
    let numbers = |m: &[Vec<Expr>]| -> Option<Vec<Vec<Rational>>> {
        let row = |row: &Vec<Expr>| row.iter().map(|e| e.as_number().cloned()).collect();
        m.iter().map(row).collect()
    };
    if let Some((a, b)) = numbers(a).zip(numbers(b)) {
        let found = || ExactRank::Is(Span::reached(&a, &b).rank());
        return (n <= LARGEST_EXACT).then(found);
    }
    if n > LARGEST_OF_CONSTANTS {
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
    rank(&kalman).ok().map(|r| ExactRank::AtMost(r.rank))
}

/// Is the mode 0 out of reach, rank [A, B] < n? None where the entries are no numbers.
fn leaves_zero(a: &[Vec<Expr>], b: &[Vec<Expr>]) -> Option<bool> {
    let row = |row: &Vec<Expr>| row.iter().map(|e| e.as_number().cloned()).collect();
    let mut span = Span::default();
    for (a, b) in a.iter().zip(b) {
        let (a, b): (Option<Vec<Rational>>, Option<Vec<Rational>>) = (row(a), row(b));
        span.take([a?, b?].concat());
    }
    (a.len() <= LARGEST_EXACT).then(|| span.rank() < a.len())
}

/// The span of vectors of exact numbers, in echelon form.
#[derive(Default)]
struct Span {
    /// Each with the place of its first entry, which is 1.
    rows: Vec<(usize, Vec<Rational>)>,
}

impl Span {
    /// span{B, AB, A²B, …}.
    fn reached(a: &[Vec<Rational>], b: &[Vec<Rational>]) -> Self {
        let mut span = Self::default();
        let columns = b.first().map_or(0, Vec::len);
        let column = |j: usize| b.iter().map(|row| row[j].clone()).collect();
        let mut new: Vec<Vec<Rational>> = (0..columns).map(column).collect();
        while let Some(v) = new.pop() {
            let product = |row: &Vec<Rational>| {
                let terms = row.iter().zip(&v).map(|(a, v)| a * v);
                terms.fold(Rational::from(0), |sum, x| &sum + &x)
            };
            let image = a.iter().map(product).collect();
            if span.take(v) {
                new.push(image);
            }
        }
        span
    }

    fn rank(&self) -> usize {
        self.rows.len()
    }

    /// Adds a vector; is it new?
    fn take(&mut self, mut v: Vec<Rational>) -> bool {
        for (place, row) in &self.rows {
            let factor = v[*place].clone();
            if !factor.is_zero() {
                let both = v.iter_mut().zip(row);
                both.for_each(|(x, r)| *x = &*x - &(&factor * r));
            }
        }
        let Some(place) = v.iter().position(|x| !x.is_zero()) else {
            return false;
        };
        let first = v[place].clone();
        v.iter_mut().for_each(|x| *x = &*x / &first);
        self.rows.push((place, v));
        true
    }
}
