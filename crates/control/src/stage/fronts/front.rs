//! One front: its pairs solved, what they leave, and both ways through it with a right-hand side.

use rattleback_numeric::{FrontPivots, combine, inner};
use std::ops::Range;

/// A pivot of A below this part of its column makes it nearly singular.
const NEARLY_SINGULAR: f64 = 1e-7;

/// A front that is eliminated.
#[derive(Clone, Debug, Default)]
pub(super) struct Front {
    /// L and U of A in place, then Y.
    pub pairs: Vec<f64>,
    /// H_yy.
    pub curvature: Vec<f64>,
    /// Z = H_yw + H_yy Y.
    pub coupling: Vec<f64>,
    /// The conditions of y in the order of pivots, y, and w: by their numbers, those of conditions behind variables.
    pub unknowns: Vec<u32>,
    pub determined: usize,
    /// Which of w have columns of Y.
    pub reached: Range<usize>,
    pub pivots: FrontPivots,
}

/// Memory of a front on its way.
#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    /// H of y and w, both triangles.
    pub whole: Vec<f64>,
    /// What its diagonal was made of in later fronts.
    pub made_of: Vec<f64>,
    /// H of w after y, and what its diagonal is made of.
    pub reduced: Vec<f64>,
    pub sizes: Vec<f64>,
    pub may: Vec<usize>,
    pub kept: Vec<usize>,
}

/// Zeros, so many.
pub(super) fn renew(values: &mut Vec<f64>, count: usize) {
    values.clear();
    values.resize(count, 0.0);
}

/// Replaces [A B] by L and U of A, and Y = −A⁻¹B, with the rows in the order of pivots; tells whether A is regular.
pub(super) fn solve_pairs(matrix: &mut [f64], order: &mut [u32], others: usize) -> bool {
    let n = order.len();
    let width = n + others;
    let largest = |matrix: &[f64], from: usize, k: usize| {
        (from..n).fold((from, 0.0), |best: (usize, f64), i| {
            let size = matrix[i * width + k].abs();
            if size > best.1 { (i, size) } else { best }
        })
    };
    for k in 0..n {
        let (row, size) = largest(matrix, k, k);
        let above = (0..k).fold(size, |m: f64, i| m.max(matrix[i * width + k].abs()));
        // Not a number is no pivot either.
        if !(size > NEARLY_SINGULAR * above && size.is_finite()) {
            return false;
        }
        order.swap(k, row);
        let (before, behind) = matrix.split_at_mut((k + 1) * width);
        let pivot = &mut before[k * width..];
        if row != k {
            pivot.swap_with_slice(&mut behind[(row - k - 1) * width..(row - k) * width]);
        }
        for other in behind.chunks_exact_mut(width) {
            if other[k] == 0.0 {
                continue;
            }
            other[k] /= pivot[k];
            let by = -other[k];
            let rest = other[k + 1..].iter_mut().zip(&pivot[k + 1..]);
            rest.for_each(|(x, p)| *x += by * p);
        }
    }
    // U Y = −L⁻¹B, from below.
    for k in (0..n).rev() {
        let (above, behind) = matrix.split_at_mut((k + 1) * width);
        let (upper, own) = above[k * width..].split_at_mut(n);
        own.iter_mut().for_each(|b| *b = -*b);
        let below = |j: usize| &behind[j * width + n..(j + 1) * width];
        combine(own, n - k - 1, |j| -upper[k + 1 + j], below);
        let by = upper[k].recip();
        own.iter_mut().for_each(|b| *b *= by);
    }
    true
}

