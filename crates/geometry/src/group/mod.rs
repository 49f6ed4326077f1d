//! The Lie groups of the model language as frames; their laws are those of [`rattleback_lie`].
//!
//! The coordinates of a group factor are its matrix entries (or quaternion components), redundant on
//! purpose: no charts, no singularities.

mod matrix_group;
mod product;

pub use matrix_group::{MatrixGroup, MatrixGroupError};
pub use product::ProductGroup;

use crate::frame::Frame;
use crate::structure::StructureFunctions;
pub use rattleback_lie::{ChartError, DirectProduct, Group, Trivialization};
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// The Lie algebra of a group, its frame, and its maps as matrices.
pub trait LieGroup: Copy {
    /// Which group it is.
    fn group(self) -> Group;

    /// The basis of the Lie algebra as matrices, for matrix groups.
    fn generators(self) -> Vec<Matrix> {
        let group = self.group();
        let Some(n) = group.matrix_size() else {
            return Vec::new();
        };
        (0..group.dimension())
            .map(|a| square(n, &group.hat(&group.basis(a))))
            .collect()
    }

    /// The structure constants of left-invariant fields.
    fn structure(self) -> StructureFunctions {
        StructureFunctions::from_constants(&self.group().structure_constants())
    }

    /// The anchor: the velocity of the coordinates for each basis velocity.
    fn anchor(self, element: &[Expr], trivialization: Trivialization) -> Matrix {
        let group = self.group();
        let columns: Vec<Vec<Expr>> = (0..group.dimension())
            .map(|a| group.rates(trivialization, element, &group.basis(a)))
            .collect();
        Matrix::new(group.coordinates(), columns.len(), |i, a| {
            columns[a][i].clone()
        })
    }

    /// The frame of the group on its coordinates.
    fn frame(
        self,
        entries: &[Symbol],
        velocities: &[Symbol],
        trivialization: Trivialization,
    ) -> Frame {
        let element: Vec<Expr> = self.element(entries);
        let structure = match trivialization {
            Trivialization::Body => self.structure(),
            // Right-invariant fields close with the opposite sign.
            Trivialization::Space => self.structure().negated(),
        };
        let anchor = self.anchor(&element, trivialization);
        Frame::new(entries.to_vec(), velocities.to_vec(), anchor, structure)
    }

    /// The coordinates as expressions.
    fn element(self, entries: &[Symbol]) -> Vec<Expr> {
        entries.iter().map(Expr::from).collect()
    }

    /// The matrix of Ad_g on the Lie algebra: g ξ g^-1.
    fn adjoint_matrix(self, g: &[Expr]) -> Matrix {
        let group = self.group();
        square(group.dimension(), &group.matrix_of(|x| group.adjoint(g, x)))
    }

    /// A dense rational parametrisation of the coordinates by free parameters, for proofs: a
    /// function on the group vanishes iff it vanishes after this substitution.
    fn parametrization(self, name: &str) -> Vec<Expr> {
        let free = |tag: &str, k: usize| Expr::from(Symbol::variable(&format!("{name}_{tag}{k}")));
        let group = self.group();
        let turns = group.angular_velocities();
        let parameters: Vec<Expr> = (1..=turns)
            .map(|k| free("c", k))
            .chain((0..group.dimension() - turns).map(|k| free("t", k)))
            .collect();
        group.rational_chart(&parameters)
    }
}

impl LieGroup for Group {
    fn group(self) -> Group {
        self
    }
}

/// A square matrix from its entries, row by row.
fn square(n: usize, entries: &[Expr]) -> Matrix {
    Matrix::new(n, n, |i, j| entries[n * i + j].clone())
}
