//! Direct products of groups as frames.

use super::{DirectProduct, LieGroup, Trivialization};
use crate::frame::Frame;
use crate::lie_algebra::LieAlgebra;
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// The Lie algebra, the frame and the adjoint maps of a direct product.
pub trait ProductGroup {
    /// The direct sum of the Lie algebras.
    fn algebra(&self) -> LieAlgebra;
    /// The frame of body or space velocities.
    fn frame(&self, entries: &[Symbol], velocities: &[Symbol], side: Trivialization) -> Frame;
    /// The block-diagonal matrix of Ad_g.
    fn adjoint_matrix(&self, g: &[Expr]) -> Matrix;
}

impl ProductGroup for DirectProduct {
    fn algebra(&self) -> LieAlgebra {
        let parts: Vec<LieAlgebra> = self.factors().iter().map(|&g| LieAlgebra::of(g)).collect();
        LieAlgebra::direct_sum(&parts)
    }

    fn frame(&self, entries: &[Symbol], velocities: &[Symbol], side: Trivialization) -> Frame {
        let parts: Vec<Frame> = self
            .elements(entries)
            .zip(self.velocities(velocities))
            .map(|((g, entries), (_, velocities))| g.frame(entries, velocities, side))
            .collect();
        Frame::direct_sum(&parts)
    }

    fn adjoint_matrix(&self, g: &[Expr]) -> Matrix {
        let mut all = Matrix::zeros(0, 0);
        for (f, g) in self.elements(g) {
            let block = f.adjoint_matrix(g);
            let right = Matrix::zeros(all.rows(), block.cols());
            let below = Matrix::zeros(block.rows(), all.cols());
            all = all.bordered(&right, &below, &block);
        }
        all
    }
}
