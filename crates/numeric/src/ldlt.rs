//! P A Pᵀ = L D Lᵀ of a symmetric matrix that may be indefinite, with its inertia.

use crate::error::{NotFinite, SingularMatrix};
use crate::tolerance::VANISHING_PIVOT;

/// How many eigenvalues are positive, negative and zero (Sylvester).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inertia {
    /// Positive eigenvalues.
    pub positive: usize,
    /// Negative eigenvalues.
    pub negative: usize,
    /// Eigenvalues that are zero to working precision: elimination leaves nothing but rounding.
    pub zero: usize,
}

impl std::ops::AddAssign for Inertia {
    fn add_assign(&mut self, other: Self) {
        self.positive += other.positive;
        self.negative += other.negative;
        self.zero += other.zero;
    }
}

/// (1 + √17)/8: bounds the growth of one step with a pair by that of two single steps.
const GROWTH: f64 = 0.640_388_203_202_208;

/// The factorisation of Bunch and Kaufman, with pivots of size one and two; factors as often as
/// wished in the same memory. Only the lower triangle of the matrix is read.
#[derive(Clone, Debug)]
pub struct Ldlt {
    size: usize,
    /// D on the diagonal (and below it for a pair), L below. Above it, mirrored, the largest magnitude
    /// that each entry was made of, by way of what was eliminated: rounding is measured by it.
    entries: Vec<f64>,
    /// The row that was swapped with row k in the step of k.
    swaps: Vec<usize>,
    /// Whether k is the first of a pair.
    pairs: Vec<bool>,
    /// These magnitudes for the diagonal.
    sizes: Vec<f64>,
    inertia: Inertia,
    first_zero: usize,
}

impl Ldlt {
    /// Memory for symmetric n×n matrices.
    pub fn new(size: usize) -> Self {
        Ldlt {
            size,
            entries: vec![0.0; size * size],
            swaps: vec![0; size],
            pairs: vec![false; size],
            sizes: vec![0.0; size],
            inertia: Inertia::default(),
            first_zero: 0,
        }
    }

    /// The number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Of the matrix factored last.
    pub fn inertia(&self) -> Inertia {
        self.inertia
    }

    /// Factors the matrix with the given entries. A singular matrix is factored too: its inertia
    /// says so, and [`Ldlt::solve`] refuses it.
    pub fn factor(&mut self, entry: impl Fn(usize, usize) -> f64) -> Result<Inertia, NotFinite> {
        let n = self.size;
        // Nothing can be solved with before all entries are known.
        self.inertia = Inertia {
            zero: n,
            ..Inertia::default()
        };
        self.first_zero = 0;
        for i in 0..n {
            for j in 0..=i {
                let value = entry(i, j);
                if !value.is_finite() {
                    return Err(NotFinite { entry: i * n + j });
                }
                self.entries[j * n + i] = value.abs();
                self.entries[i * n + j] = value;
            }
            self.sizes[i] = self.entries[i * n + i].abs();
        }
        self.inertia = Inertia::default();
        let mut k = 0;
        while k < n {
            k += self.step(k);
        }
        Ok(self.inertia)
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        self.entries[i.max(j) * self.size + i.min(j)]
    }

    /// Eliminates one pivot, or a pair of them, and says how many.
    fn step(&mut self, k: usize) -> usize {
        self.pairs[k] = false;
        self.swaps[k] = k;
        if self.column_vanishes(k) {
            self.drop_column(k);
            return 1;
        }
        let (below, largest) = self.largest_in_column(k);
        let diagonal = self.at(k, k).abs();
        if diagonal >= GROWTH * largest {
            self.eliminate_single(k);
            return 1;
        }
        let across = self.largest_in_row(below, k);
        if diagonal * across >= GROWTH * largest * largest {
            self.eliminate_single(k);
            return 1;
        }
        if self.at(below, below).abs() >= GROWTH * across {
            self.swap(k, below);
            self.eliminate_single(k);
            return 1;
        }
        self.pairs[k] = true;
        self.swap(k + 1, below);
        self.eliminate_pair(k);
        2
    }

    /// Whether rounding alone accounts for all that is left of column k.
    fn column_vanishes(&self, k: usize) -> bool {
        let column =
            |i: usize| self.at(i, k).abs() <= VANISHING_PIVOT * self.entries[k * self.size + i];
        self.at(k, k).abs() <= VANISHING_PIVOT * self.sizes[k] && (k + 1..self.size).all(column)
    }

    fn drop_column(&mut self, k: usize) {
        if self.inertia.zero == 0 {
            self.first_zero = k;
        }
        self.inertia.zero += 1;
        for i in k..self.size {
            self.entries[i * self.size + k] = 0.0;
        }
    }

    /// The place and the size of the largest entry below the diagonal.
    fn largest_in_column(&self, k: usize) -> (usize, f64) {
        (k + 1..self.size).fold((k, 0.0), |best, i| {
            let size = self.at(i, k).abs();
            if size > best.1 { (i, size) } else { best }
        })
    }

    /// The size of the largest entry of a row of what is left, off the diagonal.
    fn largest_in_row(&self, row: usize, k: usize) -> f64 {
        let others = (k..self.size).filter(|&j| j != row);
        others.fold(0.0, |m: f64, j| m.max(self.at(row, j).abs()))
    }

