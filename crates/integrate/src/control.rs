//! Step sizes: tolerance, error norm, controller, first step.

use crate::field::{Fault, VectorField};

/// How much error a step may make in a component x_i: atol + rtol |x_i|.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// The part that scales with the component.
    pub relative: f64,
    /// The part that does not.
    pub absolute: f64,
}

impl Tolerance {
    /// The same number for both parts.
    pub fn both(tolerance: f64) -> Self {
        Tolerance {
            relative: tolerance,
            absolute: tolerance,
        }
    }

    /// The error allowed in a component of this size; never 0, so that it can be divided by.
    #[inline(always)]
    pub fn scale(&self, size: f64) -> f64 {
        let scale = self.absolute + self.relative * size;
        if scale > SMALLEST_SCALE {
            scale
        } else {
            SMALLEST_SCALE
        }
    }

    /// The size to take for a component that is 0 at the state x, where its own says nothing: that of
    /// the largest component, or 1.
    pub(crate) fn size_for_zero(&self, x: &[f64]) -> f64 {
        let largest = x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        match self.absolute == 0.0 {
            true if largest > 0.0 => largest,
            true => 1.0,
            false => 0.0,
        }
    }

    /// The root mean square of error_i / scale_i, with the scale of the larger end of the step.
    pub fn norm(&self, error: &[f64], start: &[f64], end: &[f64]) -> f64 {
        let squares: f64 = error
            .iter()
            .zip(start.iter().zip(end))
            .map(|(e, (a, b))| (e / self.scale(a.abs().max(b.abs()))).powi(2))
            .sum();
        (squares / error.len().max(1) as f64).sqrt()
    }
}

/// A size, or the size for zero where it is nothing but its rounding.
pub(crate) fn size_or(size: f64, for_zero: f64) -> f64 {
    if size <= f64::EPSILON * for_zero {
        for_zero
    } else {
        size
    }
}

/// Errors over this, squared, are still numbers.
const SMALLEST_SCALE: f64 = 1e-140;

/// Proportional-integral control of the step size,
///
///   h_new = h · safety · err_n^(−α) · err_(n−1)^β,    α = 1/q − 3β/4,
///
/// for a method whose error estimate behaves like h^q (Hairer, Nørsett & Wanner, II.4 and IV.2).
#[derive(Clone, Debug)]
pub struct Controller {
    proportional: f64,
    integral: f64,
    smallest_factor: f64,
    largest_factor: f64,
    previous_error: f64,
    just_rejected: bool,
}

/// The share of the step that the error model promises which is actually taken.
const SAFETY: f64 = 0.9;
/// Errors below this say more about round-off than about the step before.
const SMALLEST_MEMORY: f64 = 1e-4;

impl Controller {
    /// A controller for an error estimate of this order q.
    pub fn new(error_order: u32) -> Self {
        let q = f64::from(error_order.max(1));
        // High-order methods gain nothing from memory; low-order ones run into stability limits,
        // where it keeps the step from oscillating.
        let integral = if error_order >= 7 { 0.0 } else { 0.2 / q };
        let (smallest_factor, largest_factor) = if error_order >= 7 {
            (1.0 / 3.0, 6.0)
        } else {
            (0.2, 10.0)
        };
        Controller {
            proportional: 1.0 / q - 0.75 * integral,
            integral,
            smallest_factor,
            largest_factor,
            previous_error: SMALLEST_MEMORY,
            just_rejected: false,
        }
    }

    /// The factor from an accepted step to the next one.
    pub fn accept(&mut self, error: f64) -> f64 {
        let mut factor = SAFETY * self.response(error);
        if self.integral != 0.0 {
            factor *= self.previous_error.powf(self.integral);
        }
        // Right after a rejection the error model has just been wrong: do not grow.
        let largest = if self.just_rejected {
            1.0
        } else {
            self.largest_factor
        };
        self.previous_error = error.max(SMALLEST_MEMORY);
        self.just_rejected = false;
        factor.clamp(self.smallest_factor, largest)
    }

    /// The factor from a rejected step to the next trial.
    pub fn reject(&mut self, error: f64) -> f64 {
        self.just_rejected = true;
        (SAFETY * self.response(error)).clamp(self.smallest_factor, SAFETY)
    }

    /// err^(−α).
    fn response(&self, error: f64) -> f64 {
        if error == 0.0 {
            f64::INFINITY
        } else if self.proportional == 0.125 {
            // Three square roots are faster than a power.
            error.sqrt().sqrt().sqrt().recip()
        } else {
            error.powf(-self.proportional)
        }
    }

    /// The factor after a trial in which the field had no value.
    pub fn retreat(&mut self) -> f64 {
        self.just_rejected = true;
        0.1
    }
}

/// Memory for the first step, kept apart so that repeated starts do not allocate.
#[derive(Clone, Debug)]
pub struct FirstStep {
    rates: Vec<f64>,
    ahead: Vec<f64>,
    ahead_rates: Vec<f64>,
}

impl FirstStep {
    /// Memory for this many state components.
    pub fn new(dimension: usize) -> Self {
        FirstStep {
            rates: vec![0.0; dimension],
            ahead: vec![0.0; dimension],
            ahead_rates: vec![0.0; dimension],
        }
    }

