//! A linear system with its memory.

use rattleback_compile::taylor::{Degree, Series};

use super::layout::{LANES, Layout, Pack, Place, ROW, Width};
use super::runtime::DenseSystem;

/// A block with its memory. Its rows come in packs of four, or one by one for four motions.
pub(super) struct BlockPlan {
    pub(super) block: u32,
    pub(super) size: usize,
    /// How many rows make a pack.
    pub(super) rows: usize,
    pub(super) width: Width,
    /// The unknowns by packs of rows.
    pub(super) unknowns: Vec<Pack>,
    /// The column packs of A that are not constant: for row pack r and column j at `r·size + j`.
    pub(super) matrix: Vec<Option<Pack>>,
    /// A_0, b_0, x_0, A_0⁻¹ and space to find them.
    dense: i32,
    /// b_k − Σ A_j x_(k−j)
    pub(super) rest: i32,
    pub(super) system: DenseSystem,
}

impl BlockPlan {
    pub(super) fn new(layout: &mut Layout, block: u32, unknowns: Vec<Pack>) -> BlockPlan {
        let equations = &layout.plan.blocks()[block as usize];
        let size = equations.size();
        let rows = layout.rows_at_once(size);
        let width = layout.group_width(rows);
        let mut matrix = Vec::new();
        for first in (0..size).step_by(rows) {
            for j in 0..size {
                let lanes: Vec<Series> = (first..(first + rows).min(size))
                    .map(|i| equations.matrix[i * size + j])
                    .collect();
                let constant = lanes.iter().all(|&a| layout.degree(a) == Degree::CONSTANT);
                matrix.push((!constant).then(|| layout.operand(&lanes, width)));
            }
        }
        let motions = match layout.width {
            Width::One => 1,
            Width::Four => LANES,
        };
        let system = DenseSystem::new(size, motions, rows);
        let dense = layout.reserve((system.numbers() as i32 * 8).max(ROW));
        let rest = layout.reserve(unknowns.len() as i32 * ROW);
        BlockPlan {
            block,
            size,
            rows,
            width,
            unknowns,
            matrix,
            dense,
            rest,
            system,
        }
    }

    /// A place in the dense system, by number.
    pub(super) fn dense(&self, number: usize) -> Place {
        Place::workspace(self.dense + 8 * number as i32)
    }

    /// Column j of A_0⁻¹, for a pack of rows.
    pub(super) fn inverse(&self, row: usize, j: usize) -> Place {
        let pack = row * self.rows * self.system.motions();
        self.dense(self.system.inverse() + j * self.system.column() + pack)
    }

    /// Where b_k − Σ A_j x_(k−j) of a row pack is.
    pub(super) fn rest(&self, row: usize) -> Place {
        Place::workspace(self.rest + row as i32 * ROW)
    }
}
