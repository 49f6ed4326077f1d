//! Part of a symmetric matrix eliminated: what may be, and what its pivots allow.
//!
//! A *front* is a dense symmetric matrix of which some unknowns may be eliminated and others stay. A pivot has to hold its
//! own against its whole column, also where that reaches unknowns that stay; what finds none stays, too, and is eliminated
//! with a later front (a delayed pivot, Duff and Reid). Inertia adds up over all fronts.

use crate::combine::add_scaled;
use crate::ldlt::Inertia;
use crate::tolerance::VANISHING_PIVOT;

/// A pivot: one unknown, or two.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Pivot {
    /// An unknown with the inverse of its entry.
    One {
        at: usize,
        /// 1/d.
        inverse: f64,
    },
    /// A pair, with the lower triangle of the inverse of its block.
    Two {
        at: [usize; 2],
        /// D⁻¹.
        inverse: [f64; 3],
    },
}

/// The pivots of a front with their columns of L; many matrices may be eliminated in the same memory.
#[derive(Clone, Debug, Default)]
pub struct FrontPivots {
    pivots: Vec<Pivot>,
    /// For each unknown of a pivot its column of L, as long as the front.
    columns: Vec<f64>,
}

/// A front while it is eliminated: a symmetric n×n matrix, both triangles, by rows.
struct Front<'f> {
    n: usize,
    entries: &'f mut [f64],
    /// The magnitudes that diagonal entries were made of.
    sizes: &'f mut [f64],
    share: f64,
}

impl FrontPivots {
    /// Forgets the pivots, but keeps the memory.
    pub fn clear(&mut self) {
        self.pivots.clear();
        self.columns.clear();
    }

    /// Eliminates what may be eliminated of a symmetric n×n matrix (both triangles, by rows) and can; of `may` is left what
    /// was not. Rows and columns of what was are zero then, the others hold what elimination leaves.
    ///
    /// `sizes` are the magnitudes that the diagonal entries were made of, and are kept so: what is left of them by rounding
    /// is no pivot.
    /// `share` is the least part of its column that a pivot may be. Pivots are added to those that are there.
    ///
    /// ```
    /// use rattleback_numeric::{FrontPivots, Inertia};
    /// let mut matrix = [2.0, 4.0, 4.0, 1.0];
    /// let (mut pivots, mut may) = (FrontPivots::default(), vec![0]);
    /// let inertia = pivots.eliminate(&mut matrix, 2, &mut may, &mut [2.0, 1.0], 1e-3);
    /// assert_eq!(inertia, Inertia { positive: 1, negative: 0, zero: 0 });
    /// assert_eq!((matrix, may), ([0.0, 0.0, 0.0, -7.0], vec![]));
    /// ```
    pub fn eliminate(
        &mut self,
        entries: &mut [f64],
        n: usize,
        may: &mut Vec<usize>,
        sizes: &mut [f64],
        share: f64,
    ) -> Inertia {
        let mut front = Front {
            n,
            entries,
            sizes,
            share,
        };
        let mut inertia = Inertia::default();
        while let Some(pivot) = may.iter().find_map(|&k| front.pivot(k, may)) {
            match pivot {
                Pivot::One { at, inverse } => {
                    may.retain(|i| *i != at);
                    match inverse > 0.0 {
                        true => inertia.positive += 1,
                        false => inertia.negative += 1,
                    }
                    front.eliminate_one(at, inverse, &mut self.columns);
                }
                Pivot::Two { at, inverse } => {
                    may.retain(|i| !at.contains(i));
                    inertia += signs_of_pair(inverse);
                    front.eliminate_two(at, inverse, &mut self.columns);
                }
            }
            self.pivots.push(pivot);
        }
        inertia
    }

    /// w ← L⁻¹ w.
    pub fn solve_lower(&self, w: &mut [f64]) {
        let columns = &mut self.columns.chunks_exact(w.len().max(1));
        for pivot in &self.pivots {
            match pivot {
                Pivot::One { at, .. } => subtract(w, columns, *at),
                Pivot::Two { at, .. } => {
                    subtract(w, columns, at[0]);
                    subtract(w, columns, at[1]);
                }
            }
        }
    }

    /// w ← L⁻ᵀ D⁻¹ w, where what stays is known.
    pub fn solve_upper(&self, w: &mut [f64]) {
        let mut columns = self.columns.chunks_exact(w.len().max(1)).rev();
        let mut product = |w: &[f64]| columns.next().map_or(0.0, |l| crate::inner(l, w));
        for pivot in self.pivots.iter().rev() {
            match *pivot {
                Pivot::One { at, inverse } => {
                    let known = product(w);
                    w[at] = w[at] * inverse - known;
                }
                Pivot::Two {
                    at: [a, b],
                    inverse: [p, q, r],
                } => {
                    let second = product(w);
                    let first = product(w);
                    (w[a], w[b]) = (p * w[a] + q * w[b] - first, q * w[a] + r * w[b] - second);
                }
            }
        }
    }
}

