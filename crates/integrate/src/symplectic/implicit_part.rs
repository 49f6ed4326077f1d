//! Equations for a part of the state: y_S = base_S + τ f_S(t, y).

use crate::convergence::{
    Convergence, MAX_ITERATIONS, SMALLEST_PART, Verdict, WORTHWHILE_CONTRACTION, larger,
    relative_size,
};
use crate::field::{Fault, VectorField};
use rattleback_numeric::Lu;

/// Solves for the components S of a state, the others held, by substitution while that contracts
/// fast and by Newton's iteration otherwise, with a new Jacobian each time if one does not serve, down to
/// round-off.
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

/// How the next iterate is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Correction {
    /// From the rates alone.
    Substitution,
    /// By the linearization at the start of the iteration.
    Simplified,
    /// By the linearization at the present iterate.
    Newton,
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
        let step = (t, tau, base);
        let mut found = self.iterate(field, step, Correction::Substitution);
        for correction in [Correction::Simplified, Correction::Newton] {
            if found != Ok(true) {
                self.forget();
                self.start_from(base, tau);
                self.linearize(field, t, tau)?;
                found = self.iterate(field, step, correction);
            }
        }
        if !found? {
            return Err(Fault::NotConverged);
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

    /// I − τ ∂f_S/∂y_S at the present state.
    fn linearize<F: VectorField + ?Sized>(
        &mut self,
        field: &mut F,
        t: f64,
        tau: f64,
    ) -> Result<(), Fault> {
        field.jacobian(t, &self.state, &mut self.jacobian)?;
        let (n, unknowns, jacobian) = (self.state.len(), &self.unknowns, &self.jacobian);
        let factored = self.factors.factor(|i, j| {
            let identity = if i == j { 1.0 } else { 0.0 };
            identity - tau * jacobian[unknowns[i] * n + unknowns[j]]
        });
        Ok(factored?)
    }

    /// Whether the iteration converges.
    fn iterate<F: VectorField + ?Sized>(
        &mut self,
        field: &mut F,
        (t, tau, base): (f64, f64, &[f64]),
        correction: Correction,
    ) -> Result<bool, Fault> {
        let bearable = match correction {
            Correction::Substitution => WORTHWHILE_CONTRACTION,
            _ => 1.0,
        };
        let mut convergence = Convergence::new(bearable);
        for _ in 0..MAX_ITERATIONS {
            self.evaluations += 1;
            field.rates(t, &self.state, &mut self.rates)?;
            for (c, &k) in self.corrections.iter_mut().zip(&self.unknowns) {
                *c = (base[k] - self.state[k]) + tau * self.rates[k];
            }
            match correction {
                Correction::Substitution => {}
                Correction::Simplified => self.factors.solve(&mut self.corrections),
                Correction::Newton => {
                    self.linearize(field, t, tau)?;
                    self.factors.solve(&mut self.corrections);
                }
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
