//! Distributions: subbundles of a frame, by constraint one-forms or by spanning sections.

mod block;
mod flag;
mod independent;
mod kernel;
mod support;

pub use flag::Growth;
pub use independent::{Independence, Redundant, independent_rows};

use crate::frame::{Frame, Section};
use crate::proof::{Parametrization, vanish_on};
use crate::span::NoValue;
use kernel::{Place, kernel};
use rattleback_symbolic::{
    Expr, Matrix, Reason, Symbol, UndecidedZero, Verdict, certainly_nonzero, dot, substitute_all,
};

/// Why a distribution could not be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DistributionError {
    /// The rows do not have one entry per section of the frame.
    #[error("expected {expected} components, one per velocity, found {found}")]
    Shape {
        /// The rank of the frame.
        expected: usize,
        /// What was given.
        found: usize,
    },
    /// Whether an entry vanishes is not decided, for example because it divides by zero everywhere.
    #[error("{0}")]
    NoValue(String),
    /// Spanning sections must be independent.
    #[error("section {0} depends on the ones before it")]
    DependentSection(usize),
}

impl From<NoValue> for DistributionError {
    fn from(why: NoValue) -> Self {
        Self::NoValue(why.to_string())
    }
}

/// A subbundle D of a frame of rank N, with a basis (columns, N×k) and forms that annihilate it
/// (rows, m×N), k + m = N.
///
/// ```
/// use rattleback_geometry::{Distribution, Frame};
/// use rattleback_symbolic::{Expr, Matrix, Symbol};
/// let q = ["x", "y", "phi"].map(Symbol::variable);
/// let phi = Expr::from(&q[2]);
/// let knife = Matrix::from_rows(&[vec![phi.sin(), -phi.cos(), Expr::zero()]]);
/// let d = Distribution::annihilated_by(&Frame::coordinates(&q), &knife, &[]).unwrap();
/// assert_eq!(d.basis().column(0), [phi.cos(), phi.sin(), Expr::zero()]);
/// assert!(d.is_involutive().is_refuted());
/// assert_eq!(d.growth().unwrap().ranks, [2, 3]);
/// ```
#[derive(Clone, Debug)]
pub struct Distribution {
    frame: Frame,
    basis: Matrix,
    annihilator: Matrix,
    redundant: Vec<Redundant>,
    conditions: Vec<Expr>,
    rank_drop: Vec<Expr>,
    on: Vec<(Symbol, Expr)>,
}

impl Distribution {
    /// The sections on which all forms vanish, with a basis that stays regular where the forms have
    /// full rank wherever such a basis is found. Dependent forms are set aside: see
    /// [`Distribution::redundant`]. `on` parametrises redundant coordinates, for proofs only.
    pub fn annihilated_by(
        frame: &Frame,
        forms: &Matrix,
        on: &Parametrization,
    ) -> Result<Self, DistributionError> {
        Self::annihilated_by_near(frame, forms, on, &[])
    }

    /// [`Distribution::annihilated_by`], with a basis that is regular at a given point where no
    /// basis is regular everywhere.
    pub fn annihilated_by_near(
        frame: &Frame,
        forms: &Matrix,
        on: &Parametrization,
        point: &[(Symbol, Expr)],
    ) -> Result<Self, DistributionError> {
        check_shape(frame, forms)?;
        let forms = without_hidden_zeros(forms, on)?;
        let Independence { kept, dropped } = independent_rows(&forms, on)?;
        let columns: Vec<usize> = (0..frame.rank()).collect();
        let annihilator = forms.select(&kept, &columns);
        let mut found = kernel(&annihilator, Place { on, near: point })?;
        Ok(Self {
            frame: frame.clone(),
            basis: found.basis(frame.rank()),
            annihilator,
            redundant: dropped,
            conditions: found.conditions,
            rank_drop: found.rank_drop,
            on: on.to_vec(),
        })
    }

    /// The span of given sections, which must be independent at generic points.
    pub fn spanned_by(
        frame: &Frame,
        sections: &[Section],
        on: &Parametrization,
    ) -> Result<Self, DistributionError> {
        let n = frame.rank();
        if let Some(short) = sections.iter().find(|s| s.len() != n) {
            return Err(DistributionError::Shape {
                expected: n,
                found: short.len(),
            });
        }
        let rows = Matrix::new(sections.len(), n, |a, i| sections[a][i].clone());
        let rows = without_hidden_zeros(&rows, on)?;
        if let Some(first) = independent_rows(&rows, on)?.dropped.first() {
            return Err(DistributionError::DependentSection(first.row));
        }
        let mut dual = kernel(&rows, Place { on, near: &[] })?;
        Ok(Self {
            frame: frame.clone(),
            basis: rows.transpose(),
            annihilator: dual.basis(n).transpose(),
            redundant: Vec::new(),
            conditions: dual.conditions,
            rank_drop: dual.rank_drop,
            on: on.to_vec(),
        })
    }

