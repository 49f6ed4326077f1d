//! Problems with known solutions, and how to measure an order on them.

// Each test binary uses its own part of this room.
#![allow(dead_code)]

use rattleback_integrate::{
    Dop853, Drive, DriveError, Fault, Stepper, Summary, Tolerance, VectorField,
};
use std::ops::ControlFlow;

/// A vector field with a motion that is known in closed form.
pub trait Known: VectorField {
    /// Writes the known motion at time t.
    fn exact(&self, t: f64, x: &mut [f64]);

    /// The known motion at time t.
    fn at(&self, t: f64) -> Vec<f64> {
        let mut x = vec![0.0; self.dimension()];
        self.exact(t, &mut x);
        x
    }
}

/// x' = cos t: nothing but the nodes of a method.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cosine;

impl VectorField for Cosine {
    fn dimension(&self) -> usize {
        1
    }
    fn rates(&mut self, t: f64, _: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        rates[0] = t.cos();
        Ok(())
    }
    fn jacobian(&mut self, _: f64, _: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
        jacobian[0] = 0.0;
        Ok(())
    }
}

impl Known for Cosine {
    fn exact(&self, t: f64, x: &mut [f64]) {
        x[0] = t.sin();
    }
}

/// q'' = −q as (q, q'), from (1, 0).
#[derive(Clone, Copy, Debug, Default)]
pub struct Oscillator;

impl VectorField for Oscillator {
    fn dimension(&self) -> usize {
        2
    }
    fn rates(&mut self, _: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        rates[0] = x[1];
        rates[1] = -x[0];
        Ok(())
    }
    fn jacobian(&mut self, _: f64, _: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
        jacobian.copy_from_slice(&[0.0, 1.0, -1.0, 0.0]);
        Ok(())
    }
}

impl Known for Oscillator {
    fn exact(&self, t: f64, x: &mut [f64]) {
        x[0] = t.cos();
        x[1] = -t.sin();
    }
}

/// A nonlinear system that depends on time (Hairer, Nørsett & Wanner, II.1 exercises), with
/// s = sin t²:  x = (e^s, e^(5s), s + 1, cos t²).
#[derive(Clone, Copy, Debug, Default)]
pub struct Swinging;

impl VectorField for Swinging {
    fn dimension(&self) -> usize {
        4
    }
    fn rates(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        rates[0] = 2.0 * t * x[1].powf(0.2) * x[3];
        rates[1] = 10.0 * t * (5.0 * (x[2] - 1.0)).exp() * x[3];
        rates[2] = 2.0 * t * x[3];
        rates[3] = -2.0 * t * x[0].ln();
        match rates.iter().position(|r| !r.is_finite()) {
            Some(i) => Err(Fault::NotFinite(i)),
            None => Ok(()),
        }
    }
    fn jacobian(&mut self, t: f64, x: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
        let root = x[1].powf(0.2);
        let e = (5.0 * (x[2] - 1.0)).exp();
        jacobian.fill(0.0);
        jacobian[1] = 0.4 * t * root / x[1] * x[3];
        jacobian[3] = 2.0 * t * root;
        jacobian[4 + 2] = 50.0 * t * e * x[3];
        jacobian[4 + 3] = 10.0 * t * e;
        jacobian[8 + 3] = 2.0 * t;
        jacobian[12] = -2.0 * t / x[0];
        Ok(())
    }
}

impl Known for Swinging {
    fn exact(&self, t: f64, x: &mut [f64]) {
        let s = (t * t).sin();
        x[0] = s.exp();
        x[1] = (5.0 * s).exp();
        x[2] = s + 1.0;
        x[3] = (t * t).cos();
    }
}

/// The plane Kepler problem q'' = −q/|q|³ as (q, q'), from perihelion with unit major half-axis.
#[derive(Clone, Copy, Debug)]
pub struct Kepler {
    pub eccentricity: f64,
}

impl VectorField for Kepler {
    fn dimension(&self) -> usize {
        4
    }
    fn rates(&mut self, _: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        let cube = (x[0] * x[0] + x[1] * x[1]).powf(1.5);
        rates[0] = x[2];
        rates[1] = x[3];
        rates[2] = -x[0] / cube;
        rates[3] = -x[1] / cube;
        Ok(())
    }
    fn jacobian(&mut self, _: f64, x: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
        let r2 = x[0] * x[0] + x[1] * x[1];
        let (r3, r5) = (r2.powf(1.5), r2.powf(2.5));
        jacobian.fill(0.0);
        jacobian[2] = 1.0;
        jacobian[4 + 3] = 1.0;
        jacobian[8] = 3.0 * x[0] * x[0] / r5 - 1.0 / r3;
        jacobian[8 + 1] = 3.0 * x[0] * x[1] / r5;
        jacobian[12] = 3.0 * x[0] * x[1] / r5;
        jacobian[12 + 1] = 3.0 * x[1] * x[1] / r5 - 1.0 / r3;
        Ok(())
    }
}

