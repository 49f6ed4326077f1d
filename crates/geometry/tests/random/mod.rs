//! Random functions, sections, metrics and frames for property tests; a seed gives the same data.
#![allow(dead_code)] // each test file uses some of it

use rattleback_geometry::{Form, Frame, Section};
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// Random numbers, and what geometry makes of them.
pub struct Random(rattleback_testing::Random);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(rattleback_testing::Random::new(seed))
    }

    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    pub fn integer(&mut self) -> i64 {
        self.below(7) as i64 - 3
    }

    /// A polynomial or trigonometric function of the symbols.
    pub fn function(&mut self, q: &[Symbol]) -> Expr {
        let variable = |r: &mut Self| Expr::from(&q[r.below(q.len())]);
        let (a, b) = (variable(self), variable(self));
        let term = match self.below(6) {
            0 => a.sin(),
            1 => a.cos() * b,
            2 => (&a + &b).sin(),
            3 => &a * &b,
            4 => a.powi(2),
            _ => a,
        };
        self.integer() * term + self.integer()
    }

    pub fn section(&mut self, frame: &Frame) -> Section {
        (0..frame.rank())
            .map(|_| self.function(frame.base()))
            .collect()
    }

    pub fn form(&mut self, frame: &Frame, degree: usize) -> Form {
        let mut components = Vec::new();
        for mask in 0u32..1 << frame.rank() {
            if mask.count_ones() as usize == degree {
                let indices = (0..frame.rank()).filter(|a| mask >> a & 1 == 1).collect();
                components.push((indices, self.function(frame.base())));
            }
        }
        Form::from_components(degree, components)
    }

    /// L L^T with a unit lower triangle: symmetric, positive definite, of determinant 1.
    pub fn metric(&mut self, q: &[Symbol], n: usize) -> Matrix {
        let l = Matrix::new(n, n, |i, j| match i.cmp(&j) {
            std::cmp::Ordering::Less => Expr::zero(),
            std::cmp::Ordering::Equal => Expr::one(),
            std::cmp::Ordering::Greater => self.function(q),
        });
        &l * &l.transpose()
    }

    /// A matrix of determinant 1, lower times upper.
    pub fn change_of_frame(&mut self, q: &[Symbol], n: usize) -> Matrix {
        let mut triangle = |lower: bool| {
            Matrix::new(n, n, |i, j| match (i == j, (i > j) == lower) {
                (true, _) => Expr::one(),
                (_, true) if self.below(2) == 0 => self.function(q),
                _ => Expr::zero(),
            })
        };
        &triangle(true) * &triangle(false)
    }
}

pub fn symbols(names: &[&str]) -> Vec<Symbol> {
    names.iter().map(|n| Symbol::variable(n)).collect()
}
