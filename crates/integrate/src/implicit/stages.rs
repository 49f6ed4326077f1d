//! The equations of the stages, Z = h(A⊗I) F(x + Z), and one step towards their solution.

use super::tableau::Tableau;
use crate::field::{Fault, VectorField};
use rattleback_numeric::Complex;
use rattleback_numeric::Lu;

/// I − hλJ for one eigenvalue λ of A, factored.
#[derive(Clone, Debug)]
enum Factors {
    Real(Lu<f64>),
    Complex(Lu<Complex>),
}

/// The unknowns of a step and what solving for them needs.
///
/// In the eigenbasis of A the matrix I − hA⊗J falls into the blocks I − hλJ, one real or complex
/// matrix of the size of the state for each eigenvalue (of a conjugate pair only one).
#[derive(Clone, Debug)]
pub(crate) struct Stages {
    pub tableau: Tableau,
    dimension: usize,
    /// Z: z_i = u(t + c_i h) − x, stage by stage.
    pub increments: Vec<f64>,
    /// F: f at the stages.
    pub rates: Vec<f64>,
    /// r = h(A⊗I)F − Z.
    residual: Vec<f64>,
    /// What is added to Z next.
    pub corrections: Vec<f64>,
    stage: Vec<f64>,
    jacobian: Vec<f64>,
    factors: Vec<Factors>,
    real_side: Vec<f64>,
    complex_side: Vec<Complex>,
    /// How many times f was evaluated.
    pub evaluations: u64,
}

impl Stages {
    pub fn new(tableau: Tableau, dimension: usize) -> Self {
        let unknowns = tableau.stages * dimension;
        let factors = tableau.spectrum.iter().map(|pair| {
            if pair.value.im == 0.0 {
                Factors::Real(Lu::new(dimension))
            } else {
                Factors::Complex(Lu::new(dimension))
            }
        });
        Stages {
            dimension,
            increments: vec![0.0; unknowns],
            rates: vec![0.0; unknowns],
            residual: vec![0.0; unknowns],
            corrections: vec![0.0; unknowns],
            stage: vec![0.0; dimension],
            jacobian: vec![0.0; dimension * dimension],
            factors: factors.collect(),
            real_side: vec![0.0; dimension],
            complex_side: vec![Complex::default(); dimension],
            tableau,
            evaluations: 0,
        }
    }

    /// J = ∂f/∂x at (t, x).
    pub fn linearize<F: VectorField + ?Sized>(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
    ) -> Result<(), Fault> {
        field.jacobian(t, x, &mut self.jacobian)
    }

    /// Factors I − hλJ for every eigenvalue.
    pub fn factor(&mut self, h: f64) -> Result<(), Fault> {
        let (n, jacobian) = (self.dimension, &self.jacobian);
        for (pair, factors) in self.tableau.spectrum.iter().zip(&mut self.factors) {
            let step = pair.value * h;
            let identity = |i, j| if i == j { 1.0 } else { 0.0 };
            match factors {
                Factors::Real(lu) => {
                    lu.factor(|i, j| identity(i, j) - step.re * jacobian[i * n + j])?
                }
                Factors::Complex(lu) => lu.factor(|i, j| {
                    Complex::new(identity(i, j), 0.0) - step * jacobian[i * n + j]
                })?,
            }
        }
        Ok(())
    }

    /// F at the present Z, and the residual r.
    pub fn evaluate<F: VectorField + ?Sized>(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
    ) -> Result<(), Fault> {
        let n = self.dimension;
        for i in 0..self.tableau.stages {
            let increment = &self.increments[i * n..(i + 1) * n];
            for ((y, x), z) in self.stage.iter_mut().zip(x).zip(increment) {
                *y = x + z;
            }
            let time = t + self.tableau.nodes[i] * h;
            self.evaluations += 1;
            field.rates(time, &self.stage, &mut self.rates[i * n..(i + 1) * n])?;
        }
        for i in 0..self.tableau.stages {
            let s = self.tableau.stages;
            for k in 0..n {
                let rates = |j: usize| self.rates[j * n + k];
                let image = self.tableau.matrix.sum(i * s, s, rates);
                self.residual[i * n + k] = h * image - self.increments[i * n + k];
            }
        }
        Ok(())
    }

    /// The correction of simplified Newton, (I − hA⊗J)⁻¹ r.
    pub fn correct_by_newton(&mut self) {
        let n = self.dimension;
        self.corrections.fill(0.0);
        for (pair, factors) in self.tableau.spectrum.iter().zip(&self.factors) {
            match factors {
                Factors::Real(lu) => {
                    let side = &mut self.real_side;
                    side.fill(0.0);
                    for (r, left) in self.residual.chunks_exact(n.max(1)).zip(&pair.left) {
                        for (b, r) in side.iter_mut().zip(r) {
                            *b += left.re * r;
                        }
                    }
                    lu.solve(side);
                    for (c, right) in self.corrections.chunks_exact_mut(n.max(1)).zip(&pair.right) {
                        for (c, w) in c.iter_mut().zip(&*side) {
                            *c += right.re * w;
                        }
                    }
                }
                Factors::Complex(lu) => {
                    let side = &mut self.complex_side;
                    side.fill(Complex::default());
                    for (r, &left) in self.residual.chunks_exact(n.max(1)).zip(&pair.left) {
                        for (b, &r) in side.iter_mut().zip(r) {
                            *b = *b + left * r;
                        }
                    }
                    lu.solve(side);
                    // The conjugate eigenvalue gives the conjugate part.
                    for (c, &right) in self.corrections.chunks_exact_mut(n.max(1)).zip(&pair.right)
                    {
                        for (c, &w) in c.iter_mut().zip(&*side) {
                            *c += 2.0 * (right * w).re;
                        }
                    }
                }
            }
        }
    }

    /// The correction of fixed-point iteration, r itself.
    pub fn correct_by_substitution(&mut self) {
        self.corrections.copy_from_slice(&self.residual);
    }

    /// Z ← Z + correction.
    pub fn apply_corrections(&mut self) {
        for (z, c) in self.increments.iter_mut().zip(&self.corrections) {
            *z += c;
        }
    }

    /// b ← (I − hλJ)⁻¹ b for the real eigenvalue λ, if there is one; returns λ.
    pub fn solve_real_block(&self, b: &mut [f64]) -> Option<f64> {
        let blocks = self.tableau.spectrum.iter().zip(&self.factors);
        for (pair, factors) in blocks {
            if let Factors::Real(lu) = factors {
                lu.solve(b);
                return Some(pair.value.re);
            }
        }
        None
    }
}
