//! Discrete linear Hamiltonian systems and their Riccati equations (DP-A19).

use super::map::Blocks;
use super::plane::Quadratic;
use rattleback_numeric::Dense;

/// Which quadratic Hamiltonian is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinearSide {
    /// H⁻(p, q) = ½ p·N p + p·L q + ½ q·K q.
    Left,
    /// H⁺(q, p) = ½ p·N p + p·L q + ½ q·K q.
    Right,
}

/// A quadratic discrete Hamiltonian.
///
/// ```
/// use rattleback_motion::discrete::{LinearSide, LinearStep};
/// use rattleback_numeric::Dense;
/// // A free particle: q₁ = q + h p.
/// let (n, l, k) = (Dense::of_rows(1, 1, &[0.5]), Dense::identity(1), Dense::zeros(1, 1));
/// let step = LinearStep::new(LinearSide::Right, n, l, k)?;
/// assert_eq!(step.map()?.entries(), [1.0, 0.5, 0.0, 1.0]);
/// # Ok::<(), rattleback_motion::discrete::LinearError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LinearStep {
    side: LinearSide,
    n: Dense,
    l: Dense,
    k: Dense,
}

/// Why a linear step or its function does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinearError {
    /// N or K is not symmetric, or sizes do not fit.
    #[error("the matrices N and K of a quadratic Hamiltonian must be symmetric, of the size of L")]
    Shape,
    /// L is singular: there is no map.
    #[error("L is singular: the Hamiltonian has no map")]
    NoMap,
    /// The plane p = A q + b is carried to one without a function.
    #[error(
        "not transversal: 1 + A N is singular, and S does not exist after this step; go on with its Lagrangian plane"
    )]
    NotTransversal,
    /// The map has no Hamiltonian of this side.
    #[error("the block of the map that the Hamiltonian needs is singular")]
    NoHamiltonian,
}

/// How far a matrix may be from symmetric, as a part of its largest entry.
const SYMMETRY: f64 = 1e-9;
/// A singular value of this part of the largest entry is none.
const SINGULAR: f64 = 1e-12;

impl LinearStep {
    /// From N, L and K.
    pub fn new(side: LinearSide, n: Dense, l: Dense, k: Dense) -> Result<Self, LinearError> {
        let size = l.rows();
        let fits = |m: &Dense| m.rows() == size && m.columns() == size;
        let symmetric = |m: &Dense| (m - &m.transposed()).largest() <= SYMMETRY * m.largest();
        match [&n, &l, &k].into_iter().all(fits) && symmetric(&n) && symmetric(&k) {
            true => Ok(Self { side, n, l, k }),
            false => Err(LinearError::Shape),
        }
    }

    /// The left one of a symplectic matrix: L = −Φ_qq⁻¹, N = Φ_qq⁻¹Φ_qp, K = −Φ_pqΦ_qq⁻¹; the right one by
    /// L = Φ_pp⁻ᵀ, N = Φ_qp Φ_pp⁻¹, K = −Φ_pp⁻¹Φ_pq.
    pub fn of_map(side: LinearSide, map: &Dense) -> Result<Self, LinearError> {
        let n = map.rows() / 2;
        let (qq, qp) = (map.part((0, 0), n, n), map.part((0, n), n, n));
        let (pq, pp) = (map.part((n, 0), n, n), map.part((n, n), n, n));
        let inverse = |m: &Dense| {
            m.solve(&Dense::identity(n))
                .map_err(|_| LinearError::NoHamiltonian)
        };
        let (n, l, k) = match side {
            LinearSide::Left => {
                let back = inverse(&qq)?;
                (&back * &qp, back.scaled(-1.0), (&pq * &back).scaled(-1.0))
            }
            LinearSide::Right => {
                let back = inverse(&pp)?;
                (&qp * &back, back.transposed(), (&back * &pq).scaled(-1.0))
            }
        };
        LinearStep::new(side, n.symmetrised(), l, k.symmetrised())
    }

