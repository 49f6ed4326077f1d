//! What controls reach of a plant whose entries are exact numbers or formulas of constants.

use rattleback_symbolic::{Expr, Matrix, Rational, rank};
use rattleback_theory::dies_out;

/// Matrices of numbers, and of formulas of constants, which grow, up to these sizes are judged exactly.
const LARGEST_EXACT: usize = 40;
const LARGEST_OF_CONSTANTS: usize = 6;

/// What formulas tell of span{B, AB, A²B, …}.
pub(crate) enum ExactReach {
    /// It is known.
    Numbers(Reached),
    /// Its dimension is no larger: relations among constants that nobody knows of may make it smaller.
    AtMost(usize),
}

impl ExactReach {
    /// Of matrices by rows; none where it is not decided.
    pub fn of(a: &[Vec<Expr>], b: &[Vec<Expr>]) -> Option<Self> {
        let n = a.len();
        if let Some((a, b)) = numbers(a).zip(numbers(b)) {
            return (n <= LARGEST_EXACT).then(|| Self::Numbers(Reached::of(a, &b)));
        }
        if n > LARGEST_OF_CONSTANTS {
            return None;
        }
        let a = Matrix::from_rows(a);
        let mut block = Matrix::from_rows(b);
        let mut columns: Vec<Vec<Expr>> = Vec::new();
        for _ in 0..n {
            columns.extend((0..block.cols()).map(|j| block.column(j)));
            block = &a * &block;
        }
        let kalman = Matrix::new(n, columns.len(), |i, j| columns[j][i].clone());
        rank(&kalman).ok().map(|r| Self::AtMost(r.rank))
    }
}

/// The entries where all are numbers.
fn numbers(m: &[Vec<Expr>]) -> Option<Vec<Vec<Rational>>> {
    let row = |row: &Vec<Expr>| row.iter().map(|e| e.as_number().cloned()).collect();
    m.iter().map(row).collect()
}

/// span{B, AB, A²B, …} for matrices of numbers.
pub(crate) struct Reached {
    span: Span,
    a: Vec<Vec<Rational>>,
}

impl Reached {
    fn of(a: Vec<Vec<Rational>>, b: &[Vec<Rational>]) -> Self {
        let mut span = Span::default();
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
        Self { span, a }
    }

    /// Its dimension.
    pub fn rank(&self) -> usize {
        self.span.rows.len()
    }

    /// Is the mode 0 out of reach? Then A is singular on what is left.
    pub fn leaves_zero(&self) -> bool {
        let left = self.left();
        let mut span = Span::default();
        left.iter().cloned().for_each(|row| _ = span.take(row));
        span.rows.len() < left.len()
    }

    /// Do the modes out of reach die out? None where this is not decided.
    pub fn dies_out(&self) -> Option<bool> {
        let left = self.left();
        let entry = |i: usize, j: usize| Expr::from(left[i][j].clone());
        dies_out(&Matrix::new(left.len(), left.len(), entry))
    }

    /// A on the space modulo the span, which it leaves alone.
    fn left(&self) -> Vec<Vec<Rational>> {
        let (span, a) = (&self.span, &self.a);
        let is_left = |j: &usize| span.rows.iter().all(|(place, _)| place != j);
        let left: Vec<usize> = (0..a.len()).filter(is_left).collect();
        let image = |&j: &usize| span.rest(a.iter().map(|row| row[j].clone()).collect());
        let images: Vec<Vec<Rational>> = left.iter().map(image).collect();
        let row = |&i: &usize| images.iter().map(|v| v[i].clone()).collect();
        left.iter().map(row).collect()
    }
}

/// The span of vectors of exact numbers, in echelon form.
#[derive(Default)]
struct Span {
    /// Each with the place of its first entry, which is 1.
    rows: Vec<(usize, Vec<Rational>)>,
}

impl Span {
    /// A vector modulo the span: 0 at the first places of its rows.
    fn rest(&self, mut v: Vec<Rational>) -> Vec<Rational> {
        for (place, row) in &self.rows {
            let factor = v[*place].clone();
            if !factor.is_zero() {
                let both = v.iter_mut().zip(row);
                both.for_each(|(x, r)| *x = &*x - &(&factor * r));
            }
        }
        v
    }

    /// Adds a vector; is it new?
    fn take(&mut self, v: Vec<Rational>) -> bool {
        let mut v = self.rest(v);
        let Some(place) = v.iter().position(|x| !x.is_zero()) else {
            return false;
        };
        let first = v[place].clone();
        v.iter_mut().for_each(|x| *x = &*x / &first);
        self.rows.push((place, v));
        true
    }
}
