//! Symmetric block-tridiagonal matrices with a border: trajectories, and what they share.
//!
//! ```text
//! A₀  B₀ᵀ          C₀ᵀ
//! B₀  A₁  B₁ᵀ      C₁ᵀ
//!     B₁  A₂  …    C₂ᵀ
//!         …   …    …
//! C₀  C₁  C₂  …    D
//! ```

use crate::error::{NotFinite, SingularBlock};
use crate::ldlt::{Inertia, LANES, Ldlt, Workspace, start};

/// A symmetric matrix by its blocks; of A and D there are only the lower triangles.
///
/// ```
/// use rattleback_numeric::{ArrowFactors, ArrowMatrix, Inertia};
/// // One unknown beside two others: [[2, 0, 1], [0, 2, 1], [1, 1, 0]].
/// let mut matrix = ArrowMatrix::new(&[1, 1], 1);
/// for k in 0..2 {
///     matrix.diagonal_mut(k)[0] = 2.0;
///     matrix.edge_mut(k)[0] = 1.0;
/// }
/// matrix.corner_mut()[0] = 0.0;
/// let mut factors = ArrowFactors::new(&matrix);
/// assert_eq!(factors.factor(&matrix)?, Inertia { positive: 2, negative: 1, zero: 0 });
/// let mut x = [3.0, 3.0, 2.0];
/// factors.solve(&mut x)?;
/// assert_eq!(x, [1.0, 1.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ArrowMatrix {
    sizes: Vec<usize>,
    border: usize,
    diagonal: Vec<Vec<f64>>,
    lower: Vec<Vec<f64>>,
    edge: Vec<Vec<f64>>,
    corner: Vec<f64>,
}

impl ArrowMatrix {
    /// Zeros, for diagonal blocks of these sizes and a border of this width.
    pub fn new(sizes: &[usize], border: usize) -> Self {
        let pairs = sizes.iter().zip(sizes.iter().skip(1));
        ArrowMatrix {
            sizes: sizes.to_vec(),
            border,
            diagonal: sizes.iter().map(|&n| vec![0.0; start(n)]).collect(),
            lower: pairs.map(|(n, next)| vec![0.0; next * n]).collect(),
            edge: sizes.iter().map(|n| vec![0.0; border * n]).collect(),
            corner: vec![0.0; start(border)],
        }
    }

    /// The sizes of the diagonal blocks.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }
    /// The width of the border.
    pub fn border(&self) -> usize {
        self.border
    }
    /// The number of rows.
    pub fn size(&self) -> usize {
        self.sizes.iter().sum::<usize>() + self.border
    }

    /// The lower triangle of A_k, by rows: its places are those of [`triangle_place`](crate::triangle_place).
    pub fn diagonal_mut(&mut self, k: usize) -> &mut [f64] {
        &mut self.diagonal[k]
    }
    /// B_k, by rows, which stands below A_k and left of A_{k+1}.
    pub fn lower_mut(&mut self, k: usize) -> &mut [f64] {
        &mut self.lower[k]
    }
    /// C_k, by rows.
    pub fn edge_mut(&mut self, k: usize) -> &mut [f64] {
        &mut self.edge[k]
    }
    /// The lower triangle of D, by rows.
    pub fn corner_mut(&mut self) -> &mut [f64] {
        &mut self.corner
    }

    /// y = M x.
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        let (body, shared) = x.split_at(x.len() - self.border);
        let (out, out_shared) = y.split_at_mut(body.len());
        add_symmetric(&self.corner, shared, out_shared);
        let mut place = 0;
        for (k, &n) in self.sizes.iter().enumerate() {
            let here = place..place + n;
            add_symmetric(
                &self.diagonal[k],
                &body[here.clone()],
                &mut out[here.clone()],
            );
            add_product(&self.edge[k], 1.0, &body[here.clone()], out_shared);
            add_transposed(&self.edge[k], 1.0, shared, &mut out[here.clone()]);
            place += n;
            if let Some(lower) = self.lower.get(k) {
                let next = place..place + self.sizes[k + 1];
                add_product(lower, 1.0, &body[here.clone()], &mut out[next.clone()]);
                add_transposed(lower, 1.0, &body[next], &mut out[here]);
            }
        }
    }
}

