//! Bundle metrics on a frame: musical isomorphisms and gradients (NG-K1, AC-C7).

use crate::frame::{Frame, Section};
use crate::inverse::{NoInverse, inverse};
use crate::proof::{Parametrization, vanish_on};
use rattleback_symbolic::{Expr, Matrix, Verdict, dot};

/// Why a matrix is no metric.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MetricError {
    /// The matrix is not rank × rank.
    #[error("a metric on {rank} velocities is a {rank}x{rank} matrix, not {rows}x{cols}")]
    Shape {
        /// The rank of the frame.
        rank: usize,
        /// The rows given.
        rows: usize,
        /// The columns given.
        cols: usize,
    },
    /// An entry differs from its mirror image.
    #[error("the metric is not symmetric: entries ({0},{1}) and ({1},{0}) differ")]
    NotSymmetric(usize, usize),
    /// The determinant vanishes identically.
    #[error("the metric is degenerate: its determinant vanishes everywhere")]
    Degenerate,
    /// Whether a pivot vanishes is not decided.
    #[error(transparent)]
    Undecided(rattleback_symbolic::UndecidedZero),
}

impl From<NoInverse> for MetricError {
    fn from(why: NoInverse) -> Self {
        match why {
            NoInverse::Singular => Self::Degenerate,
            NoInverse::Undecided(open) => Self::Undecided(open),
        }
    }
}

/// A metric G_AB = G(e_A, e_B) on the sections of a frame, nondegenerate at generic points.
///
/// ```
/// use rattleback_geometry::{Frame, Metric};
/// use rattleback_symbolic::{Expr, Matrix, Symbol};
/// let q = ["r", "phi"].map(Symbol::variable);
/// let r = Expr::from(&q[0]);
/// let g = Matrix::diagonal(&[Expr::one(), r.powi(2)]);
/// let polar = Metric::new(&Frame::coordinates(&q), g, &[]).unwrap();
/// assert_eq!(polar.gradient(&Expr::from(&q[1])), [Expr::zero(), r.powi(-2)]);
/// ```
#[derive(Clone, Debug)]
pub struct Metric {
    frame: Frame,
    lower: Matrix,
    upper: Matrix,
    determinant: Expr,
}

impl Metric {
    /// A metric from its components; `on` parametrises redundant coordinates, for proofs only.
    pub fn new(frame: &Frame, g: Matrix, on: &Parametrization) -> Result<Self, MetricError> {
        let n = frame.rank();
        if (g.rows(), g.cols()) != (n, n) {
            return Err(MetricError::Shape {
                rank: n,
                rows: g.rows(),
                cols: g.cols(),
            });
        }
        for a in 0..n {
            for b in a + 1..n {
                let (x, y) = (&g[(a, b)], &g[(b, a)]);
                if x != y && !vanish_on(&[x - y], on).is_proven() {
                    return Err(MetricError::NotSymmetric(a + 1, b + 1));
                }
            }
        }
        let inverse = inverse(&g, on)?;
        Ok(Self {
            frame: frame.clone(),
            lower: g,
            upper: inverse.matrix,
            determinant: inverse.determinant,
        })
    }

    /// The frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }
    /// The components G_AB.
    pub fn lower(&self) -> &Matrix {
        &self.lower
    }
    /// The inverse G^AB.
    pub fn upper(&self) -> &Matrix {
        &self.upper
    }
    /// det G, which must not vanish.
    pub fn determinant(&self) -> &Expr {
        &self.determinant
    }

    /// G(X, Y).
    pub fn inner(&self, x: &[Expr], y: &[Expr]) -> Expr {
        dot(x, &self.lower.apply(y))
    }

    /// The covector X♭ = G(X, ·).
    pub fn flat(&self, x: &[Expr]) -> Vec<Expr> {
        self.lower.apply(x)
    }

    /// The section α♯ with G(α♯, ·) = α.
    pub fn sharp(&self, covector: &[Expr]) -> Section {
        self.upper.apply(covector)
    }

    /// The gradient (df)♯.
    pub fn gradient(&self, f: &Expr) -> Section {
        self.sharp(&self.frame.differential(f))
    }

    /// Does `upper` invert `lower` on the parametrised space?
    pub fn check_inverse(&self, on: &Parametrization) -> Verdict {
        let n = self.frame.rank();
        let defect = &(&self.lower * &self.upper) - &Matrix::identity(n);
        vanish_on(defect.entries(), on)
    }
}