    /// A first step (positive) from (t, x) in the direction of `span` for a method of this order:
    /// an explicit Euler step measures x' and x'', and h = (0.01 / max(|x'|, |x''|))^(1/order) in
    /// the norm of the tolerance (Hairer, Nørsett & Wanner, II.4). Costs two evaluations.
    pub fn choose<F: VectorField + ?Sized>(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        span: f64,
        tolerance: Tolerance,
        order: u32,
    ) -> Result<f64, Fault> {
        field.rates(t, x, &mut self.rates)?;
        let guess = Guess::new(tolerance, x, &self.rates, span)?;
        guess.ahead(x, &self.rates, &mut self.ahead);
        let (time, ahead_rates) = (t + guess.euler, &mut self.ahead_rates);
        if field.rates(time, &self.ahead, ahead_rates).is_err() {
            return Ok(guess.cautious());
        }
        Ok(guess.refine(tolerance, x, &self.rates, &self.ahead_rates, order))
    }
}

/// A state or a slope of less than this in tolerances says nothing of the first step, ...
const UNKNOWN: f64 = 1e-5;
/// ... which is then this long.
const FIRST_STEP: f64 = 1e-6;
/// The part of it where nothing is known of the state ahead.
const CAUTION: f64 = 1e-3;
/// Slopes below this are none.
const LEVEL: f64 = 1e-15;

/// A first step found from the size of the state and its slope: the step of an explicit Euler
/// method that moves the state by a hundredth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guess {
    /// The length of the Euler step, with the sign of the span.
    pub euler: f64,
    slope: f64,
    span: f64,
}

impl Guess {
    /// The guess at state x with these rates.
    pub fn new(tolerance: Tolerance, x: &[f64], rates: &[f64], span: f64) -> Result<Self, Fault> {
        let scaled = Scaled { tolerance, x };
        let (size, slope) = (scaled.norm(x), scaled.norm(rates));
        if !slope.is_finite() {
            return Err(first_not_finite(rates));
        }
        let length = if size < UNKNOWN || slope < UNKNOWN {
            FIRST_STEP
        } else {
            0.01 * size / slope
        };
        Ok(Guess {
            euler: length.min(span.abs()).copysign(span),
            slope,
            span,
        })
    }

    /// The state after the Euler step.
    pub fn ahead(&self, x: &[f64], rates: &[f64], ahead: &mut [f64]) {
        for ((ahead, x), rate) in ahead.iter_mut().zip(x).zip(rates) {
            *ahead = x + self.euler * rate;
        }
    }

    /// A first step where nothing is known of the state ahead.
    pub fn cautious(&self) -> f64 {
        self.euler.abs() * CAUTION
    }

    /// The first step of a method of this order, now that the rates after the Euler step are known.
    pub fn refine(
        &self,
        tolerance: Tolerance,
        x: &[f64],
        rates: &[f64],
        ahead_rates: &[f64],
        order: u32,
    ) -> f64 {
        let euler = self.euler.abs();
        let change = ahead_rates
            .iter()
            .zip(rates)
            .map(|(ahead, now)| ahead - now);
        let bend = Scaled { tolerance, x }.norm_of(change) / euler;
        let steepest = self.slope.max(bend);
        let by_order = if steepest <= LEVEL {
            (euler * CAUTION).max(FIRST_STEP)
        } else {
            (0.01 / steepest).powf(1.0 / f64::from(order.max(1)))
        };
        if bend.is_finite() && by_order > 0.0 {
            by_order.min(100.0 * euler).min(self.span.abs())
        } else {
            self.cautious()
        }
    }
}

/// The tolerance at a state.
#[derive(Clone, Copy)]
struct Scaled<'a> {
    tolerance: Tolerance,
    x: &'a [f64],
}

impl Scaled<'_> {
    fn norm(self, v: &[f64]) -> f64 {
        self.norm_of(v.iter().copied())
    }

    /// The root mean square of v_i over what is allowed in x_i.
    fn norm_of(self, v: impl Iterator<Item = f64>) -> f64 {
        let for_zero = self.tolerance.size_for_zero(self.x);
        let parts = v.zip(self.x);
        let squares: f64 = parts
            .map(|(v, x)| (v / self.tolerance.scale(size_or(x.abs(), for_zero))).powi(2))
            .sum();
        (squares / self.x.len().max(1) as f64).sqrt()
    }
}

/// The first component that is not a finite number.
pub(crate) fn first_not_finite(values: &[f64]) -> Fault {
    let component = values.iter().position(|v| !v.is_finite()).unwrap_or(0);
    Fault::NotFinite(component)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Decay;
    impl VectorField for Decay {
        fn dimension(&self) -> usize {
            1
        }
        fn rates(&mut self, _: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
            rates[0] = -1000.0 * x[0];
            Ok(())
        }
        fn jacobian(&mut self, _: f64, _: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
            jacobian[0] = -1000.0;
            Ok(())
        }
    }

    #[test]
    fn norm_is_one_at_the_tolerance() {
        let tolerance = Tolerance {
            relative: 1e-3,
            absolute: 1e-6,
        };
        let error = [1e-6 + 2e-3, 1e-6 + 5e-3];
        assert!((tolerance.norm(&error, &[1.0, -5.0], &[-2.0, 0.0]) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_zero_tolerance_never_divides_by_zero() {
        let tolerance = Tolerance::both(0.0);
        assert_eq!(tolerance.norm(&[0.0], &[0.0], &[0.0]), 0.0);
    }

    #[test]
    fn first_step_fits_the_time_scale() {
        let h = FirstStep::new(1)
            .choose(&mut Decay, 0.0, &[1.0], 10.0, Tolerance::both(1e-6), 5)
            .unwrap();
        assert!(1e-6 < h && h < 1e-2, "{h}");
    }

    #[test]
    fn errors_shrink_and_grow_the_step() {
        let mut controller = Controller::new(5);
        assert!(controller.reject(100.0) < 0.5);
        assert!(
            controller.accept(1e-9) <= 1.0,
            "no growth after a rejection"
        );
        assert!(controller.accept(1e-9) > 2.0);
        assert!(controller.accept(0.0) <= 10.0);
    }
}
