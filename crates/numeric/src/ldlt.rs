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

/// How many right-hand sides are solved for at a time.
pub(crate) const LANES: usize = 4;

/// The factorisation of Bunch and Kaufman, with pivots of size one and two; factors as often as
/// wished in the same memory. Only the lower triangle of the matrix is read.
#[derive(Clone, Debug)]
pub struct Ldlt {
    size: usize,
    /// The lower triangle by rows: D⁻¹ on the diagonal (and below it for a pair), L below.
    entries: Vec<f64>,
    /// The row that was swapped with row k in the step of k.
    swaps: Vec<usize>,
    /// Whether k is the first of a pair.
    pairs: Vec<bool>,
    inertia: Inertia,
    first_zero: usize,
}

/// What factoring needs beside the factors; many matrices may be factored with the same one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    /// The largest magnitude that each entry of the lower triangle was made of, by way of what was
    /// eliminated: rounding is measured by it, and where it is zero there never was anything.
    sizes: Vec<f64>,
    column: Column,
}

/// The rows below a pivot, or a pair of them, that it changes.
#[derive(Clone, Debug, Default)]
struct Column {
    rows: Vec<usize>,
    /// Their factors, and the sizes of what these were divided from; for a single pivot the first of each.
    factors: Vec<[f64; 2]>,
    sizes: Vec<[f64; 2]>,
}

impl Column {
    fn clear(&mut self) {
        self.rows.clear();
        self.factors.clear();
        self.sizes.clear();
    }

    fn push(&mut self, row: usize, factors: [f64; 2], sizes: [f64; 2]) {
        self.rows.push(row);
        self.factors.push(factors);
        self.sizes.push(sizes);
    }
}

/// Where row i of a lower triangle begins that is kept by rows.
pub(crate) fn start(i: usize) -> usize {
    i * (i + 1) / 2
}

/// Where the entry (i, j) of a symmetric matrix stands in its lower triangle, by rows.
///
/// ```
/// use rattleback_numeric::triangle_place;
/// assert_eq!([triangle_place(2, 1), triangle_place(1, 2)], [4, 4]);
/// ```
pub fn triangle_place(i: usize, j: usize) -> usize {
    place(i, j)
}

/// The same.
fn place(i: usize, j: usize) -> usize {
    start(i.max(j)) + i.min(j)
}

/// A symmetric 2×2 matrix, given by its lower triangle, times (x, y).
fn of_pair([first, off, second]: [f64; 3], [x, y]: [f64; 2]) -> [f64; 2] {
    [first * x + off * y, off * x + second * y]
}

fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