impl Known for Kepler {
    fn exact(&self, t: f64, x: &mut [f64]) {
        let e = self.eccentricity;
        // Kepler's equation E − e sin E = t by Newton.
        let mut anomaly = t;
        for _ in 0..50 {
            anomaly -= (anomaly - e * anomaly.sin() - t) / (1.0 - e * anomaly.cos());
        }
        let (sin, cos) = anomaly.sin_cos();
        let (minor, rate) = ((1.0 - e * e).sqrt(), 1.0 / (1.0 - e * cos));
        x[0] = cos - e;
        x[1] = minor * sin;
        x[2] = -sin * rate;
        x[3] = minor * cos * rate;
    }
}

/// The pendulum θ'' = −sin θ as (θ, θ'), swinging up to `amplitude` and through 0 at t = 0.
#[derive(Clone, Copy, Debug)]
pub struct Pendulum {
    pub amplitude: f64,
}

impl VectorField for Pendulum {
    fn dimension(&self) -> usize {
        2
    }
    fn rates(&mut self, _: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        rates[0] = x[1];
        rates[1] = -x[0].sin();
        Ok(())
    }
    fn jacobian(&mut self, _: f64, x: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
        jacobian.copy_from_slice(&[0.0, 1.0, -x[0].cos(), 0.0]);
        Ok(())
    }
}

impl Known for Pendulum {
    /// sin(θ/2) = k sn(t, k), θ' = 2k cn(t, k), k = sin(amplitude/2).
    fn exact(&self, t: f64, x: &mut [f64]) {
        let k = (self.amplitude / 2.0).sin();
        let (sn, cn) = jacobi(t, k);
        x[0] = 2.0 * (k * sn).asin();
        x[1] = 2.0 * k * cn;
    }
}

impl Pendulum {
    /// The time from 0 to the amplitude, K(k) = π / (2 agm(1, k')).
    pub fn quarter_period(&self) -> f64 {
        let k = (self.amplitude / 2.0).sin();
        let (mut a, mut b) = (1.0, (1.0 - k * k).sqrt());
        for _ in 0..40 {
            (a, b) = ((a + b) / 2.0, (a * b).sqrt());
        }
        std::f64::consts::FRAC_PI_2 / a
    }
}

/// Jacobi's sn and cn of modulus k, by the arithmetic-geometric mean.
pub fn jacobi(u: f64, k: f64) -> (f64, f64) {
    let (mut a, mut b) = (1.0, (1.0 - k * k).sqrt());
    let mut ratios = Vec::new();
    let mut scale = 1.0;
    for _ in 0..8 {
        let c = (a - b) / 2.0;
        (a, b) = ((a + b) / 2.0, (a * b).sqrt());
        ratios.push(c / a);
        scale *= 2.0;
    }
    let mut phase: f64 = scale * a * u;
    for ratio in ratios.iter().rev() {
        phase = (phase + (ratio * phase.sin()).asin()) / 2.0;
    }
    phase.sin_cos()
}

/// The largest difference of two states.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max)
}

/// Takes `steps` equal steps along the known motion and returns the error at the end.
pub fn error_of_fixed_steps<F: Known, S: Stepper<F>>(
    field: &mut F,
    stepper: &mut S,
    t0: f64,
    t1: f64,
    steps: u32,
) -> f64 {
    let h = (t1 - t0) / f64::from(steps);
    let mut x = field.at(t0);
    let mut next = x.clone();
    for k in 0..steps {
        let t = t0 + f64::from(k) * h;
        stepper.step(field, t, &x, h, &mut next).unwrap();
        x.copy_from_slice(&next);
    }
    distance(&x, &field.at(t1))
}

/// The slope of log error against log h (least squares), from the points above round-off.
pub fn measured_order(points: &[(f64, f64)], round_off: f64) -> f64 {
    let logs: Vec<(f64, f64)> = points
        .iter()
        .filter(|(_, error)| *error > round_off)
        .map(|(h, error)| (h.ln(), error.ln()))
        .collect();
    assert!(
        logs.len() >= 3,
        "too few points above round-off: {points:?}"
    );
    let n = logs.len() as f64;
    let (mx, my) = (
        logs.iter().map(|p| p.0).sum::<f64>() / n,
        logs.iter().map(|p| p.1).sum::<f64>() / n,
    );
    let covariance: f64 = logs.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    let variance: f64 = logs.iter().map(|p| (p.0 - mx).powi(2)).sum();
    covariance / variance
}

pub fn nobody(_: f64, _: &[f64]) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Follows a motion without events, and tells nobody.
pub fn follow<F: VectorField, S: Stepper<F> + ?Sized>(
    drive: Drive<'_>,
    field: &mut F,
    stepper: &mut S,
    x: &mut [f64],
) -> Result<Summary, DriveError> {
    drive.run(field, stepper, x, &mut [], &mut nobody)
}

pub fn dop853(n: usize, tolerance: f64) -> Dop853 {
    Dop853::new(n, Tolerance::both(tolerance))
}
