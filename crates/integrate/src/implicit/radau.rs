//! Radau IIA of order 5 with error estimate, for stiff systems.

use super::coefficients::RADAU;
use super::stages::{Stages, same_time};
use super::tableau::Tableau;
use crate::control::Tolerance;
use crate::field::{Fault, VectorField};
use crate::stepper::{Step, Stepper};

/// The weights e of the error estimate are these times the real eigenvalue of A.
const ERROR_WEIGHTS: [f64; 3] = [-10.048_809_399_827_416, 1.382_142_733_160_749, -1.0 / 3.0];
const MAX_ITERATIONS: i32 = 7;
/// A Jacobian is kept for the next step while Newton contracts at least this fast.
const FAST_CONTRACTION: f64 = 1e-3;

/// The Radau IIA method of order 5 (three stages, the last one at the end of the step), L-stable
/// and stiffly accurate.
///
/// Each step factors one real and one complex matrix of the size of the state. The error estimate
///
/// ```text
/// err = (I − hγJ)⁻¹ (hγ f(t, x) + e₁z₁ + e₂z₂ + e₃z₃)
/// ```
///
/// (γ the real eigenvalue of A) is of third order, ∝ h⁴. It is measured against a tolerance
/// loosened to 0.1·tolerance^(2/3), so that the error of the method itself comes out near the
/// tolerance that was asked for (as in Hairer & Wanner's code RADAU5).
#[derive(Clone, Debug)]
pub struct Radau5 {
    stages: Stages,
    tolerance: Tolerance,
    /// What the estimate is measured against.
    loosened: Tolerance,
    /// Newton stops at this part of the tolerance.
    newton_tolerance: f64,
    /// θ/(1 − θ) of the last step's contraction θ.
    convergence: f64,
    /// The time at which the Jacobian was taken, if it still serves.
    linearized_at: Option<f64>,
    /// The step size the factors belong to.
    factored_for: Option<f64>,
    last: Option<Taken>,
    start: Vec<f64>,
    start_rates: Vec<f64>,
    /// 1 over the tolerance of each component.
    weights: Vec<f64>,
    error: Vec<f64>,
    probe: Vec<f64>,
    /// The increments of the last step, for its polynomial.
    polynomial: Vec<f64>,
}

/// The last step whose stages were found.
#[derive(Clone, Copy, Debug)]
struct Taken {
    t: f64,
    h: f64,
}

impl Radau5 {
    /// The method for states with `dimension` components, with the tolerance absolute +
    /// relative·|x| on each component.
    pub fn new(dimension: usize, relative: f64, absolute: f64) -> Self {
        let tolerance = Tolerance { relative, absolute };
        let strictest = match tolerance.relative {
            relative if relative > f64::EPSILON => relative,
            _ => tolerance.absolute.max(f64::EPSILON),
        };
        let loosening = 0.1 * strictest.powf(-1.0 / 3.0);
        let loosened = Tolerance {
            relative: tolerance.relative * loosening,
            absolute: tolerance.absolute * loosening,
        };
        let target = strictest * loosening;
        let newton_tolerance = (10.0 * f64::EPSILON / target).max(target.sqrt().min(0.03));
        let stages = Stages::new(Tableau::new(&RADAU), dimension);
        Radau5 {
            tolerance,
            loosened,
            newton_tolerance,
            convergence: 1.0,
            linearized_at: None,
            factored_for: None,
            last: None,
            start: vec![0.0; dimension],
            start_rates: vec![0.0; dimension],
            weights: vec![0.0; dimension],
            error: vec![0.0; dimension],
            probe: vec![0.0; dimension],
            polynomial: vec![0.0; stages.increments.len()],
            stages,
        }
    }

    /// Starting values: the last polynomial at the new nodes, inside it when that step was
    /// rejected, continued when it was accepted.
    fn predict(&mut self, t: f64, h: f64) {
        let place = self.last.and_then(|last| match t {
            _ if same_time(t, last.t, h) => Some((0.0, h / last.h)),
            _ if same_time(t, last.t + last.h, h) => Some((1.0, h / last.h)),
            _ => None,
        });
        let Stages {
            tableau,
            increments,
            ..
        } = &mut self.stages;
        let Some((origin, ratio)) = place else {
            increments.fill(0.0);
            return;
        };
        let n = self.start.len();
        let base = tableau.increment_weights_at(origin);
        for (&node, z) in tableau
            .nodes
            .iter()
            .zip(increments.chunks_exact_mut(n.max(1)))
        {
            let there = tableau.increment_weights_at(origin + node * ratio);
            z.fill(0.0);
            for (j, old) in self.polynomial.chunks_exact(n.max(1)).enumerate() {
                for (z, old) in z.iter_mut().zip(old) {
                    *z += (there[j] - base[j]) * old;
                }
            }
        }
    }

    /// Solves for the stages, with the old Jacobian if that does.
    fn solve<F: VectorField + ?Sized>(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
    ) -> Result<(), Fault> {
        if self.linearized_at.is_some() {
            let fresh = self.linearized_at == Some(t);
            if self.factored_for != Some(h) {
                self.factor(h)?;
            }
            match self.iterate(field, t, x, h) {
                Ok(true) => return Ok(()),
                Ok(false) if fresh => return Err(Fault::NotConverged),
                Err(fault) if fresh => return Err(fault),
                // The Jacobian or the extrapolated start may be to blame.
                _ => {}
            }
            self.stages.increments.fill(0.0);
        }
        self.linearized_at = None;
        self.stages.linearize(field, t, x)?;
        self.linearized_at = Some(t);
        self.factor(h)?;
        if self.iterate(field, t, x, h)? {
            Ok(())
        } else {
            // The Jacobian is right for the shorter step that is tried next.
            self.linearized_at = Some(t);
            Err(Fault::NotConverged)
        }
    }

