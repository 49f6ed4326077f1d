//! Linear systems: x_k = A_0⁻¹ (b_k − Σ_(j≥1) A_j x_(k−j)).

use crate::x86::Address;
use iced_x86::Register;
use rattleback_compile::taylor::{Degree, Series};

use super::code::{Operation, Vector, Width};
use super::emit::Emitter;
use super::layout::{LANES, Layout, Pack, ROW, WORKSPACE};
use super::runtime::{self, DenseSystem};

/// How many rows are summed up at once: two registers each.
const ROWS_AT_ONCE: usize = 6;
/// The register that holds the factor all rows share.
const FACTOR: Vector = 15;

/// The register that a row is added up in.
const TOTAL: Vector = 14;

/// A block with its memory. Its rows come in packs of four, or one by one for four motions.
pub(super) struct BlockPlan {
    pub(super) block: u32,
    size: usize,
    /// The unknowns by packs of rows.
    unknowns: Vec<Pack>,
    /// The column packs of A that are not constant: for row pack r and column j at `r·size + j`.
    matrix: Vec<Option<Pack>>,
    /// A_0, b_0, x_0, A_0⁻¹ and space to find them.
    dense: i32,
    /// b_k − Σ A_j x_(k−j)
    rest: i32,
    system: DenseSystem,
}

impl BlockPlan {
    pub(super) fn new(layout: &mut Layout, block: u32, unknowns: Vec<Pack>) -> BlockPlan {
        let equations = &layout.plan.blocks()[block as usize];
        let size = equations.size();
        let rows = match layout.width {
            Width::One => LANES,
            Width::Four => 1,
        };
        let mut matrix = Vec::new();
        for first in (0..size).step_by(rows) {
            for j in 0..size {
                let lanes: Vec<Series> = (first..(first + rows).min(size))
                    .map(|i| equations.matrix[i * size + j])
                    .collect();
                let constant = lanes.iter().all(|&a| layout.degree(a) == Degree::CONSTANT);
                matrix.push((!constant).then(|| layout.operand(&lanes, Width::Four)));
            }
        }
        let motions = match layout.width {
            Width::One => 1,
            Width::Four => LANES,
        };
        let system = DenseSystem::new(size, motions);
        let dense = layout.reserve(system.numbers() as i32 * 8);
        let rest = layout.reserve(unknowns.len() as i32 * ROW);
        BlockPlan {
            block,
            size,
            unknowns,
            matrix,
            dense,
            rest,
            system,
        }
    }

    pub(super) fn emit(&self, emitter: &mut Emitter, k: usize) {
        let degree = emitter.layout.packs[self.unknowns[0]].degree;
        if k == 0 {
            self.begin(emitter);
        } else if degree.reaches(k) {
            self.proceed(emitter, k);
        }
    }

    /// A place in the dense system, by number.
    fn dense(&self, number: usize) -> Address {
        Address::At(WORKSPACE, self.dense + 8 * number as i32)
    }

    /// Factorises A_0 and finds x_0.
    fn begin(&self, emitter: &mut Emitter) {
        let width = emitter.layout.width;
        let equations = &emitter.layout.plan.blocks()[self.block as usize];
        let entries = equations.matrix.iter().chain(&equations.rhs);
        for (place, &series) in entries.enumerate() {
            let register = (place % 8) as Vector;
            emitter.load_or_zero(width, register, series, 0);
            let to = self.dense(place * self.system.motions());
            emitter.code.store(width, to, register);
        }
        let (size, motions) = (self.size as u64, self.system.motions() as u64);
        let function = runtime::factorise_address();
        emitter.call(function, &[self.dense(0)], &[size, motions]);
        let failed = Address::At(WORKSPACE, emitter.layout.failed);
        emitter.code.assembler.or_into(failed, Register::RAX);
        for (row, &pack) in self.unknowns.iter().enumerate() {
            let to = emitter.layout.packs[pack].at(0);
            emitter.code.load(
                Width::Four,
                0,
                self.dense(self.system.solution() + row * LANES),
            );
            emitter.code.store(Width::Four, to, 0);
        }
    }

