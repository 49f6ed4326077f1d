//! Linear systems: x_k = A_0⁻¹ (b_k − Σ_(j≥1) A_j x_(k−j)).

use iced_x86::Register;
use rattleback_compile::taylor::Series;

use super::code::{Operation, Vector, address};
use super::emit::Emitter;
use crate::taylor::blocks::BlockPlan;
use crate::taylor::cache::Content;
use crate::taylor::layout::{Place, SMALL_SYSTEM, Width};
use crate::taylor::runtime;

/// How many rows are summed up at once: two registers each.
const ROWS_AT_ONCE: usize = 6;
/// The register that holds the factor all rows share.
const SHARED: Vector = 15;
/// The register that holds a factor of a small system.
const FACTOR: Vector = 7;

/// The register that a row is added up in.
const TOTAL: Vector = 14;

impl BlockPlan {
    pub(super) fn emit(&self, emitter: &mut Emitter, k: usize) {
        let degree = emitter.layout.packs[self.unknowns[0]].degree;
        if k == 0 {
            self.begin(emitter);
        } else if degree.reaches(k) && self.size <= SMALL_SYSTEM {
            self.proceed_small(emitter, k);
        } else if degree.reaches(k) {
            self.proceed(emitter, k);
        }
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
        let arguments = [
            self.size as u64,
            self.system.motions() as u64,
            self.rows as u64,
            u64::from(equations.symmetric),
        ];
        let function = runtime::factorise_address();
        emitter.call(function, &[self.dense(0)], &arguments);
        let failed = address(Place::workspace(emitter.layout.failed));
        emitter.code.assembler.or_into(failed, Register::RAX);
        for (row, &pack) in self.unknowns.iter().enumerate() {
            let to = emitter.layout.packs[pack].at(0);
            let from = self.system.solution() + row * self.rows * self.system.motions();
            emitter.code.load(self.width, 0, self.dense(from));
            emitter.code.store(self.width, to, 0);
        }
    }

    /// The same as [`BlockPlan::proceed`] in registers, row by row.
    fn proceed_small(&self, emitter: &mut Emitter, k: usize) {
        let equations = &emitter.layout.plan.blocks()[self.block as usize];
        let width = self.width;
        for i in 0..self.size {
            let (total, chain) = (i as Vector, (i + self.size) as Vector);
            let mut terms: Vec<(Place, Place)> = Vec::new();
            for m in 1..k {
                for j in 0..self.size {
                    if let Some(entry) = self.entry(emitter, i, j, m) {
                        let x = emitter.layout.packs[self.unknowns[j]].at(k - m);
                        terms.push((entry, x));
                    }
                }
            }
            for (place, &(entry, x)) in terms.iter().enumerate() {
                let d = if place % 2 == 0 { total } else { chain };
                let operation = if place < 2 {
                    Operation::Mul
                } else {
                    Operation::MulAdd
                };
                emitter.code.load(width, FACTOR, x);
                emitter.code.apply(operation, width, d, FACTOR, entry);
            }
            if terms.is_empty() {
                emitter.code.zero(total);
            } else if terms.len() > 1 {
                emitter
                    .code
                    .apply(Operation::Add, width, total, total, chain);
            }
            self.newest(emitter, equations.rhs[i], i, k);
        }
        for i in 0..self.size {
            let x = Content::Value(equations.solution[i]);
            let d = emitter.cache.claim(x, k);
            for j in 0..self.size {
                let operation = if j == 0 {
                    Operation::Mul
                } else {
                    Operation::MulAdd
                };
                emitter
                    .code
                    .apply(operation, width, d, j as Vector, self.inverse(i, j));
            }
            let to = emitter.layout.packs[self.unknowns[i]].at(k);
            emitter.code.store(width, to, d);
        }
    }

    /// The entry (i, j) of A_m, unless it vanishes.
    fn entry(&self, emitter: &Emitter, i: usize, j: usize, m: usize) -> Option<Place> {
        let pack = &emitter.layout.packs[self.matrix[i * self.size + j]?];
        pack.degree.reaches(m).then(|| pack.at(m))
    }

    /// total = b_k − total − A_k x_0 in row i: all that depends on coefficients of order k.
    fn newest(&self, emitter: &mut Emitter, rhs: Series, i: usize, k: usize) {
        let (width, total) = (self.width, i as Vector);
        let rhs = match emitter.operand(rhs, k) {
            Some(rhs) => emitter.in_register(width, FACTOR, rhs),
            None => {
                emitter.code.zero(FACTOR);
                FACTOR
            }
        };
        emitter.code.apply(Operation::Sub, width, total, rhs, total);
        for j in 0..self.size {
            if self.entry(emitter, i, j, k).is_none() {
                continue;
            }
            if let Some(pack) = self.matrix[i * self.size + j] {
                let x = emitter.layout.packs[self.unknowns[j]].at(0);
                let entry = emitter.row(pack, k);
                emitter.code.load(width, FACTOR, x);
                emitter
                    .code
                    .apply(Operation::NegMulAdd, width, total, FACTOR, entry);
            }
        }
    }

    fn proceed(&self, emitter: &mut Emitter, k: usize) {
        let rhs = &emitter.layout.plan.blocks()[self.block as usize].rhs;
        for (row, members) in rhs.chunks(self.rows).enumerate() {
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
                .apply(operation, Width::Four, sum, SHARED, entry);
        }
    }

    fn load_component(&self, emitter: &mut Emitter, x: Series, k: usize) {
        match (emitter.layout.value(x, k), emitter.layout.width) {
            (Some(place), Width::One) => emitter.code.broadcast(SHARED, place),
            (Some(place), Width::Four) => emitter.code.load(Width::Four, SHARED, place),
            (None, _) => emitter.code.zero(SHARED),
        }
    }

    /// x_k = A_0⁻¹ rest for these row packs.
    fn solve(&self, emitter: &mut Emitter, rows: &[usize], k: usize) {
        let width = emitter.layout.width;
        for j in 0..self.size {
            let rest = Place::workspace(self.rest + j as i32 * width.bytes());
            match width {
                Width::One => emitter.code.broadcast(SHARED, rest),
                Width::Four => emitter.code.load(Width::Four, SHARED, rest),
            }
            for (place, &row) in rows.iter().enumerate() {
                let operation = if j < 2 {
                    Operation::Mul
                } else {
                    Operation::MulAdd
                };
                let sum = (2 * place + j % 2) as Vector;
                let entry = self.inverse(row, j);
                emitter
                    .code
                    .apply(operation, Width::Four, sum, SHARED, entry);
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
