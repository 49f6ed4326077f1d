//! Ehresmann connections: constraints solved for fibre velocities (VE-C01 to C03, HJ-C28).

use crate::distribution::DistributionError;
use crate::frame::{Frame, Section};
use crate::inverse::{NoInverse, inverse};
use crate::proof::{Parametrization, constant_value, vanish_on};
use crate::tidy::tidy;
use rattleback_symbolic::{Expr, Matrix, Symbol, Verdict, dot};

/// Why constraints do not define a connection for a choice of fibre.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EhresmannError {
    /// As many fibre velocities as constraints are needed.
    #[error("{forms} constraints determine {forms} fibre velocities, not {fibre}")]
    FibreSize {
        /// The number of constraints.
        forms: usize,
        /// The number of fibre velocities chosen.
        fibre: usize,
    },
    /// A fibre index is out of range or given twice.
    #[error("fibre velocity {0} does not exist or is chosen twice")]
    FibreIndex(usize),
    /// The constraints cannot be solved for the fibre velocities anywhere.
    #[error("the constraints cannot be solved for the chosen fibre velocities")]
    Vertical,
    /// The forms have the wrong length or no values.
    #[error(transparent)]
    Forms(#[from] DistributionError),
    /// Whether a pivot vanishes is not decided.
    #[error(transparent)]
    Undecided(rattleback_symbolic::UndecidedZero),
}

impl From<NoInverse> for EhresmannError {
    fn from(why: NoInverse) -> Self {
        match why {
            NoInverse::Singular => Self::Vertical,
            NoInverse::Undecided(open) => Self::Undecided(open),
        }
    }
}

/// The connection with horizontal space D = ker(ω), ω^a = s^a + A^a_α r^α, where the velocities of a
/// frame are split into base velocities r^α and fibre velocities s^a.
///
/// ```
/// use rattleback_geometry::{Ehresmann, Frame};
/// use rattleback_symbolic::{Expr, Matrix, Symbol};
/// let q = ["x", "y", "z"].map(Symbol::variable);
/// let y = Expr::from(&q[1]);
/// // z' = y x'
/// let form = Matrix::from_rows(&[vec![-&y, Expr::zero(), Expr::one()]]);
/// let connection = Ehresmann::new(&Frame::coordinates(&q), &form, &[2], &[]).unwrap();
/// assert_eq!(connection.lift(0), [Expr::one(), Expr::zero(), y]);
/// // B(∂x, ∂y) = -ω([h_x, h_y]) = -ω(-∂z)
/// assert!(connection.curvature(0, 1)[0].is_one());
/// // A velocity in D is that of its base velocity.
/// let base = [2.into(), 3.into()];
/// assert_eq!(connection.base_velocity(&connection.reconstruct(&base)), base);
/// ```
#[derive(Clone, Debug)]
pub struct Ehresmann {
    frame: Frame,
    base: Vec<usize>,
    fibre: Vec<usize>,
    components: Matrix,
    condition: Option<Expr>,
    on: Vec<(Symbol, Expr)>,
}

impl Ehresmann {
    /// Solves independent constraint forms for the fibre velocities with these indices.
    pub fn new(
        frame: &Frame,
        forms: &Matrix,
        fibre: &[usize],
        on: &Parametrization,
    ) -> Result<Self, EhresmannError> {
        let n = frame.rank();
        if forms.cols() != n && forms.rows() > 0 {
            let found = forms.cols();
            return Err(DistributionError::Shape { expected: n, found }.into());
        }
        if fibre.len() != forms.rows() {
            return Err(EhresmannError::FibreSize {
                forms: forms.rows(),
                fibre: fibre.len(),
            });
        }
        let repeated = |(k, a): (usize, &usize)| *a >= n || fibre[..k].contains(a);
        if let Some(k) = fibre.iter().enumerate().position(repeated) {
            return Err(EhresmannError::FibreIndex(fibre[k]));
        }
        let rows: Vec<usize> = (0..forms.rows()).collect();
        let base: Vec<usize> = (0..n).filter(|a| !fibre.contains(a)).collect();
        let vertical = forms.select(&rows, fibre);
        let solved = inverse(&vertical, on)?;
        let det = solved.determinant;
        let components = (&solved.matrix * &forms.select(&rows, &base)).map(tidy);
        let everywhere = det.is_nonvanishing() || constant_value(&det, on).is_some();
        Ok(Self {
            frame: frame.clone(),
            base,
            fibre: fibre.to_vec(),
            components,
            condition: (!everywhere).then_some(det),
            on: on.to_vec(),
        })
    }