/// The factors of an [`ArrowMatrix`]: S₀ = A₀, S_{k+1} = A_{k+1} − B_k S_k⁻¹ B_kᵀ, each by
/// Bunch and Kaufman, and last what they leave of the corner.
///
/// Inertia adds up over the blocks (Haynsworth); that of a single block says nothing.
///
/// ```
/// use rattleback_numeric::{ArrowFactors, ArrowMatrix, Inertia};
/// let mut matrix = ArrowMatrix::new(&[1, 1], 0);
/// matrix.diagonal_mut(0)[0] = 2.0;
/// matrix.lower_mut(0)[0] = 2.0;
/// matrix.diagonal_mut(1)[0] = 1.0;
/// let mut factors = ArrowFactors::new(&matrix);
/// assert_eq!(factors.factor(&matrix)?, Inertia { positive: 1, negative: 1, zero: 0 });
/// let mut x = [4.0, 3.0];
/// factors.solve(&mut x)?;
/// assert_eq!(x, [1.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ArrowFactors {
    blocks: Vec<Ldlt>,
    corner: Ldlt,
    /// W_k = B_k S_k⁻¹.
    lower: Vec<Vec<f64>>,
    /// E_k, what elimination makes of C_k, and F_k = E_k S_k⁻¹.
    edge: Vec<Vec<f64>>,
    edge_solved: Vec<Vec<f64>>,
    /// The diagonal block to be factored next.
    schur: Vec<f64>,
    corner_schur: Vec<f64>,
    work: Workspace,
    lanes: Vec<[f64; LANES]>,
}