    /// The frame that D is a subbundle of.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }
    /// A basis of D: one column per section Z_a.
    pub fn basis(&self) -> &Matrix {
        &self.basis
    }
    /// The section Z_a.
    pub fn section(&self, a: usize) -> Section {
        self.basis.column(a)
    }
    /// The rank k of D at generic points.
    pub fn rank(&self) -> usize {
        self.basis.cols()
    }
    /// Independent forms that annihilate D: one row per form.
    pub fn annihilator(&self) -> &Matrix {
        &self.annihilator
    }
    /// The given forms that depend on the others.
    pub fn redundant(&self) -> &[Redundant] {
        &self.redundant
    }
    /// Functions that must not vanish for the computed basis (of D, or of its annihilator) to be
    /// one; empty where it is one wherever the given data have full rank.
    pub fn conditions(&self) -> &[Expr] {
        &self.conditions
    }
    /// Functions at whose zeros the given forms (or sections) lose rank, as far as they are known.
    pub fn rank_drop(&self) -> &[Expr] {
        &self.rank_drop
    }
    /// The parametrisation of redundant coordinates.
    pub fn parametrization(&self) -> &Parametrization {
        &self.on
    }

    /// Do the forms vanish on D?
    pub fn check_annihilates(&self, forms: &Matrix) -> Verdict {
        if forms.cols() != self.frame.rank() {
            return Verdict::undecided(format!(
                "forms have {} components, not {}",
                forms.cols(),
                self.frame.rank()
            ));
        }
        vanish_on((forms * &self.basis).entries(), &self.on)
    }

    /// The obstruction to integrability T_a,bc = φ_a([Z_b, Z_c]), b < c (NG-K5), as (a, b, c, T).
    ///
    /// With the exterior derivative of forms, T_a,bc = -dφ_a(Z_b, Z_c).
    pub fn involutivity_tensor(&self) -> Vec<(usize, usize, usize, Expr)> {
        let mut tensor = Vec::new();
        for b in 0..self.rank() {
            for c in b + 1..self.rank() {
                let bracket = self.frame.bracket(&self.section(b), &self.section(c));
                for a in 0..self.annihilator.rows() {
                    tensor.push((a, b, c, dot(self.annihilator.row(a), &bracket)));
                }
            }
        }
        tensor
    }

    /// Is D closed under brackets (Frobenius)? Then the constraints are holonomic.
    pub fn is_involutive(&self) -> Verdict {
        let tensor: Vec<Expr> = self
            .involutivity_tensor()
            .into_iter()
            .map(|(.., t)| t)
            .collect();
        vanish_on(&tensor, &self.on)
    }
}

fn check_shape(frame: &Frame, rows: &Matrix) -> Result<(), DistributionError> {
    if rows.cols() == frame.rank() || rows.rows() == 0 {
        return Ok(());
    }
    Err(DistributionError::Shape {
        expected: frame.rank(),
        found: rows.cols(),
    })
}

/// Writes entries that vanish identically as 0, so that the pattern of the matrix tells the truth.
fn without_hidden_zeros(matrix: &Matrix, on: &Parametrization) -> Result<Matrix, NoValue> {
    let nonzero = certainly_nonzero(&substitute_all(matrix.entries(), on));
    let mut result = matrix.clone();
    for (k, _) in nonzero.iter().enumerate().filter(|(_, yes)| !**yes) {
        let at = (k / matrix.cols(), k % matrix.cols());
        match vanish_on(std::slice::from_ref(&matrix[at]), on) {
            Verdict::Proven { .. } => result[at] = Expr::zero(),
            Verdict::Undecided {
                why: why @ (Reason::NowhereDefined | Reason::Undefined),
            } => {
                let expression = matrix[at].clone();
                return Err(UndecidedZero { expression, why }.into());
            }
            // An entry that may be zero or not stays in the pattern.
            _ => {}
        }
    }
    Ok(result)
}
