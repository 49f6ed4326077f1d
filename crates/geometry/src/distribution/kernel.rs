//! Frames of the kernel of constraint forms that stay regular where the forms have full rank.
//!
//! Per block of r rows and c columns:
//! - c = r + 1: the generalised cross product, divided by the common factor of its components;
//! - columns T on which A has a regular right inverse R: e_j - R A_j for the other columns j, and
//!   the cross product inside T if T has r + 1 columns (cos φ ∂x + sin φ ∂y for sin φ dx - cos φ dy);
//! - otherwise r pivot columns S and the cross products inside S ∪ {j}: free of division, but a
//!   frame only where det A_S ≠ 0, which is reported.

use super::block::{blocks, free_columns};
use super::support::{Support, best_support};
use crate::minors::{cross_product, determinant, subsets};
use crate::nonvanishing::is_nonvanishing;
use crate::primitive::{factors, leading_sign_is_negative, primitive, vanishing_locus};
use crate::proof::{Parametrization, constant_value, is_generically_nonzero};
use crate::span::Span;
use crate::tidy::tidy;
use rattleback_symbolic::{Expr, Matrix, Symbol, substitute_all};

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
    pub(super) fn basis(mut self, n: usize) -> (Matrix, Vec<Expr>, Vec<Expr>) {
        self.vectors.sort_by_key(|(column, _)| *column);
        let k = self.vectors.len();
        let basis = Matrix::new(n, k, |i, a| self.vectors[a].1[i].clone());
        (basis, self.conditions, self.rank_drop)
    }

    fn absorb(&mut self, block: Kernel, columns: &[usize], n: usize) {
        for (key, short) in block.vectors {
            let mut v = vec![Expr::zero(); n];
            for (&j, e) in columns.iter().zip(short) {
                v[j] = e;
            }
            self.vectors.push((columns[key], v));
        }
        note(&mut self.conditions, block.conditions);
        note(&mut self.rank_drop, block.rank_drop);
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

/// The kernel of independent rows.
pub(super) fn kernel(forms: &Matrix, place: Place) -> Kernel {
    let n = forms.cols();
    let mut all = Kernel::default();
    for j in free_columns(forms) {
        let mut v = vec![Expr::zero(); n];
        v[j] = Expr::one();
        all.vectors.push((j, v));
    }
    for block in blocks(forms) {
        let a = forms.select(&block.rows, &block.columns);
        all.absorb(block_kernel(&a, place), &block.columns, n);
    }
    all
}

fn block_kernel(a: &Matrix, place: Place) -> Kernel {
    let (r, c) = (a.rows(), a.cols());
    if r == c {
        return Kernel {
            rank_drop: vanishing_factors(&tidy(&determinant(a))),
            ..Kernel::default()
        };
    }
    if c == r + 1 {
        return line(a, &(0..c).collect::<Vec<_>>(), place.on);
    }
    match best_support(a, place.on) {
        Some(support) => graph(a, &support, place.on),
        None => pivot_frame(a, place),
    }
}

/// The factors that may vanish somewhere.
fn vanishing_factors(e: &Expr) -> Vec<Expr> {
    factors(e)
        .into_iter()
        .filter(|f| !is_nonvanishing(f))
        .collect()
}

/// The one kernel vector of r rows in r + 1 columns, free of common factors.
fn line(a: &Matrix, columns: &[usize], on: &Parametrization) -> Kernel {
    let (v, common) = primitive(&cross_product(a, columns), on);
    let (key, scaled) = scale(v, on);
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

/// Makes the last constant component 1, so that the quasi-velocity is that velocity; without one,
/// makes the first component start with a plus. Returns the component that orders the vector.
fn scale(v: Vec<Expr>, on: &Parametrization) -> (usize, Vec<Expr>) {
    let constant = v
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, e)| !e.is_zero())
        .find_map(|(j, e)| Some((j, constant_value(e, on)?)));
    if let Some((j, c)) = constant {
        let inverse = c.recip();
        let scaled = v.iter().enumerate().map(|(i, e)| match i == j {
            true => Expr::one(),
            false => e * &inverse,
        });
        return (j, scaled.collect());
    }
    let last = v.iter().rposition(|e| !e.is_zero()).unwrap_or(0);
    let negative = v
        .iter()
        .find(|e| !e.is_zero())
        .is_some_and(leading_sign_is_negative);
    let v = if negative {
        v.iter().map(|e| -e).collect()
    } else {
        v
    };
    (last, v)
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
fn pivot_frame(a: &Matrix, place: Place) -> Kernel {
    let (r, c) = (a.rows(), a.cols());
    let s = best_pivot_block(a, place);
    let mut all = Kernel::default();
    for j in (0..c).filter(|j| !s.contains(j)) {
        let mut columns = s.clone();
        columns.push(j);
        columns.sort_unstable();
        let (v, _) = primitive(&cross_product(a, &columns), place.on);
        let own = columns.iter().position(|&i| i == j).unwrap_or(r);
        let negative = leading_sign_is_negative(&v[own]);
        let mut full = vec![Expr::zero(); c];
        for (&i, e) in columns.iter().zip(&v) {
            full[i] = if negative { -e } else { e.clone() };
        }
        note(&mut all.conditions, vanishing_factors(&full[j]));
        all.vectors.push((j, full));
    }
    all
}

/// The pivot columns with the shortest determinant that does not vanish identically, nor at the
/// point where the frame is wanted; of equals the last, which for a row of a rotation is the
/// diagonal entry.
fn best_pivot_block(a: &Matrix, place: Place) -> Vec<usize> {
    let rows: Vec<usize> = (0..a.rows()).collect();
    let mut best: Option<((bool, usize), Vec<usize>)> = None;
    let mut try_block = |s: &[usize]| {
        let det = tidy(&determinant(&a.select(&rows, s)));
        if !is_generically_nonzero(&det, place.on) {
            return;
        }
        let nearby = det.substitute(place.near);
        let lost_nearby = !place.near.is_empty() && !is_generically_nonzero(&nearby, place.on);
        let key = (lost_nearby, det.node_count());
        if best.as_ref().is_none_or(|(k, _)| key <= *k) {
            best = Some((key, s.to_vec()));
        }
    };
    try_block(&elimination_pivots(a, place.on));
    subsets(a.cols(), a.rows(), PIVOT_BLOCKS, try_block);
    best.map_or(rows, |(_, s)| s)
}

/// Some pivot columns that are certainly regular, for matrices with more blocks than are compared.
fn elimination_pivots(a: &Matrix, on: &Parametrization) -> Vec<usize> {
    let mut span = Span::default();
    for i in 0..a.rows() {
        // The rows had values when they were found independent.
        let _grew = span.insert(&substitute_all(a.row(i), on));
    }
    span.pivots()
}
