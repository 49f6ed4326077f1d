//! Linear systems: x_k = A_0⁻¹ (b_k − Σ_(j≥1) A_j x_(k−j)).

use std::ops::Range;

use super::code::Number;
use super::emit::Emitter;
use super::steps::Stage;
use super::sums::{Factor, Sum};
use crate::taylor::blocks::BlockPlan;
use crate::taylor::layout::{Place, Width};
use crate::taylor::runtime;

impl Emitter<'_, '_, '_> {
    /// What a system sums up over earlier orders for these packs of rows: Σ A_j x_(k−j).
    pub(super) fn block_sums(&self, block: &BlockPlan, rows: Range<usize>) -> Vec<Sum> {
        let layout = &self.sketch.layout;
        let unknowns = &layout.plan.blocks()[block.block as usize].solution;
        let row = |row: usize| {
            let columns = unknowns.iter().enumerate();
            let products = columns.filter_map(|(j, &x)| {
                let entries = self.factor(block.matrix[row * block.size + j]?);
                let component = Factor {
                    places: layout.places(x)?,
                    degree: layout.degree(x),
                    is_spread: block.rows > 1,
                };
                Some((entries, component))
            });
            Sum {
                width: block.width,
                products: products.collect(),
            }
        };
        rows.map(row).collect()
    }

    /// Works out a system, or a part of it, from its sums over earlier orders.
    pub(super) fn block(&mut self, block: &BlockPlan, stage: &Stage, sums: &[Option<Number>]) {
        if self.order.is_first() {
            if stage.begins() {
                self.begin_block(block);
            }
            return;
        }
        if !self.reaches(block.unknowns[0]) {
            return;
        }
        match stage {
            Stage::Whole => {
                let rest: Vec<Number> = (sums.iter().enumerate())
                    .map(|(row, &sum)| self.rest(block, row, sum))
                    .collect();
                let components: Vec<Number> = (0..block.size)
                    .map(|j| self.spread_lane(block, &rest, j))
                    .collect();
                self.solve(block, 0..block.unknowns.len(), &components);
            }
            Stage::Rest(rows) => {
                for (row, &sum) in rows.clone().zip(sums) {
                    let rest = self.rest(block, row, sum);
                    let to = self.code.address(block.rest(row));
                    self.code.store(to, rest);
                }
            }
            Stage::Solution(rows) => {
                let components: Vec<Number> = (0..block.size)
                    .map(|j| {
                        let mut place = block.rest(j / block.rows);
                        place.offset += (j % block.rows) as i32 * Width::One.bytes();
                        self.component(block, place)
                    })
                    .collect();
                self.solve(block, rows.clone(), &components);
            }
        }
    }

    /// Factorises A_0 and finds x_0.
    fn begin_block(&mut self, block: &BlockPlan) {
        let equations = &self.sketch.layout.plan.blocks()[block.block as usize];
        let motions = block.system.motions();
        for (place, &series) in equations.matrix.iter().chain(&equations.rhs).enumerate() {
            let number = self.operand_or_zero(series);
            let to = self.code.address(block.dense(place * motions));
            self.code.store(to, number);
        }
        let arguments = [
            block.size as u64,
            motions as u64,
            block.rows as u64,
            u64::from(equations.symmetric),
        ];
        let function = runtime::factorise_address();
        let failed = self.code.call(function, &[block.dense(0)], &arguments);
        self.code.add_failures(self.sketch.layout.failed, failed);
        for (row, &pack) in block.unknowns.iter().enumerate() {
            let from = block.system.solution() + row * block.rows * motions;
            let from = self.code.address(block.dense(from));
            let number = self.code.load(block.width, from);
            self.put(pack, number);
        }
    }

    /// b_k − Σ A_j x_(k−j) for a pack of rows.
    fn rest(&mut self, block: &BlockPlan, row: usize, sum: Option<Number>) -> Number {
        let equations = &self.sketch.layout.plan.blocks()[block.block as usize];
        let members = equations.rhs.chunks(block.rows).nth(row).unwrap_or(&[]);
        let mut rest = self.assemble(block.width, members);
        if let Some(sum) = sum {
            rest = self.code.sub(rest, sum);
        }
        for (j, &x) in equations.solution.iter().enumerate() {
            let entries = block.matrix[row * block.size + j];
            let first = self.sketch.layout.value(x, 0);
            if let (Some(entries), Some(first)) = (entries, first)
                && self.reaches(entries)
            {
                let newest = self.row(entries);
                let first = self.component(block, first);
                rest = self.code.neg_mul_add(newest, first, rest);
            }
        }
        rest
    }

    /// A number that all rows of a pack are multiplied by.
    fn component(&mut self, block: &BlockPlan, place: Place) -> Number {
        let from = self.code.address(place);
        if block.rows > 1 {
            self.code.spread(from)
        } else {
            self.code.load(block.width, from)
        }
    }

    /// The same from registers.
    fn spread_lane(&mut self, block: &BlockPlan, rest: &[Number], j: usize) -> Number {
        if block.rows == 1 {
            return rest[j];
        }
        let lane = self.code.lane(rest[j / block.rows], j % block.rows);
        self.code.widened(Width::Four, lane)
    }

    /// x_k = A_0⁻¹ rest for these packs of rows.
    fn solve(&mut self, block: &BlockPlan, rows: Range<usize>, rest: &[Number]) {
        for row in rows {
            let mut sum = None;
            for (j, &component) in rest.iter().enumerate() {
                let from = self.code.address(block.inverse(row, j));
                let entries = self.code.load(block.width, from);
                sum = Some(self.plus_product(sum, entries, component));
            }
            if let Some(sum) = sum {
                self.put(block.unknowns[row], sum);
            }
        }
    }
}
