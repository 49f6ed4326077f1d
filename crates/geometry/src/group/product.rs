//! Direct products of groups: everything happens factor by factor.

use super::{Group, GroupCalculus, LieGroup, LogarithmError, Trivialization};
use crate::frame::Frame;
use crate::lie_algebra::LieAlgebra;
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// G_1 × G_2 × …, with the coordinates and velocities of the factors one after the other.
///
/// ```
/// use rattleback_geometry::{DirectProduct, Group};
/// use rattleback_symbolic::Expr;
/// let g = DirectProduct::new(&[Group::SO2, Group::R(2)]);
/// let x = g.exp(&[0, 3, 4].map(Expr::from));
/// assert_eq!(x, [1, 0, 0, 1, 3, 4].map(Expr::from));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectProduct {
    factors: Vec<Group>,
}

impl DirectProduct {
    /// The product of these groups.
    pub fn new(factors: &[Group]) -> Self {
        Self {
            factors: factors.to_vec(),
        }
    }

    /// The factors.
    pub fn factors(&self) -> &[Group] {
        &self.factors
    }
    /// The sum of the dimensions.
    pub fn dimension(&self) -> usize {
        self.factors.iter().map(|g| g.dimension()).sum()
    }
    /// How many coordinates an element has.
    pub fn coordinates(&self) -> usize {
        self.factors.iter().map(|g| g.coordinates()).sum()
    }
    /// The direct sum of the Lie algebras.
    pub fn algebra(&self) -> LieAlgebra {
        let parts: Vec<LieAlgebra> = self.factors.iter().map(|&g| LieAlgebra::of(g)).collect();
        LieAlgebra::direct_sum(&parts)
    }

    /// Cuts a list into pieces, one per factor.
    fn pieces<'a, T>(
        &'a self,
        all: &'a [T],
        size: impl Fn(Group) -> usize + 'a,
    ) -> impl Iterator<Item = (Group, &'a [T])> + 'a {
        let mut rest = all;
        self.factors.iter().map(move |&g| {
            let (piece, tail) = rest.split_at(size(g).min(rest.len()));
            rest = tail;
            (g, piece)
        })
    }

    fn elements<'a>(&'a self, g: &'a [Expr]) -> impl Iterator<Item = (Group, &'a [Expr])> + 'a {
        self.pieces(g, Group::coordinates)
    }

    /// The frame of body or space velocities.
    pub fn frame(&self, entries: &[Symbol], velocities: &[Symbol], side: Trivialization) -> Frame {
        let parts: Vec<Frame> = self
            .pieces(entries, Group::coordinates)
            .zip(self.pieces(velocities, Group::dimension))
            .map(|((g, entries), (_, velocities))| g.frame(entries, velocities, side))
            .collect();
        Frame::direct_sum(&parts)
    }

    /// The coordinates of the identity.
    pub fn identity(&self) -> Vec<Expr> {
        self.factors.iter().flat_map(|g| g.identity()).collect()
    }

    /// The product.
    pub fn product(&self, g: &[Expr], h: &[Expr]) -> Vec<Expr> {
        let pairs = self.elements(g).zip(self.elements(h));
        pairs.flat_map(|((f, g), (_, h))| f.product(g, h)).collect()
    }

    /// The inverse.
    pub fn inverse(&self, g: &[Expr]) -> Vec<Expr> {
        self.elements(g).flat_map(|(f, g)| f.inverse(g)).collect()
    }

    /// The exponential.
    pub fn exp(&self, x: &[Expr]) -> Vec<Expr> {
        self.pieces(x, Group::dimension)
            .flat_map(|(f, x)| f.exp(x))
            .collect()
    }

    /// The logarithm.
    pub fn log(&self, g: &[Expr]) -> Result<Vec<Expr>, LogarithmError> {
        let mut all = Vec::new();
        for (f, g) in self.elements(g) {
            all.extend(f.log(g)?);
        }
        Ok(all)
    }

    /// The block-diagonal matrix of Ad_g.
    pub fn adjoint(&self, g: &[Expr]) -> Matrix {
        let mut all = Matrix::zeros(0, 0);
        for (f, g) in self.elements(g) {
            let block = f.adjoint(g);
            let right = Matrix::zeros(all.rows(), block.cols());
            let below = Matrix::zeros(block.rows(), all.cols());
            all = all.bordered(&right, &below, &block);
        }
        all
    }
}