impl Ldlt {
    /// Memory for symmetric n×n matrices.
    pub fn new(size: usize) -> Self {
        Ldlt {
            size,
            entries: vec![0.0; start(size)],
            swaps: vec![0; size],
            pairs: vec![false; size],
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
        self.factor_in(&mut Workspace::default(), entry)
    }

    /// The same in a workspace that is there already.
    pub(crate) fn factor_in(
        &mut self,
        work: &mut Workspace,
        entry: impl Fn(usize, usize) -> f64,
    ) -> Result<Inertia, NotFinite> {
        let n = self.size;
        // Nothing can be solved with before all entries are known.
        self.inertia = Inertia {
            zero: n,
            ..Inertia::default()
        };
        self.first_zero = 0;
        work.sizes.clear();
        for i in 0..n {
            for (j, place) in self.entries[start(i)..=start(i) + i].iter_mut().enumerate() {
                let value = entry(i, j);
                if !value.is_finite() {
                    return Err(NotFinite { entry: i * n + j });
                }
                *place = value;
                work.sizes.push(value.abs());
            }
        }
        self.inertia = Inertia::default();
        let mut k = 0;
        while k < n {
            k += self.step(work, k);
        }
        Ok(self.inertia)
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        self.entries[triangle_place(i, j)]
    }

    /// Eliminates one pivot, or a pair of them, and says how many.
    fn step(&mut self, work: &mut Workspace, k: usize) -> usize {
        self.pairs[k] = false;
        self.swaps[k] = k;
        if self.column_vanishes(&work.sizes, k) {
            self.drop_column(k);
            return 1;
        }
        let (below, largest) = self.largest_in_column(k);
        let diagonal = self.at(k, k).abs();
        if diagonal >= GROWTH * largest {
            self.eliminate_single(work, k);
            return 1;
        }
        let across = self.largest_in_row(below, k);
        if diagonal * across >= GROWTH * largest * largest {
            self.eliminate_single(work, k);
            return 1;
        }
        if self.at(below, below).abs() >= GROWTH * across {
            self.swap(work, k, below);
            self.eliminate_single(work, k);
            return 1;
        }
        self.pairs[k] = true;
        self.swap(work, k + 1, below);
        self.eliminate_pair(work, k);
        2
    }

    /// Whether rounding alone accounts for all that is left of column k.
    fn column_vanishes(&self, sizes: &[f64], k: usize) -> bool {
        let vanishes = |i: usize| {
            let place = start(i) + k;
            self.entries[place].abs() <= VANISHING_PIVOT * sizes[place]
        };
        (k..self.size).all(vanishes)
    }

    fn drop_column(&mut self, k: usize) {
        if self.inertia.zero == 0 {
            self.first_zero = k;
        }
        self.inertia.zero += 1;
        for i in k..self.size {
            self.entries[start(i) + k] = 0.0;
        }
    }

    /// The place and the size of the largest entry below the diagonal.
    fn largest_in_column(&self, k: usize) -> (usize, f64) {
        (k + 1..self.size).fold((k, 0.0), |best, i| {
            let size = self.entries[start(i) + k].abs();
            if size > best.1 { (i, size) } else { best }
        })
    }

    /// The size of the largest entry of a row of what is left, off the diagonal.
    fn largest_in_row(&self, row: usize, k: usize) -> f64 {
        let left = self.entries[start(row) + k..start(row) + row].iter();
        let below = (row + 1..self.size).map(|i| &self.entries[start(i) + row]);
        left.chain(below).fold(0.0, |m, x| larger(x.abs(), m))
    }

    /// Exchanges rows and columns p < q, of L too.
    fn swap(&mut self, work: &mut Workspace, p: usize, q: usize) {
        self.swaps[p] = q;
        if p == q {
            return;
        }
        for all in [&mut self.entries, &mut work.sizes] {
            for j in 0..p {
                all.swap(start(p) + j, start(q) + j);
            }
            for i in p + 1..q {
                all.swap(start(i) + p, start(q) + i);
            }
            for i in q + 1..self.size {
                all.swap(start(i) + p, start(i) + q);
            }
            all.swap(start(p) + p, start(q) + q);
        }
    }

    /// l = a/d, A ← A − d l lᵀ.
    fn eliminate_single(&mut self, work: &mut Workspace, k: usize) {
        let Workspace { sizes, column } = work;
        let (pivot, pivot_size) = (self.at(k, k), sizes[start(k) + k]);
        if pivot > 0.0 {
            self.inertia.positive += 1;
        } else {
            self.inertia.negative += 1;
        }
        column.clear();
        for i in k + 1..self.size {
            let place = start(i) + k;
            if sizes[place] > 0.0 {
                self.entries[place] /= pivot;
                column.push(i, [self.entries[place], 0.0], [sizes[place], 0.0]);
            }
        }
        for (a, &i) in column.rows.iter().enumerate() {
            let row = start(i)..=start(i) + i;
            let (values, known) = (&mut self.entries[row.clone()], &mut sizes[row]);
            let (factor, change) = (column.factors[a][0].abs(), pivot * column.factors[a][0]);
            let of_row = larger(column.sizes[a][0], factor * pivot_size);
            let before = column.factors[..=a].iter().zip(&column.sizes);
            for (&j, (right, size)) in column.rows.iter().zip(before) {
                values[j] -= change * right[0];
                let made_of = larger(factor * size[0], right[0].abs() * of_row);
                known[j] = larger(known[j], made_of);
            }
        }
        self.entries[start(k) + k] = pivot.recip();
    }

    /// [l m] = [a b] D⁻¹, A ← A − [l m] D [l m]ᵀ, where det D < 0.
    fn eliminate_pair(&mut self, work: &mut Workspace, k: usize) {
        let Workspace { sizes, column } = work;
        self.inertia.positive += 1;
        self.inertia.negative += 1;
        self.pairs[k + 1] = false;
        column.clear();
        let inverse = self.inverse_of_pair(k);
        for i in k + 2..self.size {
            let place = start(i) + k;
            let made_of = [sizes[place], sizes[place + 1]];
            if made_of != [0.0; 2] {
                let both = [self.entries[place], self.entries[place + 1]];
                let factors = of_pair(inverse, both);
                self.entries[place..place + 2].copy_from_slice(&factors);
                column.push(i, factors, made_of);
            }
        }
        let (first, off, second) = (self.at(k, k), self.at(k + 1, k), self.at(k + 1, k + 1));
        let pivots = [
            triangle_place(k, k),
            triangle_place(k + 1, k),
            triangle_place(k + 1, k + 1),
        ]
        .map(|at| sizes[at]);
        for (a, &i) in column.rows.iter().enumerate() {
            let row = start(i)..=start(i) + i;
            let (values, known) = (&mut self.entries[row.clone()], &mut sizes[row]);
            let [l, m] = column.factors[a];
            let (c, d) = (first * l + off * m, off * l + second * m);
            let (l, m) = (l.abs(), m.abs());
            let own = column.sizes[a];
            let by_factors = [l * pivots[0] + m * pivots[1], l * pivots[1] + m * pivots[2]];
            let before = column.factors[..=a].iter().zip(&column.sizes);
            for (&j, ([p, q], size)) in column.rows.iter().zip(before) {
                values[j] -= c * p + d * q;
                let (p, q) = (p.abs(), q.abs());
                let one = l * size[0] + m * size[1];
                let other = p * own[0] + q * own[1];
                let third = p * by_factors[0] + q * by_factors[1];
                known[j] = larger(larger(known[j], one), larger(other, third));
            }
        }
        let places = [
            triangle_place(k, k),
            triangle_place(k + 1, k),
            triangle_place(k + 1, k + 1),
        ];
        for (at, value) in places.into_iter().zip(inverse) {
            self.entries[at] = value;
        }
    }

    /// D⁻¹ of the pair k, k + 1 by its lower triangle, scaled by the entry off the diagonal, which is the largest.
    fn inverse_of_pair(&self, k: usize) -> [f64; 3] {
        let off = self.at(k + 1, k);
        let (first, second) = (self.at(k, k) / off, self.at(k + 1, k + 1) / off);
        let scale = 1.0 / ((first * second - 1.0) * off);
        [scale * second, -scale, scale * first]
    }

    /// Replaces b by the solution x of A x = b.
    pub fn solve(&self, b: &mut [f64]) -> Result<(), SingularMatrix> {
        self.is_regular()?;
        self.solve_lanes(b.as_chunks_mut::<1>().0);
        Ok(())
    }

    /// Replaces each row b of a matrix by the solution x of A x = b, some at a time: each factor is then read
    /// once for all of them, and no sum waits for itself.
    pub(crate) fn solve_rows(
        &self,
        rows: &mut [f64],
        lanes: &mut Vec<[f64; LANES]>,
    ) -> Result<(), SingularMatrix> {
        self.is_regular()?;
        let n = self.size;
        if n == 0 {
            return Ok(());
        }
        lanes.resize(n, [0.0; LANES]);
        for some in rows.chunks_mut(LANES * n) {
            lanes.fill([0.0; LANES]);
            for (w, row) in some.chunks_exact(n).enumerate() {
                row.iter()
                    .zip(lanes.iter_mut())
                    .for_each(|(b, x)| x[w] = *b);
            }
            self.solve_lanes(lanes);
            for (w, row) in some.chunks_exact_mut(n).enumerate() {
                row.iter_mut()
                    .zip(lanes.iter())
                    .for_each(|(b, x)| *b = x[w]);
            }
        }
        Ok(())
    }

    fn is_regular(&self) -> Result<(), SingularMatrix> {
        match self.inertia.zero > 0 {
            true => Err(SingularMatrix {
                pivot: self.first_zero,
            }),
            false => Ok(()),
        }
    }

    fn solve_lanes<const W: usize>(&self, b: &mut [[f64; W]]) {
        for (k, &row) in self.swaps.iter().enumerate() {
            b.swap(k, row);
        }
        self.solve_lower(b);
        let mut k = 0;
        while k < self.size {
            if self.pairs[k] {
                let places = [
                    triangle_place(k, k),
                    triangle_place(k + 1, k),
                    triangle_place(k + 1, k + 1),
                ];
                let inverse = places.map(|at| self.entries[at]);
                let (first, second) = b.split_at_mut(k + 1);
                for (x, y) in first[k].iter_mut().zip(&mut second[0]) {
                    [*x, *y] = of_pair(inverse, [*x, *y]);
                }
                k += 2;
            } else {
                let inverse = self.entries[start(k) + k];
                b[k].iter_mut().for_each(|b| *b *= inverse);
                k += 1;
            }
        }
        self.solve_upper(b);
        for (k, &row) in self.swaps.iter().enumerate().rev() {
            b.swap(k, row);
        }
    }

    /// b ← L⁻¹ b; zeros at its beginning stay.
    fn solve_lower<const W: usize>(&self, b: &mut [[f64; W]]) {
        let first = b.iter().position(|b| *b != [0.0; W]);
        let Some(first) = first else { return };
        for i in first + 1..self.size {
            let (known, rest) = b.split_at_mut(i);
            let mut sum = [0.0; W];
            let factors = self.factors(i);
            let Some(factors) = factors.get(first..) else {
                continue;
            };
            for (l, b) in factors.iter().zip(&known[first..]) {
                for w in 0..W {
                    sum[w] += l * b[w];
                }
            }
            for w in 0..W {
                rest[0][w] -= sum[w];
            }
        }
    }

    /// b ← L⁻ᵀ b.
    fn solve_upper<const W: usize>(&self, b: &mut [[f64; W]]) {
        for i in (0..self.size).rev() {
            let (above, rest) = b.split_at_mut(i);
            let last = rest[0];
            for (b, l) in above.iter_mut().zip(self.factors(i)) {
                b.iter_mut().zip(&last).for_each(|(b, x)| *b -= l * x);
            }
        }
    }

    /// Row i of L left of the diagonal block.
    fn factors(&self, i: usize) -> &[f64] {
        let second_of_pair = i > 0 && self.pairs[i - 1];
        let start = start(i);
        &self.entries[start..start + i - usize::from(second_of_pair)]
    }
}
