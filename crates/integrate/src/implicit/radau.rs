//! Radau IIA of order 5 with error estimate, for stiff systems.

use super::coefficients::RADAU;
use super::collocation::{Basis, Collocation, Ending};
use super::stages::Stages;
use super::tableau::Tableau;
use crate::control::{Tolerance, size_or};
use crate::field::{Fault, Jets, VectorField};
use crate::method::{AnyStepper, Family, Method, Needs, Order, Setting};
use crate::stepper::{Step, Stepper};

/// `radau5`.
pub const RADAU5: Method = Method {
    name: "radau5",
    aliases: &[],
    about: "Radau IIA collocation, for stiff systems",
    order: Order::Fixed(5),
    adaptive: true,
    lanes: false,
    symplectic: false,
    symmetric: false,
    needs: Needs {
        jacobian: true,
        ..Needs::RATES
    },
    work: "one real and one complex factorisation, Newton",
    dense: "the collocation polynomial",
};

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
/// (γ the real eigenvalue of A) is of third order, ∝ h⁴. It is measured against the tolerance itself: where
/// a stiff system lowers the order of the method, the error of a step is about as large as its estimate.
#[derive(Clone, Debug)]
pub struct Radau5 {
    collocation: Collocation,
    tolerance: Tolerance,
    newton: Newton,
    start_rates: Vec<f64>,
    error: Vec<f64>,
    probe: Vec<f64>,
}

/// When simplified Newton has done enough.
#[derive(Clone, Debug)]
struct Newton {
    /// It stops at this part of the tolerance.
    target: f64,
    /// θ/(1 − θ) of the last step's contraction θ.
    convergence: f64,
    /// 1 over the tolerance of each component.
    weights: Vec<f64>,
}

impl Radau5 {
    /// The method for states with `dimension` components.
    pub fn new(dimension: usize, tolerance: Tolerance) -> Self {
        let strictest = match tolerance.relative {
            relative if relative > f64::EPSILON => relative,
            _ => tolerance.absolute.max(f64::EPSILON),
        };
        Radau5 {
            collocation: Collocation::new(Tableau::new(&RADAU), Basis::Increments, dimension),
            tolerance,
            newton: Newton {
                target: (10.0 * f64::EPSILON / strictest).max(strictest.sqrt().min(0.03)),
                convergence: 1.0,
                weights: vec![0.0; dimension],
            },
            start_rates: vec![0.0; dimension],
            error: vec![0.0; dimension],
            probe: vec![0.0; dimension],
        }
    }

    /// Measures what each component may be wrong by in a step of length h from x.
    fn weigh(&mut self, x: &[f64], h: f64) {
        let is_relative = self.tolerance.absolute == 0.0;
        let for_zero = self.tolerance.size_for_zero(x);
        let parts = x.iter().zip(&self.start_rates);
        for (weight, (x, rate)) in self.newton.weights.iter_mut().zip(parts) {
            // A component near 0 is as large as the step makes it.
            let moved = if is_relative { (h * rate).abs() } else { 0.0 };
            let size = size_or(x.abs().max(moved), for_zero);
            *weight = 1.0 / self.tolerance.scale(size);
        }
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
        let error = weighted_norm(&self.error, &self.newton.weights);
        if error < 1.0 {
            return Ok(error);
        }
        // On stiff components a second filter keeps the estimate bounded for large h.
        for ((probe, x), e) in self.probe.iter_mut().zip(x).zip(&self.error) {
            *probe = x + e;
        }
        self.collocation.stages.evaluations += 1;
        field.rates(t, &self.probe, &mut self.error)?;
        self.filter(h);
        Ok(weighted_norm(&self.error, &self.newton.weights))
    }

    /// error ← (I − hγJ)⁻¹ (hγ·error + Σ e_i z_i).
    fn filter(&mut self, h: f64) {
        let (n, stages) = (self.error.len(), &self.collocation.stages);
        let gamma = stages.tableau.spectrum[0].value.re;
        for (k, e) in self.error.iter_mut().enumerate() {
            let increments = stages.increments.iter().skip(k).step_by(n);
            let sum: f64 = increments.zip(ERROR_WEIGHTS).map(|(z, w)| w * z).sum();
            *e = gamma * (h * *e + sum);
        }
        stages.solve_real_block(&mut self.error);
    }
}

impl Family for Radau5 {
    const METHODS: &'static [Method] = &[RADAU5];

    fn stepper<F: Jets + 'static, S: Setting>(
        _: &Method,
        setting: &S,
    ) -> Result<AnyStepper<F>, S::Refusal> {
        Ok(Box::new(Radau5::new(
            setting.dimension(),
            setting.tolerance(),
        )))
    }
}

impl Newton {
    /// Simplified Newton from the present stages.
    fn iterate<F: VectorField + ?Sized>(
        &mut self,
        stages: &mut Stages,
        field: &mut F,
        (t, x, h): (f64, &[f64], f64),
    ) -> Result<Ending, Fault> {
        self.convergence = self.convergence.max(f64::EPSILON).powf(0.8);
        let (mut last, mut contraction) = (f64::INFINITY, 0.0);
        for iteration in 0..MAX_ITERATIONS {
            stages.evaluate(field, t, x, h)?;
            stages.correct_by_newton();
            let size = weighted_norm(&stages.corrections, &self.weights);
            stages.apply_corrections();
            if iteration > 0 {
                contraction = size / last;
                if contraction.is_nan() || contraction >= 1.0 {
                    break;
                }
                self.convergence = contraction / (1.0 - contraction);
                let left = MAX_ITERATIONS - 1 - iteration;
                if self.convergence * size * contraction.powi(left) > self.target {
                    break;
                }
            }
            if self.convergence * size <= self.target {
                return Ok(Ending::Converged(contraction));
            }
            last = size;
        }
        Ok(Ending::Stalled)
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
        self.collocation.predict(t, h);
        self.collocation.stages.evaluations += 1;
        field.rates(t, x, &mut self.start_rates)?;
        self.weigh(x, h);
        let (step, newton) = ((t, x, h), &mut self.newton);
        (self.collocation).solve(field, step, FAST_CONTRACTION, |stages, field| {
            newton.iterate(stages, field, step)
        })?;
        let end = &self.collocation.stages.increments[2 * x.len()..];
        for ((next, x), z) in next.iter_mut().zip(x).zip(end) {
            *next = x + z;
        }
        let error = self.estimate(field, t, x, h)?;
        if error.is_nan() {
            return Err(Fault::NotConverged);
        }
        self.collocation.remember(t, x, h);
        Ok(Step { error })
    }

    fn error_order(&self) -> u32 {
        4
    }

    fn tolerance(&self) -> Option<Tolerance> {
        Some(self.tolerance)
    }

    fn restart(&mut self) {
        self.collocation.restart();
        self.newton.convergence = 1.0;
    }

    fn evaluations(&self) -> u64 {
        self.collocation.stages.evaluations
    }

    fn interpolate(&mut self, _: &mut F, theta: f64, state: &mut [f64]) -> Result<(), Fault> {
        self.collocation.interpolate(theta, state);
        Ok(())
    }
}
