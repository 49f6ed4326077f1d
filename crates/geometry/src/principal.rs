//! Principal connections on U × G: lifts, curvature, reduced velocities (AC-C6, HJ-C28).

use crate::frame::{Frame, Section};
use crate::lie_algebra::LieAlgebra;
use crate::tidy::tidy_component;
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// A connection A(∂_i at the identity) = A^a_i(x) e_a on the trivial bundle U × G, in the body
/// trivialisation: velocities are (x', ξ) with ξ = g^-1 g'.
///
/// ```
/// use rattleback_geometry::{Group, LieAlgebra, PrincipalConnection};
/// use rattleback_symbolic::{Expr, Matrix, Symbol};
/// let x = ["x", "y"].map(Symbol::variable);
/// let a = Matrix::from_rows(&[vec![Expr::zero(), Expr::from(&x[0])]]);
/// let connection = PrincipalConnection::new(&x, &LieAlgebra::of(Group::SO2), a);
/// assert!(connection.curvature(0, 1)[0].is_one());
/// ```
#[derive(Clone, Debug)]
pub struct PrincipalConnection {
    base: Vec<Symbol>,
    algebra: LieAlgebra,
    components: Matrix,
}

impl PrincipalConnection {
    /// From A^a_i: rows are elements of the algebra, columns base directions.
    pub fn new(base: &[Symbol], algebra: &LieAlgebra, components: Matrix) -> Self {
        debug_assert_eq!(
            (components.rows(), components.cols()),
            (algebra.dimension(), base.len())
        );
        Self {
            base: base.to_vec(),
            algebra: algebra.clone(),
            components,
        }
    }

    /// The base coordinates x^i.
    pub fn base(&self) -> &[Symbol] {
        &self.base
    }
    /// The Lie algebra of the structure group.
    pub fn algebra(&self) -> &LieAlgebra {
        &self.algebra
    }
    /// A^a_i.
    pub fn components(&self) -> &Matrix {
        &self.components
    }

    /// The trivialised tangent bundle TU × g: base velocities, then body velocities, anchored on
    /// the base only. All objects here are invariant, so the group's coordinates are not needed.
    pub fn trivialized_frame(&self, velocities: &[Symbol]) -> Frame {
        let (n, m) = (self.base.len(), self.algebra.dimension());
        let fibre = [
            self.base.iter().map(Symbol::derivative).collect(),
            velocities.to_vec(),
        ]
        .concat();
        let mut structure = crate::StructureFunctions::default();
        structure.extend_shifted(self.algebra.structure(), n);
        let anchor = Matrix::new(n, n + m, |i, a| i64::from(i == a).into());
        Frame::new(self.base.clone(), fibre, anchor, structure)
    }

    /// The horizontal lift h_i = ∂_i - A^a_i e_a, in the trivialised frame.
    pub fn horizontal_lift(&self, i: usize) -> Section {
        let unit = (0..self.base.len()).map(|j| i64::from(i == j).into());
        unit.chain(self.components.column(i).iter().map(|a| -a))
            .collect()
    }

    /// The connection form on a velocity (x', ξ): ξ + A x'.
    pub fn vertical_part(&self, velocity: &[Expr]) -> Vec<Expr> {
        let (x, g) = velocity.split_at(self.base.len());
        let shift = self.components.apply(x);
        g.iter().zip(&shift).map(|(g, s)| g + s).collect()
    }

    /// The horizontal part (x', -A x') of a velocity.
    pub fn horizontal_part(&self, velocity: &[Expr]) -> Section {
        let x = &velocity[..self.base.len()];
        let lifted = self.components.apply(x);
        x.iter().cloned().chain(lifted.iter().map(|e| -e)).collect()
    }

    /// The reduced velocities (x', ξ + A x') of the Atiyah algebroid.
    pub fn reduced_velocity(&self, velocity: &[Expr]) -> Section {
        let vertical = self.vertical_part(velocity);
        [&velocity[..self.base.len()], &vertical].concat()
    }

    /// The velocity (x', ξ) that has these reduced velocities: ξ = ȳ - A x', then g' = g ξ.
    pub fn reconstruct(&self, reduced: &[Expr]) -> Section {
        let (x, y) = reduced.split_at(self.base.len());
        let shift = self.components.apply(x);
        let body = y.iter().zip(&shift).map(|(y, s)| y - s);
        x.iter().cloned().chain(body).collect()
    }

    /// The curvature B(X, Y) = -A([hor X, hor Y]):
    /// B^d_ij = ∂_i A^d_j - ∂_j A^d_i - c^d_ab A^a_i A^b_j.
    pub fn curvature(&self, i: usize, j: usize) -> Vec<Expr> {
        let (a_i, a_j) = (self.components.column(i), self.components.column(j));
        let bracket = self.algebra.bracket(&a_i, &a_j);
        (0..self.algebra.dimension())
            .map(|d| {
                tidy_component(
                    &(a_j[d].diff(&self.base[i]) - a_i[d].diff(&self.base[j]) - &bracket[d]),
                )
            })
            .collect()
    }

    /// The Bianchi residuals Σ_cyc(i,j,k) ∂_i B_jk - [A_i, B_jk], which vanish identically.
    pub fn bianchi_defect(&self) -> Vec<Expr> {
        let n = self.base.len();
        let mut all = Vec::new();
        for i in 0..n {
            for j in i + 1..n {
                for k in j + 1..n {
                    let terms = [(i, j, k), (j, k, i), (k, i, j)]
                        .map(|(i, j, k)| self.covariant_derivative(i, &self.curvature(j, k)));
                    let [x, y, z] = terms;
                    all.extend((0..x.len()).map(|d| &x[d] + &y[d] + &z[d]));
                }
            }
        }
        all
    }

    /// ∂_i s - [A_i, s] for a function s with values in the algebra: the derivative along h_i.
    pub fn covariant_derivative(&self, i: usize, s: &[Expr]) -> Vec<Expr> {
        let turned = self.algebra.bracket(&self.components.column(i), s);
        s.iter()
            .zip(&turned)
            .map(|(s, t)| s.diff(&self.base[i]) - t)
            .collect()
    }
}
