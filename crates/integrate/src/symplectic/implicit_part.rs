//! Equations for a part of the state: y_S = base_S + τ f_S(t, y).

use crate::convergence::{
    Convergence, MAX_ITERATIONS, SMALLEST_PART, Verdict, WORTHWHILE_CONTRACTION, larger,
    relative_size,
};
use crate::field::{Fault, VectorField};
use crate::implicit::Lu;

/// Solves for the components S of a state, the others held, by substitution while that contracts
/// fast and by Newton's iteration otherwise, down to round-off.
#[derive(Clone, Debug)]
pub(super) struct ImplicitPart {
    unknowns: Vec<usize>,
    /// The full state y.
    state: Vec<f64>,
    /// f(t, y).
    rates: Vec<f64>,
    /// Rates of the unknowns when last solved for: the first guess.
    guess: Vec<f64>,
    corrections: Vec<f64>,
    jacobian: Vec<f64>,
    factors: Lu<f64>,
    /// How many times f was evaluated.
    pub evaluations: u64,
}

impl ImplicitPart {
    pub fn new(dimension: usize, unknowns: Vec<usize>) -> Self {
        ImplicitPart {
            state: vec![0.0; dimension],
            rates: vec![0.0; dimension],
            guess: vec![0.0; unknowns.len()],
            corrections: vec![0.0; unknowns.len()],
            jacobian: vec![0.0; dimension * dimension],
            factors: Lu::new(unknowns.len()),
            unknowns,
            evaluations: 0,
        }
    }

    /// f at the solution.
    pub fn rates(&self) -> &[f64] {
        &self.rates
    }

    /// Forgets the first guess.
    pub fn forget(&mut self) {
        self.guess.fill(0.0);
    }

    /// Solves with the other components, and the base of the unknowns, given in `base`.
    pub fn solve<F: VectorField + ?Sized>(
        &mut self,
        field: &mut F,
        t: f64,
        tau: f64,
        base: &[f64],
    ) -> Result<(), Fault> {
        self.start_from(base, tau);
        // A fault may be one of the iterates alone, on their way out.
        if !self.iterate(field, t, tau, base, false).unwrap_or(false) {
            self.forget();
            self.start_from(base, tau);
            field.jacobian(t, &self.state, &mut self.jacobian)?;
            self.factor(tau)?;
            if !self.iterate(field, t, tau, base, true)? {
                return Err(Fault::NotConverged);
            }
        }
        for (guess, &k) in self.guess.iter_mut().zip(&self.unknowns) {
            *guess = self.rates[k];
        }
        Ok(())
    }

    fn start_from(&mut self, base: &[f64], tau: f64) {
        self.state.copy_from_slice(base);
        for (guess, &k) in self.guess.iter().zip(&self.unknowns) {
            self.state[k] += tau * guess;
        }
    }

    /// I − τ ∂f_S/∂y_S.
    fn factor(&mut self, tau: f64) -> Result<(), Fault> {
        let (n, unknowns, jacobian) = (self.state.len(), &self.unknowns, &self.jacobian);
        self.factors.factor(|i, j| {
            let identity = if i == j { 1.0 } else { 0.0 };
            identity - tau * jacobian[unknowns[i] * n + unknowns[j]]
        })
    }

    /// Whether the iteration converges.
    fn iterate<F: VectorField + ?Sized>(
        &mut self,
        field: &mut F,
        t: f64,
        tau: f64,
        base: &[f64],
        newton: bool,
    ) -> Result<bool, Fault> {
        let bearable = if newton { 1.0 } else { WORTHWHILE_CONTRACTION };
        let mut convergence = Convergence::new(bearable);
        for _ in 0..MAX_ITERATIONS {
            self.evaluations += 1;
            field.rates(t, &self.state, &mut self.rates)?;
            for (c, &k) in self.corrections.iter_mut().zip(&self.unknowns) {
                *c = (base[k] - self.state[k]) + tau * self.rates[k];
            }
            if newton {
                self.factors.solve(&mut self.corrections);
            }
            let size = self.correction_size();
            for (c, &k) in self.corrections.iter().zip(&self.unknowns) {
                self.state[k] += c;
            }
            match convergence.judge(size) {
                Verdict::Onward => {}
                Verdict::Converged => return Ok(true),
                Verdict::Stalled => break,
            }
        }
        Ok(false)
    }

    fn correction_size(&self) -> f64 {
        let largest = self.state.iter().fold(0.0_f64, |m, y| m.max(y.abs()));
        let parts = self.corrections.iter().zip(&self.unknowns);
        parts.fold(0.0, |size, (&c, &k)| {
            let scale = self.state[k].abs().max(SMALLEST_PART * largest);
            larger(size, relative_size(c, scale))
        })
    }
}
