//! Random motions: recurrences of all kinds, shared operands, linear systems in the middle.

use super::compare;
use super::motion::field;
use proptest::prelude::*;
use rattleback_mechanics::Stage;
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// Expressions that stay of ordinary size, each made of those before it.
struct Garden {
    random: Choices,
    plants: Vec<Expr>,
}

/// A source of choices that proptest's seed determines.
struct Choices(u64);

impl Choices {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

impl Garden {
    fn any(&mut self) -> Expr {
        self.plants[self.random.below(self.plants.len())].clone()
    }

    /// A bounded function of something known.
    fn function(&mut self) -> Expr {
        let x = self.any();
        match self.random.below(9) {
            0 => x.sin(),
            1 => x.cos(),
            2 => (3 + x.powi(2)).sqrt(),
            3 => self.any() / (4 + x.powi(2)),
            4 => (-x.powi(2)).exp(),
            5 => (2 + x.sin()).log(),
            6 => x.atan(),
            7 => (x.cos() / 2).cosh(),
            _ => (2 + x.cos()).pow(&Expr::ratio(2, 3)),
        }
    }

    fn grow(&mut self) {
        let new = match self.random.below(5) {
            0 => self.any() - self.any() * Expr::ratio(1, 3),
            1 => self.function(),
            // Products that share a factor are worked out side by side.
            _ => {
                let shared = self.any();
                for _ in 0..self.random.below(5) {
                    let product = (self.any() * &shared).sin();
                    let plain = self.any() * &shared / 4;
                    self.plants.push(if self.random.below(2) == 0 {
                        product
                    } else {
                        plain
                    });
                }
                shared.powi(2) / 5
            }
        };
        self.plants.push(new);
    }

    /// A system of equations; its unknowns join the others, as factors too.
    fn solve(&mut self, size: usize) -> Stage {
        let matrix = Matrix::new(size, size, |i, j| match i.abs_diff(j) {
            0 => 6 + self.any().cos(),
            1 => self.any().sin(),
            _ => Expr::ratio(1, 4),
        });
        let rhs = (0..size).map(|_| self.any()).collect();
        let unknowns: Vec<Symbol> = (0..size)
            .map(|i| Symbol::variable(&format!("u{i}")))
            .collect();
        let first = self.plants.len();
        self.plants.extend(unknowns.iter().map(Expr::from));
        let shared = self.plants[first + self.random.below(size)].clone();
        for i in 0..first.min(8) {
            self.plants.push(&self.plants[i] * &shared);
        }
        Stage::Linear {
            unknowns,
            matrix,
            rhs,
        }
    }
}

proptest! {
    #![proptest_config(rattleback_testing::cases(300))]

    #[test]
    fn kernels_compute_what_the_interpreter_computes(
        seed in any::<u64>(), n in 1usize..9, size in 0usize..11, order in 2usize..9,
    ) {
        let state: Vec<Symbol> = (0..n).map(|i| Symbol::variable(&format!("x{i}"))).collect();
        let mut plants: Vec<Expr> = state.iter().map(Expr::from).collect();
        plants.push(Expr::from(&Symbol::time()));
        let mut garden = Garden { random: Choices(seed), plants };
        (0..4).for_each(|_| garden.grow());
        let stages: Vec<Stage> = (size > 0).then(|| garden.solve(size)).into_iter().collect();
        (0..6).for_each(|_| garden.grow());
        // Everything is asked for.
        let shares = (0..n).map(|i| garden.plants.iter().skip(n + 1 + i).step_by(n));
        let rates: Vec<Expr> = shares.map(|plants| plants.cloned().sum()).collect();
        let start: Vec<f64> = (0..n).map(|i| 0.4 - 0.15 * i as f64).collect();
        let program = field(&state, &stages, &rates).unwrap();
        compare("random", &program, &start, &[], order);
    }
}
