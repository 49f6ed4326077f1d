//! Frames of the kernel of constraint forms that stay regular where the forms have full rank.
//!
//! The matrix is split into blocks; a block of r rows and c columns is solved
//! - by the generalised cross product, divided by its common factor, if c = r + 1;
//! - on columns T with a regular right inverse R: e_j - R A_j for the other columns, and the cross
//!   product inside T if T has r + 1 columns (cos φ ∂x + sin φ ∂y for sin φ dx - cos φ dy);
//! - otherwise one row at a time, and rows of two entries always so: the kernel of a row that is
//!   regular everywhere is a new basis in which the other rows are written, and the search goes on;
//! - at last by pivot columns S and the cross products inside S ∪ {j}: free of division, but a
//!   frame only where det A_S ≠ 0, which is reported.

use super::block::{blocks, free_columns};
use super::support::{Support, Wanted, best_support};
use super::without_hidden_zeros;
use crate::express::Basis;
use crate::primitive::{factors, primitive, unit_scale, vanishing_locus};
use crate::proof::{Parametrization, is_certainly_nonzero};
use crate::span::NoValue;
use crate::tidy::{tidy, tidy_component};
use rattleback_symbolic::{Expr, Matrix, Minors, Symbol, subsets};

/// What is known of the kernel of a constraint matrix.
#[derive(Default)]
pub(super) struct Kernel {
    /// Basis vectors, each with the column that it is ordered by.
    vectors: Vec<(usize, Vec<Expr>)>,
    /// Functions that must not vanish for the vectors to be a basis.
    pub(super) conditions: Vec<Expr>,
    /// Functions at whose zeros the forms lose rank.
    pub(super) rank_drop: Vec<Expr>,
}

impl Kernel {
    /// The vectors as columns, ordered like the velocities that they move.
    pub(super) fn basis(&mut self, n: usize) -> Matrix {
        self.vectors.sort_by_key(|(column, _)| *column);
        let k = self.vectors.len();
        Matrix::new(n, k, |i, a| self.vectors[a].1[i].clone())
    }

    /// Takes over what was found for some columns of a task.
    fn absorb(&mut self, found: Kernel, task: &Task) {
        for (key, v) in found.vectors {
            let written = task.basis.apply(&v).iter().map(tidy).collect();
            self.vectors.push((task.keys[key], written));
        }
        note(&mut self.conditions, found.conditions);
        note(&mut self.rank_drop, found.rank_drop);
    }
}

fn note(list: &mut Vec<Expr>, new: Vec<Expr>) {
    for e in new {
        if !list.contains(&e) {
            list.push(e);
        }
    }
}

/// Where to look: the parametrised space, and a point at which a frame should be regular.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) on: &'a Parametrization,
    pub(super) near: &'a [(Symbol, Expr)],
}

/// Rows to solve, written in a basis of the sections that are still allowed.
struct Task {
    rows: Matrix,
    /// Columns are the allowed sections in terms of the original frame.
    basis: Matrix,
    /// The original column that orders each allowed section.
    keys: Vec<usize>,
}

impl Task {
    /// The part of the task in these columns.
    fn part(&self, rows: &[usize], columns: &[usize]) -> Task {
        let all: Vec<usize> = (0..self.basis.rows()).collect();
        Task {
            rows: self.rows.select(rows, columns),
            basis: self.basis.select(&all, columns),
            keys: columns.iter().map(|&j| self.keys[j]).collect(),
        }
    }

    /// The other rows on the kernel of one row.
    fn restricted(
        &self,
        row: usize,
        mut kernel: Kernel,
        on: &Parametrization,
    ) -> Result<Task, NoValue> {
        kernel.vectors.sort_by_key(|(key, _)| *key);
        let keys = kernel
            .vectors
            .iter()
            .map(|(key, _)| self.keys[*key])
            .collect();
        let inner = kernel.basis(self.rows.cols());
        let others: Vec<usize> = (0..self.rows.rows()).filter(|&i| i != row).collect();
        let columns: Vec<usize> = (0..self.rows.cols()).collect();
        let rows = (&self.rows.select(&others, &columns) * &inner).map(tidy_component);
        Ok(Task {
            rows: without_hidden_zeros(&rows, on)?,
            basis: (&self.basis * &inner).map(tidy_component),
            keys,
        })
    }
}

