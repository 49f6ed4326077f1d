//! Four neighbouring intervals, each condensed to what it means for the others: its pairs solved, and what they leave.
//!
//! A front has conditions A y + B w = r, multipliers λ of them, and H, before anything of later fronts is added:
//!
//! ```text
//! y = y₀ + Y w,   y₀ = A⁻¹ r,   Y = −A⁻¹B,   R = H_ww + H_wy Y + Yᵀ H_yw + Yᵀ H_yy Y,
//! Aᵀλ = r_y − H_yy y − H_yw w.
//! ```
//!
//! Nothing of this waits for other fronts, so that four are worked out side by side, with the same rows as pivots.

use super::super::term::{LANES, Lane};
use super::lanes::{ZERO, each, negative, product, scale, vanishes};
use super::plan::Plan;
use rattleback_integrate::Arithmetic;
use std::sync::Arc;

/// A pivot of A below this part of its column makes it nearly singular.
const NEARLY_SINGULAR: f64 = 1e-7;
/// A pivot for all four is at least this part of what is left of the column of each.
const ENOUGH: f64 = 0.1;

/// Up to four fronts of one plan; lanes beyond repeat the first.
pub(super) struct Condensed {
    pub plan: Arc<Plan>,
    /// The conditions of y in the order of pivots, y, and w without what waits, by their numbers.
    pub unknowns: Vec<[u32; LANES]>,
    /// L and the inverse pivots and U of A in place, then Y; H_yy; H_yw.
    values: Vec<Lane>,
}

/// Memory of four fronts on their way.
#[derive(Default)]
pub(super) struct Memory {
    /// All entries, in the order of the plan; at the end the lower triangle of R stands for H_ww.
    pub entries: Vec<Lane>,
    /// The magnitudes that the diagonal of R is made of.
    pub sizes: Vec<Lane>,
    /// Z = H_yw + H_yy Y.
    coupling: Vec<Lane>,
    /// Numbers of the conditions, of y, and Y w.
    first: Vec<Lane>,
    second: Vec<Lane>,
    change: Vec<Lane>,
}

