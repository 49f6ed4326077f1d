//! Gauss collocation: symplectic, symmetric, of order 2s with s stages.

use super::coefficients::GAUSS;
use super::stages::{Stages, same_time};
use super::tableau::Tableau;
use crate::compensated::Compensated;
use crate::convergence::{
    Convergence, MAX_ITERATIONS, SMALLEST_PART, Verdict, WORTHWHILE_CONTRACTION, larger,
    relative_size,
};
use crate::field::{Fault, VectorField};
use crate::stepper::{Step, Stepper};

/// The order of a Gauss method, twice the number of its stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GaussOrder {
    /// One stage: the implicit midpoint rule.
    Two,
    /// Two stages.
    Four,
    /// Three stages.
    Six,
    /// Four stages.
    Eight,
}

/// How the equations of the stages are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iteration {
    /// Fixed-point iteration as long as it contracts fast, Newton from then on.
    Automatic,
    /// Z ← h(A⊗I)F(x + Z): needs no Jacobian, contracts while h‖J‖ is small.
    FixedPoint,
    /// Simplified Newton with the exact Jacobian, kept while it converges fast.
    Newton,
}

/// How an iteration ended.
#[derive(Clone, Copy, PartialEq)]
enum Ending {
    /// Corrections are down to round-off; the slowest contraction on the way.
    Converged(f64),
    /// Corrections do not shrink, or too slowly.
    Stalled,
}

/// A Jacobian is kept for the next step while Newton contracts at least this fast.
const FAST_CONTRACTION: f64 = 0.02;

/// The Gauss method of order 2s: u(t) = x, u' = f at the roots of the Legendre polynomial, next
/// state u(t + h) = x + h Σ b_i F_i.
///
/// The stages are iterated until round-off stops the progress, and the sum is compensated, so that
/// the energy of a Hamiltonian system does a random walk at round-off instead of drifting.
///
/// ```
/// use rattleback_integrate::{Fault, Stepper, VectorField};
/// use rattleback_integrate::implicit::{Gauss, GaussOrder};
///
/// struct Oscillator;
/// impl VectorField for Oscillator {
///     fn dimension(&self) -> usize { 2 }
///     fn rates(&mut self, _: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
///         rates.copy_from_slice(&[x[1], -x[0]]);
///         Ok(())
///     }
///     fn jacobian(&mut self, _: f64, _: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
///         jacobian.copy_from_slice(&[0.0, 1.0, -1.0, 0.0]);
///         Ok(())
///     }
/// }
///
/// let mut gauss = Gauss::new(GaussOrder::Eight, 2);
/// let mut next = [0.0; 2];
/// gauss.step(&mut Oscillator, 0.0, &[1.0, 0.0], 0.5, &mut next)?;
/// assert!((next[0] - 0.5_f64.cos()).abs() < 1e-9);
/// # Ok::<(), Fault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Gauss {
    stages: Stages,
    iteration: Iteration,
    /// Automatic iteration has turned to Newton.
    newton: bool,
    linearization: Linearization,
    /// The start of the last step, its size, and its end.
    start: Vec<f64>,
    h: f64,
    end_time: Option<f64>,
    sum: Compensated,
    /// The largest size of each component in the step at hand.
    reach: Vec<f64>,
}

/// What the factored matrices belong to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Linearization {
    /// To nothing that is of use any more.
    Stale,
    /// To this step size and a Jacobian taken earlier.
    Kept { h: f64 },
}

impl Gauss {
    /// The method of the given order for states with `dimension` components.
    pub fn new(order: GaussOrder, dimension: usize) -> Self {
        Self::with_iteration(order, dimension, Iteration::Automatic)
    }

    /// The same, with the iteration chosen.
    pub fn with_iteration(order: GaussOrder, dimension: usize, iteration: Iteration) -> Self {
        let digits = &GAUSS[match order {
            GaussOrder::Two => 0,
            GaussOrder::Four => 1,
            GaussOrder::Six => 2,
            GaussOrder::Eight => 3,
        }];
        Gauss {
            stages: Stages::new(Tableau::new(digits), dimension),
            iteration,
            newton: iteration == Iteration::Newton,
            linearization: Linearization::Stale,
            start: vec![0.0; dimension],
            h: 0.0,
            end_time: None,
            sum: Compensated::new(dimension),
            reach: vec![0.0; dimension],
        }
    }

    /// Starting values: the polynomial of the last step continued, u(t + c_i h) − x, or 0.
    fn predict(&mut self, t: f64, h: f64) {
        let continues = |end| same_time(end, t, h);
        if !self.end_time.is_some_and(continues) {
            self.stages.increments.fill(0.0);
            return;
        }
        let Stages {
            tableau,
            increments,
            rates,
            ..
        } = &mut self.stages;
        let n = self.start.len();
        let end = tableau.weights_at(1.0);
        for (&node, z) in tableau
            .nodes
            .iter()
            .zip(increments.chunks_exact_mut(n.max(1)))
        {
            let ahead = tableau.weights_at(1.0 + node * h / self.h);
            z.fill(0.0);
            for (j, f) in rates.chunks_exact(n.max(1)).enumerate() {
                let weight = self.h * (ahead[j] - end[j]);
                for (z, f) in z.iter_mut().zip(f) {
                    *z += weight * f;
                }
            }
        }
    }