/// The kernel of independent rows.
pub(super) fn kernel(forms: &Matrix, place: Place) -> Result<Kernel, NoValue> {
    let n = forms.cols();
    let mut all = Kernel::default();
    let mut open = vec![Task {
        rows: forms.clone(),
        basis: Matrix::identity(n),
        keys: (0..n).collect(),
    }];
    while let Some(task) = open.pop() {
        let free = free_columns(&task.rows);
        all.absorb(coordinates(&free, task.rows.cols()), &task);
        for block in blocks(&task.rows) {
            let part = task.part(&block.rows, &block.columns);
            match solve_block(&part.rows, place)? {
                Step::Solved(kernel) => all.absorb(kernel, &part),
                Step::Row(row, kernel) => {
                    note(&mut all.conditions, kernel.conditions.clone());
                    note(&mut all.rank_drop, kernel.rank_drop.clone());
                    open.push(part.restricted(row, kernel, place.on)?);
                }
            }
        }
    }
    Ok(all)
}

/// The sections e_j of columns in which no row acts.
fn coordinates(columns: &[usize], n: usize) -> Kernel {
    let unit = |j: usize| (0..n).map(|i| i64::from(i == j).into()).collect();
    Kernel {
        vectors: columns.iter().map(|&j| (j, unit(j))).collect(),
        ..Kernel::default()
    }
}

enum Step {
    /// The kernel of the whole block.
    Solved(Kernel),
    /// The kernel of one row; the others remain.
    Row(usize, Kernel),
}

/// Minors of more rows than this are not written out: rows are taken one at a time.
const DIRECT_ROWS: usize = 6;

fn solve_block(a: &Matrix, place: Place) -> Result<Step, NoValue> {
    let (r, c) = (a.rows(), a.cols());
    let direct = r <= DIRECT_ROWS;
    if direct && r == c {
        return Ok(Step::Solved(Kernel {
            rank_drop: vanishing_factors(&tidy(&Minors::determinant(a))),
            ..Kernel::default()
        }));
    }
    if r > 1
        && let Some((row, kernel)) = regular_row(a, SPARSE, place.on)
    {
        return Ok(Step::Row(row, kernel));
    }
    if direct && c == r + 1 {
        let columns: Vec<usize> = (0..c).collect();
        return Ok(Step::Solved(line(a, &columns, place.on)));
    }
    for wanted in [Wanted::Constant, Wanted::KnownSign] {
        if direct && let Some(support) = best_support(a, wanted, place.on) {
            return Ok(Step::Solved(graph(a, &support, place.on)));
        }
        let any = (usize::MAX, &[wanted][..]);
        if let Some((row, kernel)) = regular_row(a, any, place.on) {
            return Ok(Step::Row(row, kernel));
        }
    }
    if direct {
        return Ok(Step::Solved(pivot_frame(a, place)?));
    }
    Ok(Step::Row(0, divided_row(a.row(0), place)?))
}

/// e_j - (a_j / a_p) e_p for a pivot entry a_p: for large blocks, where freedom from division would
/// swell every later row.
fn divided_row(row: &[Expr], place: Place) -> Result<Kernel, NoValue> {
    let single = Matrix::from_rows(&[row.to_vec()]);
    let pivot = best_pivot_block(&single, place)?
        .first()
        .copied()
        .unwrap_or(0);
    let inverse = row[pivot].recip();
    let others = (0..row.len()).filter(|&j| j != pivot).map(|j| {
        let mut v = vec![Expr::zero(); row.len()];
        v[j] = Expr::one();
        v[pivot] = -(&row[j] * &inverse);
        (j, v)
    });
    Ok(Kernel {
        vectors: others.collect(),
        conditions: vanishing_factors(&row[pivot]),
        ..Kernel::default()
    })
}

/// Rows with two entries are solved first: a wheel or a rolling condition that a person would solve
/// by itself, and that leaves shorter expressions than minors of the whole block.
const SPARSE: (usize, &[Wanted]) = (2, &[Wanted::Constant, Wanted::KnownSign]);