impl Condensed {
    /// Nothing yet, of a plan.
    pub fn of(plan: Arc<Plan>) -> Self {
        Self {
            plan,
            unknowns: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Takes something from the diagonal of the conditions that determine nothing.
    pub fn take(&self, taken: f64, diagonal: &mut [f64]) {
        let (y, free) = (self.plan.determined.len(), self.plan.free.len());
        let pairs = self.unknowns[..y].iter().flatten();
        pairs.for_each(|&at| diagonal[at as usize] = 0.0);
        let free = self.unknowns[2 * y..2 * y + free].iter().flatten();
        free.for_each(|&at| diagonal[at as usize] = -taken);
    }

    /// Solves the pairs of fronts that are put together in the memory, and leaves R there; none where A is nearly singular in
    /// some lane, or no rows are pivots for all.
    #[inline(always)]
    pub fn condense<A: Arithmetic>(&mut self, memory: &mut Memory) -> Option<()> {
        let plan = &*self.plan;
        let (y, kept) = (plan.determined.len(), plan.parts[2]);
        let matrix = &mut memory.entries[..plan.parts[0]];
        solve_pairs::<A>(matrix, &mut self.unknowns[..y], plan.others.len())?;
        reduce::<A>(plan, memory);
        self.values.clear();
        self.values.reserve_exact(kept);
        self.values.extend_from_slice(&memory.entries[..kept]);
        Some(())
    }

    /// A row of Y, of one front.
    pub fn row(&self, i: usize, lane: usize) -> impl Iterator<Item = f64> + '_ {
        let (y, others) = (self.plan.determined.len(), self.plan.others.len());
        let width = y + others;
        let row = &self.values[i * width + y..(i + 1) * width];
        row.iter().map(move |x| x[lane])
    }

    /// The parts of the values: [A Y], H_yy and H_yw.
    fn parts(&self) -> [&[Lane]; 3] {
        let [first, second, third, _] = self.plan.parts;
        [
            &self.values[..first],
            &self.values[first..second],
            &self.values[second..third],
        ]
    }

    /// Solves for y₀ (in the place of the conditions) and r_y − H_yy y₀ (in that of y); what they add to w is told.
    #[inline(always)]
    pub fn solve_lower<A: Arithmetic>(
        &self,
        b: &mut [f64],
        memory: &mut Memory,
        added: &mut [Lane],
    ) {
        let plan = &*self.plan;
        let (y, w, reached) = (plan.determined.len(), plan.width(), plan.reached());
        let [matrix, curvature, mixed] = self.parts();
        let width = y + reached.len();
        self.read(b, memory);
        let (first, slopes) = (&mut memory.first, &mut memory.second);
        for j in 0..y {
            let by = negative(first[j]);
            let below = matrix[j..].iter().step_by(width).skip(j + 1);
            for (x, l) in first[j + 1..].iter_mut().zip(below) {
                *x = A::block(*l, by, *x);
            }
        }
        for j in (0..y).rev() {
            first[j] = product(first[j], matrix[j * width + j]);
            let by = negative(first[j]);
            let above = matrix[j..].iter().step_by(width);
            for (x, u) in first[..j].iter_mut().zip(above) {
                *x = A::block(*u, by, *x);
            }
        }
        added.fill(ZERO);
        for i in 0..y {
            let by = negative(first[i]);
            A::add_scaled(slopes, by, &curvature[i * y..(i + 1) * y]);
            A::add_scaled(added, by, &mixed[i * w..(i + 1) * w]);
        }
        for (i, slope) in slopes.iter().enumerate() {
            let row = &matrix[i * width + y..(i + 1) * width];
            A::add_scaled(&mut added[reached.start..], *slope, row);
        }
        self.write(b, [&memory.first, &memory.second]);
    }

    /// y and λ, where w is known.
    #[inline(always)]
    pub fn solve_upper<A: Arithmetic>(&self, b: &mut [f64], memory: &mut Memory, known: &[Lane]) {
        let plan = &*self.plan;
        let (y, w, reached) = (plan.determined.len(), plan.width(), plan.reached());
        let [matrix, curvature, mixed] = self.parts();
        let width = y + reached.len();
        self.read(b, memory);
        let (first, slopes) = (&mut memory.first, &mut memory.second);
        let change = &mut memory.change;
        change.clear();
        for i in 0..y {
            let row = &matrix[i * width + y..(i + 1) * width];
            change.push(A::sum_of_products(row, &known[reached.start..]));
        }
        for i in 0..y {
            let by = negative(change[i]);
            A::add_scaled(slopes, by, &curvature[i * y..(i + 1) * y]);
            let mixed = A::sum_of_products(&mixed[i * w..(i + 1) * w], known);
            slopes[i] = each(|l| slopes[i][l] - mixed[l]);
            first[i] = each(|l| first[i][l] + change[i][l]);
        }
        // Uᵀ Lᵀ λ = r_y − H_yy y − H_yw w.
        for i in 0..y {
            let (before, rest) = slopes.split_at_mut(i + 1);
            before[i] = product(before[i], matrix[i * width + i]);
            let row = &matrix[i * width + i + 1..i * width + y];
            A::add_scaled(rest, negative(before[i]), row);
        }
        for i in (0..y).rev() {
            let (before, rest) = slopes.split_at_mut(i);
            let row = &matrix[i * width..i * width + i];
            A::add_scaled(before, negative(rest[0]), row);
        }
        self.write(b, [&memory.second, &memory.first]);
    }

    /// The right-hand sides of conditions and of y.
    #[inline(always)]
    fn read(&self, b: &[f64], memory: &mut Memory) {
        let y = self.plan.determined.len();
        let of = |at: &[u32; LANES]| each(|l| b[at[l] as usize]);
        memory.first.clear();
        memory.first.extend(self.unknowns[..y].iter().map(of));
        memory.second.clear();
        memory.second.extend(self.unknowns[y..2 * y].iter().map(of));
    }

    #[inline(always)]
    fn write(&self, b: &mut [f64], values: [&[Lane]; 2]) {
        let all = values[0].iter().chain(values[1]);
        for (at, values) in self.unknowns.iter().zip(all) {
            for (at, value) in at.iter().zip(values) {
                b[*at as usize] = *value;
            }
        }
    }
}

/// Replaces the lower triangle of H_ww by that of R, where the pairs are solved.
#[inline(always)]
fn reduce<A: Arithmetic>(plan: &Plan, memory: &mut Memory) {
    let (y, w, reached) = (plan.determined.len(), plan.width(), plan.reached());
    let (matrix, rest) = memory.entries.split_at_mut(plan.parts[0]);
    let (curvature, rest) = rest.split_at_mut(plan.parts[1] - plan.parts[0]);
    let (mixed, own) = rest.split_at_mut(plan.parts[2] - plan.parts[1]);
    let width = y + reached.len();
    memory.coupling.clear();
    memory.coupling.extend_from_slice(mixed);
    for i in 0..y {
        let out = &mut memory.coupling[i * w + reached.start..(i + 1) * w];
        for (j, by) in curvature[i * y..(i + 1) * y].iter().enumerate() {
            A::add_scaled(out, *by, &matrix[j * width + y..(j + 1) * width]);
        }
    }
    let sizes = &mut memory.sizes;
    sizes.clear();
    sizes.extend((0..w).map(|a| own[a * w + a].map(f64::abs)));
    for i in 0..y {
        let mixed = &mixed[i * w..(i + 1) * w];
        let coupling = &memory.coupling[i * w..(i + 1) * w];
        let row = &matrix[i * width + y..(i + 1) * width];
        for (a, step) in reached.clone().zip(row) {
            let made = each(|l| step[l].abs() * (mixed[a][l].abs() + coupling[a][l].abs()));
            sizes[a] = each(|l| sizes[a][l] + made[l]);
            // Yᵀ Z, ...
            A::add_scaled(&mut own[a * w..=a * w + a], *step, &coupling[..=a]);
            // ... and H_wy Y.
            A::add_scaled(&mut own[a * w + reached.start..=a * w + a], mixed[a], row);
        }
    }
}

/// Replaces [A B] by L, the inverse pivots and U of A, and Y = −A⁻¹B, with the rows in the order of pivots; none where A is
/// nearly singular in some lane, or no row is a pivot for all.
#[inline(always)]
fn solve_pairs<A: Arithmetic>(
    matrix: &mut [Lane],
    order: &mut [[u32; LANES]],
    others: usize,
) -> Option<()> {
    let n = order.len();
    let width = n + others;
    for k in 0..n {
        let row = pivot(matrix, width, k, n)?;
        order.swap(k, row);
        let (before, behind) = matrix.split_at_mut((k + 1) * width);
        let pivot = &mut before[k * width..];
        if row != k {
            pivot.swap_with_slice(&mut behind[(row - k - 1) * width..(row - k) * width]);
        }
        pivot[k] = pivot[k].map(f64::recip);
        for other in behind.chunks_exact_mut(width) {
            if !vanishes(other[k]) {
                other[k] = product(other[k], pivot[k]);
                let by = negative(other[k]);
                A::add_scaled(&mut other[k + 1..], by, &pivot[k + 1..]);
            }
        }
    }
    // U Y = −L⁻¹B, from below.
    for k in (0..n).rev() {
        let (above, behind) = matrix.split_at_mut((k + 1) * width);
        let (upper, own) = above[k * width..].split_at_mut(n);
        for (row, u) in behind.chunks_exact(width).zip(&upper[k + 1..]) {
            A::add_scaled(own, *u, &row[n..]);
        }
        scale(own, negative(upper[k]));
    }
    Some(())
}

/// The row of a pivot for all lanes: the next one where that is large enough, else the best.
#[inline(always)]
fn pivot(matrix: &[Lane], width: usize, k: usize, n: usize) -> Option<usize> {
    let size = |i: usize| matrix[i * width + k].map(f64::abs);
    let larger = |a: Lane, b: Lane| each(|l| if a[l] > b[l] { a[l] } else { b[l] });
    let below = (k..n).map(size).fold(ZERO, larger);
    let column = (0..k).map(size).fold(below, larger);
    // Not a number is no pivot either.
    let is_regular = |l: usize| below[l] > NEARLY_SINGULAR * column[l] && below[l].is_finite();
    let share = |i: usize| {
        let size = size(i);
        (0..LANES).fold(f64::INFINITY, |m, l| m.min(size[l] / below[l]))
    };
    let is_enough = |i: usize| {
        let size = size(i);
        (0..LANES).all(|l| size[l] >= ENOUGH * below[l])
    };
    if !(0..LANES).all(is_regular) {
        return None;
    }
    if is_enough(k) {
        return Some(k);
    }
    let best = (k..n).max_by(|&a, &b| share(a).total_cmp(&share(b)))?;
    is_enough(best).then_some(best)
}
