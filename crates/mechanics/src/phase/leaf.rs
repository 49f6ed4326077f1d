//! The symplectic space that a bivector leaves at a point (NG-B3).

use super::PhaseError;
use super::elimination::inverse;
use crate::equations::BracketMatrix;
use rattleback_geometry::independent_rows;
use rattleback_symbolic::{Expr, Matrix, Symbol, dot, prove_all_zero};

/// At a point: H = im Π, and ϖ(v, w) = ⟨α, w⟩ for any α with Π α = v. The rank may differ from point to
/// point, as it does for so(3)* at 0.
///
/// ```
/// use rattleback_mechanics::BracketMatrix;
/// use rattleback_symbolic::{Expr, Matrix, Symbol};
/// let coordinates = ["x", "y", "z"].map(Symbol::variable).to_vec();
/// let [x, y, z] = [0, 1, 2].map(|i| Expr::from(&coordinates[i]));
/// let o = Expr::zero;
/// let rows = [vec![o(), z.clone(), -&y], vec![-z, o(), x.clone()], vec![y, -x, o()]];
/// let rotations = BracketMatrix { coordinates: coordinates.clone(), matrix: Matrix::from_rows(&rows) };
/// assert_eq!(rotations.symplectic_space(&[]).unwrap().rank(), 2);
/// let origin: Vec<_> = coordinates.into_iter().map(|s| (s, Expr::zero())).collect();
/// assert_eq!(rotations.symplectic_space(&origin).unwrap().rank(), 0);
/// ```
#[derive(Clone, Debug)]
pub struct SymplecticSpace {
    matrix: Matrix,
    /// Coordinates whose columns of Π span H.
    span: Vec<usize>,
    inverse: Matrix,
}

/// A vector outside the image of the bivector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the vector is not in the image of the bivector")]
pub struct NotHorizontal;

impl BracketMatrix {
    /// The symplectic space at a point; with an empty list, at a generic point.
    pub fn symplectic_space(&self, at: &[(Symbol, Expr)]) -> Result<SymplecticSpace, PhaseError> {
        let matrix = self.matrix.substitute(at);
        let span = independent_rows(&matrix, &[])?.kept;
        // Independent rows of a skew matrix have an invertible principal block.
        let inverse = inverse("the bivector on its image", &matrix.select(&span, &span))?;
        Ok(SymplecticSpace {
            matrix,
            span,
            inverse,
        })
    }
}

impl SymplecticSpace {
    /// The rank of Π, the dimension of H.
    pub fn rank(&self) -> usize {
        self.span.len()
    }

    /// A basis of H.
    pub fn basis(&self) -> Vec<Vec<Expr>> {
        self.span.iter().map(|&j| self.matrix.column(j)).collect()
    }

    /// α with Π α = v, zero outside the spanning coordinates.
    pub fn covector(&self, v: &[Expr]) -> Result<Vec<Expr>, NotHorizontal> {
        if v.len() != self.matrix.rows() {
            return Err(NotHorizontal);
        }
        let part: Vec<Expr> = self.span.iter().map(|&i| v[i].clone()).collect();
        let mut alpha = vec![Expr::zero(); v.len()];
        for (&j, value) in self.span.iter().zip(self.inverse.apply(&part)) {
            alpha[j] = value;
        }
        let back = self.matrix.apply(&alpha);
        let defect: Vec<Expr> = back.iter().zip(v).map(|(b, v)| b - v).collect();
        if prove_all_zero(&defect).is_proven() {
            Ok(alpha)
        } else {
            Err(NotHorizontal)
        }
    }

    /// ϖ(v, w) for v, w in H.
    pub fn form(&self, v: &[Expr], w: &[Expr]) -> Result<Expr, NotHorizontal> {
        self.covector(w)?;
        Ok(dot(&self.covector(v)?, w))
    }
}