    /// Exchanges rows and columns p < q, of L too.
    fn swap(&mut self, p: usize, q: usize) {
        self.swaps[p] = q;
        if p == q {
            return;
        }
        let n = self.size;
        for j in 0..p {
            self.entries.swap(p * n + j, q * n + j);
            self.entries.swap(j * n + p, j * n + q);
        }
        for i in p + 1..q {
            self.entries.swap(i * n + p, q * n + i);
            self.entries.swap(p * n + i, i * n + q);
        }
        for i in q + 1..n {
            self.entries.swap(i * n + p, i * n + q);
            self.entries.swap(p * n + i, q * n + i);
        }
        self.entries.swap(p * n + p, q * n + q);
        self.sizes.swap(p, q);
    }

    /// l = a/d, A ← A − d l lᵀ.
    fn eliminate_single(&mut self, k: usize) {
        let n = self.size;
        let pivot = self.entries[k * n + k];
        if pivot > 0.0 {
            self.inertia.positive += 1;
        } else {
            self.inertia.negative += 1;
        }
        for i in k + 1..n {
            self.entries[i * n + k] /= pivot;
        }
        for i in k + 1..n {
            let (left, size_left) = (self.entries[i * n + k], self.entries[k * n + i]);
            for j in k + 1..=i {
                let (right, size_right) = (self.entries[j * n + k], self.entries[k * n + j]);
                let by_factors = (left * right).abs() * self.sizes[k];
                let size = (left.abs() * size_right).max(right.abs() * size_left);
                self.subtract(i, j, pivot * left * right, size.max(by_factors));
            }
        }
    }

    /// [l m] = [a b] D⁻¹, A ← A − [l m] D [l m]ᵀ, where det D < 0.
    fn eliminate_pair(&mut self, k: usize) {
        let n = self.size;
        self.inertia.positive += 1;
        self.inertia.negative += 1;
        self.pairs[k + 1] = false;
        for i in k + 2..n {
            let row = i * n + k;
            let factors = self.solve_pair(k, [self.entries[row], self.entries[row + 1]]);
            self.entries[row..row + 2].copy_from_slice(&factors);
        }
        let (first, off, second) = (self.at(k, k), self.at(k + 1, k), self.at(k + 1, k + 1));
        for i in k + 2..n {
            let (l, m) = (self.entries[i * n + k], self.entries[i * n + k + 1]);
            let (a, b) = (first * l + off * m, off * l + second * m);
            let sizes = [self.entries[k * n + i], self.entries[(k + 1) * n + i]];
            for j in k + 2..=i {
                let (p, q) = (self.entries[j * n + k], self.entries[j * n + k + 1]);
                let others = [self.entries[k * n + j], self.entries[(k + 1) * n + j]];
                let one = l.abs() * others[0] + m.abs() * others[1];
                let other = p.abs() * sizes[0] + q.abs() * sizes[1];
                let cross = (l * q).abs() + (m * p).abs();
                let by_factors = (l * p).abs() * self.sizes[k]
                    + cross * self.entries[k * n + k + 1]
                    + (m * q).abs() * self.sizes[k + 1];
                self.subtract(i, j, a * p + b * q, one.max(other).max(by_factors));
            }
        }
    }

    /// Subtracts from entry (i, j), j ≤ i, and remembers the size of what it comes from.
    fn subtract(&mut self, i: usize, j: usize, change: f64, size: f64) {
        let n = self.size;
        self.entries[i * n + j] -= change;
        let known = if i == j {
            &mut self.sizes[i]
        } else {
            &mut self.entries[j * n + i]
        };
        *known = known.max(size);
    }

    /// D⁻¹ (x, y) for the pair k, k + 1, scaled by the entry off the diagonal, which is the largest.
    fn solve_pair(&self, k: usize, [x, y]: [f64; 2]) -> [f64; 2] {
        let off = self.at(k + 1, k);
        let (first, second) = (self.at(k, k) / off, self.at(k + 1, k + 1) / off);
        let scale = 1.0 / ((first * second - 1.0) * off);
        [scale * (second * x - y), scale * (first * y - x)]
    }

    /// Replaces b by the solution x of A x = b.
    pub fn solve(&self, b: &mut [f64]) -> Result<(), SingularMatrix> {
        if self.inertia.zero > 0 {
            return Err(SingularMatrix {
                pivot: self.first_zero,
            });
        }
        let n = self.size;
        for (k, &row) in self.swaps.iter().enumerate() {
            b.swap(k, row);
        }
        self.solve_lower(b);
        let mut k = 0;
        while k < n {
            if self.pairs[k] {
                let solved = self.solve_pair(k, [b[k], b[k + 1]]);
                b[k..k + 2].copy_from_slice(&solved);
                k += 2;
            } else {
                b[k] /= self.entries[k * n + k];
                k += 1;
            }
        }
        self.solve_upper(b);
        for (k, &row) in self.swaps.iter().enumerate().rev() {
            b.swap(k, row);
        }
        Ok(())
    }

    /// b ← L⁻¹ b.
    fn solve_lower(&self, b: &mut [f64]) {
        for i in 0..self.size {
            let factors = self.factors(i);
            let known: f64 = factors.iter().zip(&b[..]).map(|(l, b)| l * b).sum();
            b[i] -= known;
        }
    }

    /// b ← L⁻ᵀ b.
    fn solve_upper(&self, b: &mut [f64]) {
        for i in (0..self.size).rev() {
            let (above, rest) = b.split_at_mut(i);
            for (b, l) in above.iter_mut().zip(self.factors(i)) {
                *b -= l * rest[0];
            }
        }
    }

    /// Row i of L left of the diagonal block.
    fn factors(&self, i: usize) -> &[f64] {
        let second_of_pair = i > 0 && self.pairs[i - 1];
        let start = i * self.size;
        &self.entries[start..start + i - usize::from(second_of_pair)]
    }
}