/// Why there are no factors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ArrowError {
    /// A block is singular.
    #[error(transparent)]
    Singular(#[from] SingularBlock),
    /// An entry, before or during elimination, is not finite.
    #[error(transparent)]
    NotFinite(#[from] NotFinite),
}

impl ArrowFactors {
    /// Memory for matrices of this shape.
    pub fn new(shape: &ArrowMatrix) -> Self {
        let largest = shape.sizes.iter().max().copied().unwrap_or(0);
        ArrowFactors {
            blocks: shape.sizes.iter().map(|&n| Ldlt::new(n)).collect(),
            corner: Ldlt::new(shape.border),
            lower: shape.lower.clone(),
            edge: shape.edge.clone(),
            edge_solved: shape.edge.clone(),
            schur: vec![0.0; start(largest)],
            corner_schur: shape.corner.clone(),
            work: Workspace::default(),
            lanes: Vec::new(),
        }
    }

    /// Factors a matrix of the shape that the memory was made for, and adds up its inertia.
    ///
    /// Blocks are eliminated in their order, so each S_k must be regular; a singular border is
    /// counted in the inertia.
    pub fn factor(&mut self, matrix: &ArrowMatrix) -> Result<Inertia, ArrowError> {
        let mut inertia = Inertia::default();
        self.corner_schur.copy_from_slice(&matrix.corner);
        for (k, &n) in matrix.sizes.iter().enumerate() {
            self.schur[..start(n)].copy_from_slice(&matrix.diagonal[k]);
            self.edge[k].copy_from_slice(&matrix.edge[k]);
            if k > 0 {
                let below = &matrix.lower[k - 1];
                let m = matrix.sizes[k - 1];
                subtract_outer(&self.lower[k - 1], below, m, &mut self.schur);
                let passed = &self.edge_solved[k - 1];
                subtract_edge(passed, below, m, n, &mut self.edge[k]);
            }
            let schur = &self.schur;
            inertia += self.blocks[k].factor_in(&mut self.work, |i, j| schur[start(i) + j])?;
            let singular = |_| SingularBlock { block: k };
            let (block, lanes) = (&self.blocks[k], &mut self.lanes);
            if let Some(lower) = matrix.lower.get(k) {
                self.lower[k].copy_from_slice(lower);
                (block.solve_rows(&mut self.lower[k], lanes)).map_err(singular)?;
            }
            self.edge_solved[k].copy_from_slice(&self.edge[k]);
            (block.solve_rows(&mut self.edge_solved[k], lanes)).map_err(singular)?;
            let (solved, edge) = (&self.edge_solved[k], &self.edge[k]);
            subtract_outer(solved, edge, n, &mut self.corner_schur);
        }
        let corner = &self.corner_schur;
        inertia += self.corner.factor(|i, j| corner[start(i) + j])?;
        Ok(inertia)
    }

    /// Replaces b by the solution x of M x = b.
    pub fn solve(&self, b: &mut [f64]) -> Result<(), SingularBlock> {
        let (body, shared) = b.split_at_mut(b.len() - self.corner.size());
        let mut place = 0;
        for (k, block) in self.blocks.iter().enumerate() {
            let (here, later) = body[place..].split_at_mut(block.size());
            if let Some(lower) = self.lower.get(k) {
                let next = &mut later[..self.blocks[k + 1].size()];
                add_product(lower, -1.0, here, next);
            }
            add_product(&self.edge_solved[k], -1.0, here, shared);
            place += block.size();
        }
        let last = self.blocks.len();
        self.corner
            .solve(shared)
            .map_err(|_| SingularBlock { block: last })?;
        for (k, block) in self.blocks.iter().enumerate().rev() {
            let start = place - block.size();
            let (here, later) = body[start..].split_at_mut(block.size());
            block.solve(here).map_err(|_| SingularBlock { block: k })?;
            if let Some(lower) = self.lower.get(k) {
                let next = &later[..self.blocks[k + 1].size()];
                add_transposed(lower, -1.0, next, here);
            }
            add_transposed(&self.edge_solved[k], -1.0, shared, here);
            place = start;
        }
        Ok(())
    }

    /// Steps of iterative refinement, x ← x + M⁻¹(b − M x), at most so many: until what is left of b is below a part of
    /// it. `scratch` is as long as x.
    pub fn refine(
        &self,
        matrix: &ArrowMatrix,
        (b, part): (&[f64], f64),
        x: &mut [f64],
        scratch: &mut [f64],
        most: usize,
    ) -> Result<(), SingularBlock> {
        let largest = |v: &[f64]| v.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let enough = part * largest(b);
        for _ in 0..most {
            matrix.multiply(x, scratch);
            scratch.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
            if largest(scratch) <= enough {
                break;
            }
            self.solve(scratch)?;
            x.iter_mut().zip(&*scratch).for_each(|(x, d)| *x += *d);
        }
        Ok(())
    }
}

/// The lower triangle of a matrix, less A Bᵀ where both have m columns.
fn subtract_outer(a: &[f64], b: &[f64], m: usize, out: &mut [f64]) {
    if m == 0 {
        return;
    }
    for (i, row) in a.chunks_exact(m).enumerate() {
        for (other, out) in b.chunks_exact(m).zip(&mut out[start(i)..=start(i) + i]) {
            *out -= dot(row, other);
        }
    }
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// E ← E − F Bᵀ, where B has n rows of m columns.
fn subtract_edge(f: &[f64], b: &[f64], m: usize, n: usize, e: &mut [f64]) {
    if m == 0 || n == 0 {
        return;
    }
    for (left, out) in f.chunks_exact(m).zip(e.chunks_exact_mut(n)) {
        for (right, out) in b.chunks_exact(m).zip(out) {
            *out -= dot(left, right);
        }
    }
}

/// y ← y + factor A x.
fn add_product(a: &[f64], factor: f64, x: &[f64], y: &mut [f64]) {
    if x.is_empty() {
        return;
    }
    for (row, y) in a.chunks_exact(x.len()).zip(y) {
        *y += factor * dot(row, x);
    }
}

/// y ← y + factor Aᵀ x.
fn add_transposed(a: &[f64], factor: f64, x: &[f64], y: &mut [f64]) {
    if y.is_empty() {
        return;
    }
    for (row, x) in a.chunks_exact(y.len()).zip(x) {
        for (a, y) in row.iter().zip(y.iter_mut()) {
            *y += factor * a * x;
        }
    }
}

/// y ← y + A x for a symmetric matrix, given by its lower triangle.
fn add_symmetric(a: &[f64], x: &[f64], y: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        let row = &a[start(i)..start(i) + i];
        y[i] += a[start(i) + i] * x[i];
        let (before, here) = y.split_at_mut(i);
        for ((a, x_j), y_j) in row.iter().zip(x).zip(before) {
            here[0] += a * x_j;
            *y_j += a * x[i];
        }
    }
}