    fn factor(&mut self, h: f64) -> Result<(), Fault> {
        self.factored_for = None;
        self.stages.factor(h)?;
        self.factored_for = Some(h);
        Ok(())
    }

    /// Simplified Newton; whether it converges.
    fn iterate<F: VectorField + ?Sized>(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
    ) -> Result<bool, Fault> {
        self.convergence = self.convergence.max(f64::EPSILON).powf(0.8);
        let (mut last, mut contraction) = (f64::INFINITY, 0.0);
        for iteration in 0..MAX_ITERATIONS {
            self.stages.evaluate(field, t, x, h)?;
            self.stages.correct_by_newton();
            let size = weighted_norm(&self.stages.corrections, &self.weights);
            self.stages.apply_corrections();
            if iteration > 0 {
                contraction = size / last;
                if contraction.is_nan() || contraction >= 1.0 {
                    return Ok(size == 0.0);
                }
                self.convergence = contraction / (1.0 - contraction);
                let left = MAX_ITERATIONS - 1 - iteration;
                if self.convergence * size * contraction.powi(left) > self.newton_tolerance {
                    return Ok(false);
                }
            }
            if self.convergence * size <= self.newton_tolerance {
                if contraction > FAST_CONTRACTION {
                    self.linearized_at = None;
                }
                return Ok(true);
            }
            last = size;
        }
        Ok(false)
    }

    /// The weighted norm of the error estimate.
    fn estimate<F: VectorField + ?Sized>(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
    ) -> Result<f64, Fault> {
        self.error.copy_from_slice(&self.start_rates);
        self.filter(h);
        let error = weighted_norm(&self.error, &self.weights);
        if error < 1.0 {
            return Ok(error);
        }
        // On stiff components a second filter keeps the estimate bounded for large h.
        for ((probe, x), e) in self.probe.iter_mut().zip(x).zip(&self.error) {
            *probe = x + e;
        }
        self.stages.evaluations += 1;
        field.rates(t, &self.probe, &mut self.error)?;
        self.filter(h);
        Ok(weighted_norm(&self.error, &self.weights))
    }

    /// error ← (I − hγJ)⁻¹ (hγ·error + Σ e_i z_i).
    fn filter(&mut self, h: f64) {
        let n = self.error.len();
        let gamma = self.stages.tableau.spectrum[0].value.re;
        for (k, e) in self.error.iter_mut().enumerate() {
            let increments = self.stages.increments.iter().skip(k).step_by(n);
            let sum: f64 = increments.zip(ERROR_WEIGHTS).map(|(z, w)| w * z).sum();
            *e = gamma * (h * *e + sum);
        }
        self.stages.solve_real_block(&mut self.error);
    }
}

/// √(mean of (v·weight)²); the weights repeat for each stage.
fn weighted_norm(v: &[f64], weights: &[f64]) -> f64 {
    let parts = v.iter().zip(weights.iter().cycle());
    let sum: f64 = parts.map(|(v, weight)| (v * weight).powi(2)).sum();
    (sum / v.len().max(1) as f64).sqrt()
}

impl<F: VectorField + ?Sized> Stepper<F> for Radau5 {
    fn order(&self) -> u32 {
        5
    }

    fn step(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
        next: &mut [f64],
    ) -> Result<Step, Fault> {
        for (weight, x) in self.weights.iter_mut().zip(x) {
            *weight = 1.0 / self.loosened.scale(x.abs());
        }
        self.predict(t, h);
        self.last = None;
        self.stages.evaluations += 1;
        field.rates(t, x, &mut self.start_rates)?;
        self.solve(field, t, x, h)?;
        let end = &self.stages.increments[2 * x.len()..];
        for ((next, x), z) in next.iter_mut().zip(x).zip(end) {
            *next = x + z;
        }
        let error = self.estimate(field, t, x, h)?;
        if error.is_nan() {
            return Err(Fault::NotConverged);
        }
        self.start.copy_from_slice(x);
        self.polynomial.copy_from_slice(&self.stages.increments);
        self.last = Some(Taken { t, h });
        Ok(Step { error })
    }

    fn error_order(&self) -> u32 {
        4
    }

    fn tolerance(&self) -> Option<Tolerance> {
        Some(self.tolerance)
    }

    fn restart(&mut self) {
        self.last = None;
        self.linearized_at = None;
        self.factored_for = None;
        self.convergence = 1.0;
    }

    fn evaluations(&self) -> u64 {
        self.stages.evaluations
    }

    fn interpolate(&mut self, _: &mut F, theta: f64, state: &mut [f64]) -> Result<(), Fault> {
        let weights = self.stages.tableau.increment_weights_at(theta);
        state.copy_from_slice(&self.start);
        for (z, weight) in self
            .polynomial
            .chunks_exact(state.len().max(1))
            .zip(weights)
        {
            for (y, z) in state.iter_mut().zip(z) {
                *y += weight * z;
            }
        }
        Ok(())
    }
}