    fn proceed(&self, emitter: &mut Emitter, k: usize) {
        let per_row = match emitter.layout.width {
            Width::One => LANES,
            Width::Four => 1,
        };
        let rhs = &emitter.layout.plan.blocks()[self.block as usize].rhs;
        for (row, members) in rhs.chunks(per_row).enumerate() {
            emitter.assemble(Width::Four, 0, members, k);
            emitter.code.store(Width::Four, self.rest(row), 0);
        }
        // From here on all registers are needed.
        emitter.cache.clear();
        let rows: Vec<usize> = (0..self.unknowns.len()).collect();
        for rows in rows.chunks(ROWS_AT_ONCE) {
            self.subtract(emitter, rows, k);
        }
        for rows in rows.chunks(ROWS_AT_ONCE) {
            self.solve(emitter, rows, k);
        }
    }

    /// Where b_k − Σ A_j x_(k−j) of a row pack is.
    fn rest(&self, row: usize) -> Address {
        Address::At(WORKSPACE, self.rest + row as i32 * ROW)
    }

    /// rest −= Σ_(m≥1) A_m x_(k−m) for these row packs.
    fn subtract(&self, emitter: &mut Emitter, rows: &[usize], k: usize) {
        let mut used = [[false; 2]; ROWS_AT_ONCE];
        // The newest coefficients of the matrix last.
        for m in 1..=k {
            for j in 0..self.size {
                self.subtract_column(emitter, rows, [k, m, j], &mut used);
            }
        }
        for (place, &row) in rows.iter().enumerate() {
            emitter.code.load(Width::Four, TOTAL, self.rest(row));
            for (half, &is_used) in used[place].iter().enumerate() {
                if is_used {
                    let sum = (2 * place + half) as Vector;
                    let subtract = Operation::Sub;
                    emitter.code.apply(subtract, Width::Four, TOTAL, TOTAL, sum);
                }
            }
            emitter.code.store(Width::Four, self.rest(row), TOTAL);
        }
    }

    /// The sums of these rows += A_m's column j · x_(k−m)'s component j.
    fn subtract_column(
        &self,
        emitter: &mut Emitter,
        rows: &[usize],
        [k, m, j]: [usize; 3],
        used: &mut [[bool; 2]; ROWS_AT_ONCE],
    ) {
        let mut is_loaded = false;
        for (place, &row) in rows.iter().enumerate() {
            let Some(pack) = self.matrix[row * self.size + j] else {
                continue;
            };
            if !emitter.layout.packs[pack].degree.reaches(m) {
                continue;
            }
            if !is_loaded {
                let x = emitter.layout.plan.blocks()[self.block as usize].solution[j];
                self.load_component(emitter, x, k - m);
                is_loaded = true;
            }
            let half = (m + j) % 2;
            let first = !std::mem::replace(&mut used[place][half], true);
            let operation = if first {
                Operation::Mul
            } else {
                Operation::MulAdd
            };
            let sum = (2 * place + half) as Vector;
            let entry = emitter.layout.packs[pack].at(m);
            emitter
                .code
                .apply(operation, Width::Four, sum, FACTOR, entry);
        }
    }

    fn load_component(&self, emitter: &mut Emitter, x: Series, k: usize) {
        match (emitter.layout.value(x, k), emitter.layout.width) {
            (Some(place), Width::One) => emitter.code.broadcast(FACTOR, place),
            (Some(place), Width::Four) => emitter.code.load(Width::Four, FACTOR, place),
            (None, _) => emitter.code.zero(FACTOR),
        }
    }

    /// x_k = A_0⁻¹ rest for these row packs.
    fn solve(&self, emitter: &mut Emitter, rows: &[usize], k: usize) {
        let width = emitter.layout.width;
        for j in 0..self.size {
            let rest = Address::At(WORKSPACE, self.rest + j as i32 * width.bytes());
            match width {
                Width::One => emitter.code.broadcast(FACTOR, rest),
                Width::Four => emitter.code.load(Width::Four, FACTOR, rest),
            }
            for (place, &row) in rows.iter().enumerate() {
                let operation = if j < 2 {
                    Operation::Mul
                } else {
                    Operation::MulAdd
                };
                let sum = (2 * place + j % 2) as Vector;
                let number = self.system.inverse() + (j * self.unknowns.len() + row) * LANES;
                let entry = self.dense(number);
                emitter
                    .code
                    .apply(operation, Width::Four, sum, FACTOR, entry);
            }
        }
        for (place, &row) in rows.iter().enumerate() {
            let sum = 2 * place as Vector;
            if self.size > 1 {
                let add = Operation::Add;
                emitter.code.apply(add, Width::Four, sum, sum, sum + 1);
            }
            let to = emitter.layout.packs[self.unknowns[row]].at(k);
            emitter.code.store(Width::Four, to, sum);
        }
    }
}
