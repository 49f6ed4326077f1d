//! Minors by expansion along rows: no division, so relations between the entries may be used at once.
//!
//! The minors of the first k rows are kept for all column sets in which they do not vanish. Sparse
//! matrices have few of them; small dense ones have at most 2^n.

use crate::budget::TooLarge;
use crate::normal::ring::Ring;
use crate::polynomial::Polynomial;
use std::collections::BTreeMap;

/// A set of columns.
pub(crate) type Columns = u64;

/// The minors of some rows: column set to determinant, zeros left out.
pub(crate) type Minors = BTreeMap<Columns, Polynomial>;

/// The empty minor.
pub(crate) fn empty(ring: &Ring) -> Minors {
    Minors::from([(0, ring.constant(1))])
}

fn add(minors: &mut Minors, set: Columns, term: Polynomial, negative: bool) {
    let entry = minors
        .entry(set)
        .or_insert_with(|| Polynomial::zero(term.words()));
    *entry = if negative {
        entry.minus(&term)
    } else {
        entry.plus(&term)
    };
}

/// The minors with one more row below (or above, if `above`).
pub(crate) fn extend(
    minors: &Minors,
    row: &[Polynomial],
    above: bool,
    ring: &Ring,
) -> Result<Minors, TooLarge> {
    let mut next = Minors::new();
    for (&set, minor) in minors {
        for (j, entry) in row.iter().enumerate() {
            let bit = 1 << j;
            if set & bit != 0 || entry.is_zero() {
                continue;
            }
            // Columns that the new row's column has to pass.
            let passed = if above {
                set & (bit - 1)
            } else {
                set & !(bit - 1)
            };
            let term = ring.times(minor, entry)?;
            add(&mut next, set | bit, term, passed.count_ones() % 2 == 1);
        }
    }
    next.retain(|_, p| !p.is_zero());
    Ok(next)
}

/// Pairs (s, t) with s in the first set, t in the second and s > t: the sign of a Laplace expansion.
fn inversions(first: Columns, second: Columns) -> u32 {
    let mut count = 0;
    let mut rest = first;
    while rest != 0 {
        let bit = rest & rest.wrapping_neg();
        count += (second & (bit - 1)).count_ones();
        rest ^= bit;
    }
    count
}

/// The cofactors of a square matrix, by row and column, for the rows in `wanted`; and the determinant.
pub(crate) fn cofactors(
    rows: &[&[Polynomial]],
    wanted: &[bool],
    ring: &Ring,
) -> Result<(Vec<Vec<Polynomial>>, Polynomial), TooLarge> {
    let n = rows.len();
    let full: Columns = if n == 0 { 0 } else { Columns::MAX >> (64 - n) };
    let mut below = vec![empty(ring); n + 1];
    for i in (0..n).rev() {
        below[i] = extend(&below[i + 1], rows[i], true, ring)?;
    }
    let zero = Polynomial::zero(ring.words);
    let determinant = below[0].get(&full).cloned().unwrap_or_else(|| zero.clone());
    let mut all = vec![vec![zero; n]; n];
    let mut above = empty(ring);
    for i in 0..n {
        if wanted[i] {
            for (&s, upper) in &above {
                for (j, cofactor) in all[i]
                    .iter_mut()
                    .enumerate()
                    .filter(|(j, _)| s >> j & 1 == 0)
                {
                    let t = full & !s & !(1 << j);
                    let Some(lower) = below[i + 1].get(&t) else {
                        continue;
                    };
                    let term = ring.times(upper, lower)?;
                    let odd = (inversions(s, t) as usize + i + j) % 2 == 1;
                    *cofactor = if odd {
                        cofactor.minus(&term)
                    } else {
                        cofactor.plus(&term)
                    };
                }
            }
        }
        above = extend(&above, rows[i], false, ring)?;
    }
    Ok((all, determinant))
}

/// The determinant of a square matrix.
pub(crate) fn determinant(rows: &[&[Polynomial]], ring: &Ring) -> Result<Polynomial, TooLarge> {
    let (order, odd) = row_order(rows);
    let mut minors = empty(ring);
    for i in order {
        minors = extend(&minors, rows[i], false, ring)?;
    }
    // Only the full set of columns is left, if any.
    let all = minors.into_values().next();
    let all = all.unwrap_or_else(|| Polynomial::zero(ring.words));
    Ok(if odd { all.negated() } else { all })
}

/// An order of the rows that keeps the number of column sets small, and whether it is odd.
pub(crate) fn row_order(rows: &[&[Polynomial]]) -> (Vec<usize>, bool) {
    let support = |row: &[Polynomial]| {
        let bits = row.iter().enumerate().filter(|(_, p)| !p.is_zero());
        bits.fold(0, |s: Columns, (j, _)| s | 1 << j)
    };
    let supports: Vec<Columns> = rows.iter().map(|r| support(r)).collect();
    let mut left: Vec<usize> = (0..rows.len()).collect();
    let mut order = Vec::with_capacity(rows.len());
    let mut odd = false;
    let mut seen: Columns = 0;
    while !left.is_empty() {
        let cost = |&(_, &i): &(usize, &usize)| {
            ((supports[i] & !seen).count_ones(), supports[i].count_ones())
        };
        let Some((at, _)) = left.iter().enumerate().min_by_key(cost) else {
            break;
        };
        odd ^= at % 2 == 1;
        let i = left.remove(at);
        seen |= supports[i];
        order.push(i);
    }
    (order, odd)
}