    /// The left one of a discrete Lagrangian at a step, to second order: N = L₁₁⁻¹, L = L₁₁⁻¹L₁₂, K = −L₂₂ + L₂₁L₁₁⁻¹L₁₂
    /// (DP-A11).
    ///
    /// ```
    /// use rattleback_motion::discrete::{Blocks, LinearStep};
    /// use rattleback_numeric::Dense;
    /// // (q₁ − q₀)²/(2h) with h = 1/2: a free particle.
    /// let number = |x| Dense::of_rows(1, 1, &[x]);
    /// let step = LinearStep::of_blocks(&Blocks { start: number(2.0), mixed: number(-2.0), end: number(2.0) })?;
    /// assert_eq!(step.map()?.entries(), [1.0, 0.5, 0.0, 1.0]);
    /// # Ok::<(), rattleback_motion::discrete::LinearError>(())
    /// ```
    pub fn of_blocks(blocks: &Blocks) -> Result<Self, LinearError> {
        let size = blocks.start.rows();
        let n = blocks.start.solve(&Dense::identity(size));
        let n = n.map_err(|_| LinearError::NoHamiltonian)?;
        let l = &n * &blocks.mixed;
        let k = &(&blocks.mixed.transposed() * &l) - &blocks.end;
        LinearStep::new(LinearSide::Left, n.symmetrised(), l, k.symmetrised())
    }

    /// Φ on (q, p).
    pub fn map(&self) -> Result<Dense, LinearError> {
        let n = self.l.rows();
        let inverse = self.l.solve(&Dense::identity(n));
        let inverse = inverse.map_err(|_| LinearError::NoMap)?;
        let (qq, qp, pq, pp) = match self.side {
            LinearSide::Left => {
                let kl = &self.k * &inverse;
                (
                    inverse.scaled(-1.0),
                    (&inverse * &self.n).scaled(-1.0),
                    kl.clone(),
                    &(&kl * &self.n) - &self.l.transposed(),
                )
            }
            LinearSide::Right => {
                let turned = inverse.transposed();
                let nl = &self.n * &turned;
                (
                    &self.l - &(&nl * &self.k),
                    nl,
                    (&turned * &self.k).scaled(-1.0),
                    turned,
                )
            }
        };
        let upper = qq.beside(&qp);
        let lower = pq.beside(&pp);
        Ok(Dense::new(2 * n, 2 * n, |i, j| match i < n {
            true => upper[(i, j)],
            false => lower[(i - n, j)],
        }))
    }

    /// S^{k+1} of S^k for a left Hamiltonian; S^k of S^{k+1} for a right one:
    ///
    /// ```text
    /// left:   A' = Lᵀ G A L − K,  b' = −Lᵀ G b,  c' = c − ½ b·N G b,   G = (1 + A N)⁻¹
    /// right:  A' = K + Lᵀ G A L,  b' =  Lᵀ G b,  c' = c + ½ b·N G b,   G = (1 − A N)⁻¹
    /// ```
    pub fn riccati(&self, s: &Quadratic) -> Result<Quadratic, LinearError> {
        let n = self.l.rows();
        let sign = match self.side {
            LinearSide::Left => 1.0,
            LinearSide::Right => -1.0,
        };
        let product = (&s.a * &self.n).scaled(sign);
        let matrix = &Dense::identity(n) + &product;
        let singular = rattleback_numeric::singular_values(&matrix);
        let size = 1.0_f64.max(product.largest());
        if singular.iter().any(|s| *s <= SINGULAR * size) {
            return Err(LinearError::NotTransversal);
        }
        let b = Dense::new(n, 1, |i, _| s.b[i]);
        let solve = |right: &Dense| matrix.solve(right).map_err(|_| LinearError::NotTransversal);
        let (ga, gb) = (solve(&s.a)?, solve(&b)?);
        let turned = self.l.transposed();
        let quadratic = &(&turned * &ga) * &self.l;
        let linear = (&turned * &gb).scaled(-sign);
        let rest = &b.transposed() * &(&self.n * &gb);
        let a = match self.side {
            LinearSide::Left => &quadratic - &self.k,
            LinearSide::Right => &quadratic + &self.k,
        };
        Ok(Quadratic {
            a: a.symmetrised(),
            b: linear.entries().to_vec(),
            c: s.c - sign * rest[(0, 0)] / 2.0,
        })
    }

    /// f⁻(q) = −L⁻¹((1 + N A) q + N b) of a left Hamiltonian.
    pub fn spread(&self, s: &Quadratic, q: &[f64]) -> Result<Vec<f64>, LinearError> {
        let n = q.len();
        let p = s.slope(q);
        let right = Dense::new(n, 1, |i, _| {
            -q[i] - (0..n).map(|j| self.n[(i, j)] * p[j]).sum::<f64>()
        });
        let found = self.l.solve(&right).map_err(|_| LinearError::NoMap)?;
        Ok(found.entries().to_vec())
    }
}