    /// The frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }
    /// The indices α of the base velocities.
    pub fn base(&self) -> &[usize] {
        &self.base
    }
    /// The indices a of the fibre velocities.
    pub fn fibre(&self) -> &[usize] {
        &self.fibre
    }
    /// A^a_α: rows are fibre velocities, columns base velocities.
    pub fn components(&self) -> &Matrix {
        &self.components
    }
    /// The function that must not vanish for the splitting to exist; none if it never does.
    pub fn condition(&self) -> Option<&Expr> {
        self.condition.as_ref()
    }

    /// The normalised forms ω^a = s^a + A^a_α r^α as rows.
    pub fn forms(&self) -> Matrix {
        let mut forms = Matrix::zeros(self.fibre.len(), self.frame.rank());
        for (i, &a) in self.fibre.iter().enumerate() {
            forms[(i, a)] = Expr::one();
            for (j, &alpha) in self.base.iter().enumerate() {
                forms[(i, alpha)] = self.components[(i, j)].clone();
            }
        }
        forms
    }

    /// The horizontal lift h_α = e_α - A^a_α e_a of the α-th base velocity.
    pub fn lift(&self, alpha: usize) -> Section {
        let mut h = self.frame.basis(self.base[alpha]);
        for (i, &a) in self.fibre.iter().enumerate() {
            h[a] = -&self.components[(i, alpha)];
        }
        h
    }

    /// The vertical components ω^a(v) of a velocity.
    pub fn vertical(&self, v: &[Expr]) -> Vec<Expr> {
        self.forms().apply(v)
    }

    /// The vertical projection ω^a(v) e_a.
    pub fn vertical_projection(&self, v: &[Expr]) -> Section {
        let mut result = vec![Expr::zero(); self.frame.rank()];
        for (&a, e) in self.fibre.iter().zip(self.vertical(v)) {
            result[a] = e;
        }
        result
    }

    /// The horizontal projection (r, s) ↦ (r, -A r).
    pub fn horizontal_projection(&self, v: &[Expr]) -> Section {
        let vertical = self.vertical_projection(v);
        v.iter().zip(&vertical).map(|(x, y)| x - y).collect()
    }

    /// The curvature in our convention, B(X, Y) = -ω([hor X, hor Y]) = dω(hor X, hor Y), on h_α, h_β.
    pub fn curvature(&self, alpha: usize, beta: usize) -> Vec<Expr> {
        self.bracket_curvature(alpha, beta)
            .iter()
            .map(|e| -e)
            .collect()
    }

    /// The curvature with the opposite sign, +ω([h_α, h_β]), as in the equations of VE (1.4):
    /// ∂_β A^b_α - ∂_α A^b_β + A^a_α ∂_a A^b_β - A^a_β ∂_a A^b_α in coordinates.
    pub fn bracket_curvature(&self, alpha: usize, beta: usize) -> Vec<Expr> {
        let bracket = self.frame.bracket(&self.lift(alpha), &self.lift(beta));
        self.vertical(&bracket).iter().map(tidy).collect()
    }

    /// Does the curvature vanish, so that the constraints are holonomic?
    pub fn is_flat(&self) -> Verdict {
        vanish_on(&self.all_curvatures().concat(), &self.on)
    }

    /// For each fibre component, its curvature on all pairs α < β.
    fn all_curvatures(&self) -> Vec<Vec<Expr>> {
        let mut all = vec![Vec::new(); self.fibre.len()];
        for alpha in 0..self.base.len() {
            for beta in alpha + 1..self.base.len() {
                for (b, e) in self.curvature(alpha, beta).into_iter().enumerate() {
                    all[b].push(e);
                }
            }
        }
        all
    }

    /// The reduced data of a velocity in D: its base components, from which v = r^α h_α.
    pub fn base_velocity(&self, v: &[Expr]) -> Vec<Expr> {
        self.base.iter().map(|&a| v[a].clone()).collect()
    }

    /// Reconstruction: the whole velocity v = r^α h_α of a base velocity.
    pub fn reconstruct(&self, r: &[Expr]) -> Section {
        let mut v = vec![Expr::zero(); self.frame.rank()];
        for (&alpha, e) in self.base.iter().zip(r) {
            v[alpha] = e.clone();
        }
        for (i, &a) in self.fibre.iter().enumerate() {
            v[a] = -dot(self.components.row(i), r);
        }
        v
    }
}