    /// Solves for the stages by the iteration that is cheaper here.
    fn solve<F: VectorField + ?Sized>(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
    ) -> Result<(), Fault> {
        if !self.newton {
            match (self.iterate(field, t, x, h), self.iteration) {
                (Ok(Ending::Converged(_)), _) => return Ok(()),
                (Ok(Ending::Stalled), Iteration::FixedPoint) => return Err(Fault::NotConverged),
                (Err(fault), Iteration::FixedPoint) => return Err(fault),
                // A fault may be one of the iterates alone, on their way out.
                _ => {
                    self.newton = true;
                    self.stages.increments.fill(0.0);
                }
            }
        }
        if self.linearization == (Linearization::Kept { h }) {
            if let Ok(Ending::Converged(contraction)) = self.iterate(field, t, x, h) {
                if contraction > FAST_CONTRACTION {
                    self.linearization = Linearization::Stale;
                }
                return Ok(());
            }
            self.stages.increments.fill(0.0);
        }
        self.linearization = Linearization::Stale;
        self.stages.linearize(field, t, x)?;
        self.stages.factor(h)?;
        match self.iterate(field, t, x, h)? {
            Ending::Converged(contraction) => {
                if contraction <= FAST_CONTRACTION {
                    self.linearization = Linearization::Kept { h };
                }
                Ok(())
            }
            Ending::Stalled => Err(Fault::NotConverged),
        }
    }

    /// Iterates down to round-off.
    fn iterate<F: VectorField + ?Sized>(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
    ) -> Result<Ending, Fault> {
        let mut convergence = Convergence::new(match (self.newton, self.iteration) {
            (false, Iteration::Automatic) => WORTHWHILE_CONTRACTION,
            _ => 1.0,
        });
        for _ in 0..MAX_ITERATIONS {
            self.stages.evaluate(field, t, x, h)?;
            if self.newton {
                self.stages.correct_by_newton();
            } else {
                self.stages.correct_by_substitution();
            }
            let size = self.correction_size(x);
            self.stages.apply_corrections();
            match convergence.judge(size) {
                Verdict::Onward => {}
                Verdict::Converged => return Ok(Ending::Converged(convergence.contraction)),
                Verdict::Stalled => break,
            }
        }
        Ok(Ending::Stalled)
    }

    /// The largest correction against the size of its component.
    fn correction_size(&mut self, x: &[f64]) -> f64 {
        let n = x.len().max(1);
        for (reach, x) in self.reach.iter_mut().zip(x) {
            *reach = x.abs();
        }
        for z in self.stages.increments.chunks_exact(n) {
            for (reach, z) in self.reach.iter_mut().zip(z) {
                *reach = reach.max(z.abs());
            }
        }
        let floor = SMALLEST_PART * self.reach.iter().fold(0.0, |a: f64, b| a.max(*b));
        let mut size = 0.0;
        for c in self.stages.corrections.chunks_exact(n) {
            for (&c, reach) in c.iter().zip(&self.reach) {
                size = larger(size, relative_size(c, reach.max(floor)));
            }
        }
        size
    }
}

impl<F: VectorField + ?Sized> Stepper<F> for Gauss {
    fn order(&self) -> u32 {
        2 * self.stages.tableau.stages as u32
    }

    fn step(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
        next: &mut [f64],
    ) -> Result<Step, Fault> {
        self.predict(t, h);
        self.end_time = None;
        self.solve(field, t, x, h)?;
        self.start.copy_from_slice(x);
        self.h = h;
        self.sum.resume(x);
        let Stages { tableau, rates, .. } = &self.stages;
        for k in 0..x.len() {
            let rates = |j: usize| rates[j * x.len() + k];
            let mean = tableau.weights.sum(0, tableau.stages, rates);
            self.sum.add(k, h * mean);
        }
        self.sum.write(next);
        self.end_time = Some(t + h);
        Ok(Step { error: 0.0 })
    }

    fn restart(&mut self) {
        self.end_time = None;
        self.linearization = Linearization::Stale;
        self.newton = self.iteration == Iteration::Newton;
    }

    fn evaluations(&self) -> u64 {
        self.stages.evaluations
    }

    fn interpolate(&mut self, _: &mut F, theta: f64, state: &mut [f64]) -> Result<(), Fault> {
        let Stages { tableau, rates, .. } = &self.stages;
        let weights = tableau.weights_at(theta);
        state.copy_from_slice(&self.start);
        for (f, weight) in rates.chunks_exact(state.len().max(1)).zip(weights) {
            for (y, f) in state.iter_mut().zip(f) {
                *y += self.h * weight * f;
            }
        }
        Ok(())
    }
}