impl Front {
    /// H_ww + H_wy Y + Yᵀ H_yw + Yᵀ H_yy Y, and the magnitudes that its diagonal is made of.
    pub fn reduce(&mut self, work: &mut Work) {
        let y = self.determined;
        let w = self.unknowns.len() - 2 * y;
        let (n, reached) = (y + w, self.reached.clone());
        let width = y + reached.len();
        let whole = &work.whole;
        self.curvature.clear();
        self.coupling.clear();
        for row in whole.chunks_exact(n.max(1)).take(y) {
            self.curvature.extend(&row[..y]);
            self.coupling.extend(&row[y..]);
        }
        let by_pairs = |i: usize| &self.pairs[i * width + y..(i + 1) * width];
        for (i, out) in self.coupling.chunks_exact_mut(w.max(1)).enumerate() {
            let curvature = &self.curvature[i * y..(i + 1) * y];
            combine(&mut out[reached.clone()], y, |j| curvature[j], by_pairs);
        }
        renew(&mut work.reduced, w * w);
        work.sizes.clear();
        for a in 0..w {
            let out = &mut work.reduced[a * w..=a * w + a];
            out.copy_from_slice(&whole[(y + a) * n + y..=(y + a) * n + y + a]);
            let mut size = out[a].abs().max(work.made_of[y + a]);
            let own = |i: usize| whole[i * n + y + a];
            if reached.contains(&a) {
                let column = a - reached.start;
                let step = |i: usize| self.pairs[i * width + y + column];
                let coupling = |i: usize| &self.coupling[i * w..=i * w + a];
                combine(out, y, step, coupling);
                let both = |i: usize| (step(i) * (own(i).abs() + coupling(i)[a].abs())).abs();
                size += (0..y).map(both).sum::<f64>();
            }
            let to = reached.end.min(a + 1);
            if to > reached.start {
                combine(&mut out[reached.start..to], y, own, by_pairs);
            }
            work.sizes.push(size);
        }
        for a in 0..w {
            for b in 0..a {
                work.reduced[b * w + a] = work.reduced[a * w + b];
            }
        }
    }

    /// Takes y and its multipliers, then what has pivots, out of the right-hand side. In their places stand
    /// y₀ = A⁻¹ r (at the conditions) and r_y − H_yy y₀ (at y).
    pub fn solve_lower(&self, b: &mut [f64], memory: &mut Vec<f64>) {
        let n = self.determined;
        let (width, w) = (n + self.reached.len(), self.unknowns.len() - 2 * n);
        memory.clear();
        memory.extend(self.unknowns.iter().map(|&i| b[i as usize]));
        let (first, rest) = memory.split_at_mut(n);
        let (slopes, left) = rest.split_at_mut(n);
        for i in 0..n {
            let by = inner(&self.pairs[i * width..i * width + i], first);
            first[i] -= by;
        }
        for i in (0..n).rev() {
            let row = &self.pairs[i * width..i * width + n];
            first[i] = (first[i] - inner(&row[i + 1..], &first[i + 1..])) / row[i];
        }
        let by_pairs = |i: usize| &self.pairs[i * width + n..(i + 1) * width];
        let coupling = |i: usize| &self.coupling[i * w..(i + 1) * w];
        combine(&mut left[self.reached.clone()], n, |i| slopes[i], by_pairs);
        combine(left, n, |i| -first[i], coupling);
        for (slope, row) in slopes.iter_mut().zip(self.curvature.chunks_exact(n.max(1))) {
            *slope -= inner(row, first);
        }
        self.pivots.solve_lower(left);
        for (&i, x) in self.unknowns.iter().zip(&*memory) {
            b[i as usize] = *x;
        }
    }

    /// The solution of a front, where what it left to others is known.
    pub fn solve_upper(&self, b: &mut [f64], memory: &mut Vec<f64>) {
        let n = self.determined;
        let (width, w) = (n + self.reached.len(), self.unknowns.len() - 2 * n);
        memory.clear();
        memory.extend(self.unknowns.iter().map(|&i| b[i as usize]));
        let (first, rest) = memory.split_at_mut(n);
        let (slopes, known) = rest.split_at_mut(n);
        self.pivots.solve_upper(known);
        for i in 0..n {
            let row = &self.pairs[i * width + n..(i + 1) * width];
            first[i] += inner(row, &known[self.reached.clone()]);
            slopes[i] -= inner(&self.coupling[i * w..(i + 1) * w], known);
        }
        // Uᵀ Lᵀ λ = r_y − H_yy y₀ − Z w.
        for i in 0..n {
            let (before, rest) = slopes.split_at_mut(i + 1);
            before[i] /= self.pairs[i * width + i];
            let by = before[i];
            let row = &self.pairs[i * width + i + 1..i * width + n];
            rest.iter_mut().zip(row).for_each(|(x, u)| *x -= u * by);
        }
        for i in (0..n).rev() {
            let (before, rest) = slopes.split_at_mut(i);
            let row = &self.pairs[i * width..i * width + i];
            before
                .iter_mut()
                .zip(row)
                .for_each(|(x, l)| *x -= l * rest[0]);
        }
        first.swap_with_slice(slopes);
        for (&i, x) in self.unknowns.iter().zip(&*memory) {
            b[i as usize] = *x;
        }
    }
}