/// w ← w − l w_at by the next column; l is zero at its own pivot.
fn subtract<'c>(w: &mut [f64], columns: &mut impl Iterator<Item = &'c [f64]>, at: usize) {
    if let Some(column) = columns.next() {
        let by = -w[at];
        add_scaled(w, by, column);
    }
}

/// The signs of a pair, by its inverse.
fn signs_of_pair([p, q, r]: [f64; 3]) -> Inertia {
    let (positive, negative) = match (p * r - q * q > 0.0, p > 0.0) {
        (false, _) => (1, 1),
        (true, true) => (2, 0),
        (true, false) => (0, 2),
    };
    Inertia {
        positive,
        negative,
        zero: 0,
    }
}

impl Front<'_> {
    fn row(&self, i: usize) -> &[f64] {
        &self.entries[i * self.n..(i + 1) * self.n]
    }

    /// The largest entry of a row beside some.
    fn beside(&self, i: usize, but: [usize; 2]) -> f64 {
        let row = self.row(i).iter().enumerate();
        let others = row.filter(|(j, _)| !but.contains(j));
        others.fold(0.0, |m: f64, (_, x)| m.max(x.abs()))
    }

    /// A pivot with an unknown that holds its own: d ≥ u max|a|, or |D⁻¹| (γ₁, γ₂) ≤ 1/u for a pair.
    fn pivot(&self, k: usize, may: &[usize]) -> Option<Pivot> {
        let own = self.row(k)[k];
        let is_left = |value: f64, size: f64| value.abs() > VANISHING_PIVOT * size;
        if is_left(own, self.sizes[k]) && own.abs() >= self.share * self.beside(k, [k, k]) {
            return Some(Pivot::One {
                at: k,
                inverse: own.recip(),
            });
        }
        let partner = may.iter().copied().filter(|i| *i != k);
        let partner = partner.max_by(|a, b| {
            let size = |i: &usize| self.row(k)[*i].abs();
            size(a).total_cmp(&size(b))
        })?;
        let (off, second) = (self.row(k)[partner], self.row(partner)[partner]);
        let (size, other) = (self.sizes[k], self.sizes[partner]);
        if !is_left(off, (size * other).sqrt()) {
            return None;
        }
        // Scaled by the entry off the diagonal.
        let (p, r) = (own / off, second / off);
        let determinant = (p * r - 1.0) * off;
        let inverse = [r / determinant, -determinant.recip(), p / determinant];
        let both = [k, partner];
        let left = [self.beside(k, both), self.beside(partner, both)];
        let grows = |a: f64, b: f64| a.abs() * left[0] + b.abs() * left[1];
        let most = grows(inverse[0], inverse[1]).max(grows(inverse[1], inverse[2]));
        (inverse.iter().all(|x| x.is_finite()) && most * self.share <= 1.0)
            .then_some(Pivot::Two { at: both, inverse })
    }

    /// l = a/d, A ← A − l aᵀ.
    fn eliminate_one(&mut self, k: usize, inverse: f64, columns: &mut Vec<f64>) {
        let from = columns.len();
        columns.extend(self.row(k).iter().map(|a| a * inverse));
        columns[from + k] = 0.0;
        self.reduce(k, &columns[from..]);
        self.vanish(k);
    }

    /// [l m] = [a b] D⁻¹, A ← A − l aᵀ − m bᵀ.
    fn eliminate_two(&mut self, at: [usize; 2], inverse: [f64; 3], columns: &mut Vec<f64>) {
        let (from, n) = (columns.len(), self.n);
        let [p, q, r] = inverse;
        for [x, y] in [[p, q], [q, r]] {
            let both = self.row(at[0]).iter().zip(self.row(at[1]));
            columns.extend(both.map(|(a, b)| x * a + y * b));
        }
        for which in [0, 1] {
            at.iter().for_each(|i| columns[from + which * n + i] = 0.0);
        }
        self.reduce(at[0], &columns[from..from + n]);
        self.reduce(at[1], &columns[from + n..]);
        at.into_iter().for_each(|k| self.vanish(k));
    }

    /// A ← A − l aᵀ, where a is a row that l leaves as it is.
    fn reduce(&mut self, k: usize, column: &[f64]) {
        let n = self.n;
        let (before, rest) = self.entries.split_at_mut(k * n);
        let (row, behind) = rest.split_at_mut(n);
        let rows = before.chunks_exact_mut(n).zip(column);
        let later = behind.chunks_exact_mut(n).zip(&column[k + 1..]);
        for (out, l) in rows.chain(later).filter(|(_, l)| **l != 0.0) {
            add_scaled(out, -l, row);
        }
        for (size, (l, a)) in self.sizes.iter_mut().zip(column.iter().zip(&*row)) {
            *size = size.max((l * a).abs());
        }
    }

    /// Row and column are zero.
    fn vanish(&mut self, k: usize) {
        self.entries[k * self.n..(k + 1) * self.n].fill(0.0);
        let column = self.entries.iter_mut().skip(k).step_by(self.n);
        column.for_each(|x| *x = 0.0);
    }
}