/// The first row with at most so many entries that is regular everywhere, with its kernel.
fn regular_row(
    a: &Matrix,
    (entries, kinds): (usize, &[Wanted]),
    on: &Parametrization,
) -> Option<(usize, Kernel)> {
    let columns: Vec<usize> = (0..a.cols()).collect();
    kinds.iter().find_map(|&wanted| {
        (0..a.rows()).find_map(|row| {
            if a.row(row).iter().filter(|e| !e.is_zero()).count() > entries {
                return None;
            }
            let single = a.select(&[row], &columns);
            let support = best_support(&single, wanted, on)?;
            Some((row, graph(&single, &support, on)))
        })
    })
}

/// The factors that may vanish somewhere.
fn vanishing_factors(e: &Expr) -> Vec<Expr> {
    factors(e)
        .into_iter()
        .filter(|f| !f.is_nonvanishing())
        .collect()
}

/// The one kernel vector of r rows in r + 1 of the columns, free of common factors.
fn line(a: &Matrix, columns: &[usize], on: &Parametrization) -> Kernel {
    let (v, common) = primitive(&Minors::cross_product(a, columns), on);
    let (key, scaled) = unit_scale(v, on);
    let mut rank_drop = vanishing_factors(&common);
    note(&mut rank_drop, vanishing_locus(&scaled));
    let mut full = vec![Expr::zero(); a.cols()];
    for (&j, e) in columns.iter().zip(scaled) {
        full[j] = e;
    }
    Kernel {
        vectors: vec![(columns[key], full)],
        rank_drop,
        ..Kernel::default()
    }
}

/// e_j - R A_j for the columns outside T, and the kernel inside T.
fn graph(a: &Matrix, support: &Support, on: &Parametrization) -> Kernel {
    let t = &support.columns;
    let mut all = Kernel::default();
    if t.len() > a.rows() {
        all = line(a, t, on);
    }
    for j in (0..a.cols()).filter(|j| !t.contains(j)) {
        let solved = support.right_inverse.apply(&a.column(j));
        let mut v = vec![Expr::zero(); a.cols()];
        v[j] = Expr::one();
        for (&i, e) in t.iter().zip(&solved) {
            v[i] = tidy(&-e);
        }
        all.vectors.push((j, v));
    }
    all
}

/// At most so many pivot blocks are compared.
const PIVOT_BLOCKS: usize = 128;

/// Cross products inside S ∪ {j}: a frame where the pivot block S is regular.
fn pivot_frame(a: &Matrix, place: Place) -> Result<Kernel, NoValue> {
    let c = a.cols();
    let s = best_pivot_block(a, place)?;
    let mut all = Kernel::default();
    for j in (0..c).filter(|j| !s.contains(j)) {
        let mut columns = s.clone();
        columns.push(j);
        columns.sort_unstable();
        let (v, _) = primitive(&Minors::cross_product(a, &columns), place.on);
        let (_, v) = unit_scale(v, place.on);
        let mut full = vec![Expr::zero(); c];
        for (&i, e) in columns.iter().zip(v) {
            full[i] = e;
        }
        note(&mut all.conditions, vanishing_factors(&full[j]));
        all.vectors.push((j, full));
    }
    Ok(all)
}

/// The pivot columns with the shortest determinant that certainly does not vanish identically, nor at the
/// point where the frame is wanted; of equals the last, which for a row of a rotation is the diagonal
/// entry.
fn best_pivot_block(a: &Matrix, place: Place) -> Result<Vec<usize>, NoValue> {
    let rows: Vec<usize> = (0..a.rows()).collect();
    let mut best: Option<((bool, usize), Vec<usize>)> = None;
    subsets(a.cols(), a.rows(), PIVOT_BLOCKS, |s| {
        let det = Minors::determinant(&a.select(&rows, s));
        if !is_certainly_nonzero(&det, place.on) {
            return;
        }
        let nearby = det.substitute(place.near);
        let lost_nearby = !place.near.is_empty() && !is_certainly_nonzero(&nearby, place.on);
        let key = (lost_nearby, det.node_count());
        if best.as_ref().is_none_or(|(k, _)| key <= *k) {
            best = Some((key, s.to_vec()));
        }
    });
    match best {
        Some((_, s)) => Ok(s),
        // Of many columns only some blocks were looked at; elimination finds one.
        None => Ok(Basis::of_rows(a, place.on)?.pivots),
    }
}
