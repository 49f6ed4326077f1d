//! Vector fields with known properties, and measures of the methods that follow them.
#![allow(dead_code, reason = "each test file uses a part")]

use rattleback_integrate::{Fault, Stepper, VectorField};

type Rates = fn(f64, &[f64], &mut [f64]);

/// A field given by two functions. Counts how often it is asked.
#[derive(Clone)]
pub struct Field {
    pub dimension: usize,
    pub rates: Rates,
    pub jacobian: Rates,
    pub evaluations: usize,
    pub jacobians: usize,
}

impl Field {
    pub fn new(dimension: usize, rates: Rates, jacobian: Rates) -> Self {
        Field {
            dimension,
            rates,
            jacobian,
            evaluations: 0,
            jacobians: 0,
        }
    }
}

impl VectorField for Field {
    fn dimension(&self) -> usize {
        self.dimension
    }

    fn rates(&mut self, t: f64, x: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        self.evaluations += 1;
        (self.rates)(t, x, rates);
        match rates.iter().position(|r| !r.is_finite()) {
            Some(k) => Err(Fault::NotFinite(k)),
            None => Ok(()),
        }
    }

    fn jacobian(&mut self, t: f64, x: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
        self.jacobians += 1;
        (self.jacobian)(t, x, jacobian);
        Ok(())
    }
}

/// H = p²/2 − cos q.
pub fn pendulum() -> Field {
    Field::new(
        2,
        |_, x, r| {
            r[0] = x[1];
            r[1] = -x[0].sin();
        },
        |_, x, j| j.copy_from_slice(&[0.0, 1.0, -x[0].cos(), 0.0]),
    )
}

pub fn pendulum_energy(x: &[f64]) -> f64 {
    x[1] * x[1] / 2.0 - x[0].cos()
}

/// The pendulum with a force that depends on time: q'' = −sin q + cos(2t)/2.
pub fn driven_pendulum() -> Field {
    Field::new(
        2,
        |t, x, r| {
            r[0] = x[1];
            r[1] = -x[0].sin() + 0.5 * (2.0 * t).cos();
        },
        |_, x, j| j.copy_from_slice(&[0.0, 1.0, -x[0].cos(), 0.0]),
    )
}

/// H = (p₁² + p₂²)/2 + (q₁² + q₂²)/2 + q₁²q₂ − q₂³/3, state (q₁, q₂, p₁, p₂).
pub fn henon_heiles() -> Field {
    Field::new(
        4,
        |_, x, r| {
            r[0] = x[2];
            r[1] = x[3];
            r[2] = -x[0] - 2.0 * x[0] * x[1];
            r[3] = -x[1] - x[0] * x[0] + x[1] * x[1];
        },
        |_, x, j| {
            j.fill(0.0);
            (j[2], j[7]) = (1.0, 1.0);
            (j[8], j[9]) = (-1.0 - 2.0 * x[1], -2.0 * x[0]);
            (j[12], j[13]) = (-2.0 * x[0], -1.0 + 2.0 * x[1]);
        },
    )
}

pub fn henon_heiles_energy(x: &[f64]) -> f64 {
    let kinetic = (x[2] * x[2] + x[3] * x[3]) / 2.0;
    kinetic + (x[0] * x[0] + x[1] * x[1]) / 2.0 + x[0] * x[0] * x[1] - x[1].powi(3) / 3.0
}

/// H = p²(1 + q²/2)/2 − cos q: a pendulum whose inertia depends on the angle, not separable.
pub fn heavy_pendulum() -> Field {
    Field::new(
        2,
        |_, x, r| {
            let (q, p) = (x[0], x[1]);
            r[0] = p * (1.0 + q * q / 2.0);
            r[1] = -p * p * q / 2.0 - q.sin();
        },
        |_, x, j| {
            let (q, p) = (x[0], x[1]);
            j.copy_from_slice(&[p * q, 1.0 + q * q / 2.0, -p * p / 2.0 - q.cos(), -p * q]);
        },
    )
}

pub fn heavy_pendulum_energy(x: &[f64]) -> f64 {
    x[1] * x[1] * (1.0 + x[0] * x[0] / 2.0) / 2.0 - x[0].cos()
}

/// Steps n times over the given time.
pub fn run<S: Stepper<Field>>(
    stepper: &mut S,
    field: &mut Field,
    x: &[f64],
    (from, to): (f64, f64),
    n: usize,
) -> Vec<f64> {
    let h = (to - from) / n as f64;
    let (mut x, mut next) = (x.to_vec(), x.to_vec());
    for k in 0..n {
        let t = from + k as f64 * h;
        stepper.step(field, t, &x, h, &mut next).unwrap();
        std::mem::swap(&mut x, &mut next);
    }
    x
}

/// max |a − b|.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    let parts = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    parts.fold(0.0, f64::max)
}

/// The slope of log error against log h, fitted over the numbers of steps given.
pub fn measured_order(steps: &[usize], mut error: impl FnMut(usize) -> f64) -> f64 {
    let points: Vec<(f64, f64)> = steps
        .iter()
        .map(|&n| (-(n as f64).ln(), error(n).ln()))
        .collect();
    let count = points.len() as f64;
    let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let covariance: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let variance: f64 = points.iter().map(|p| (p.0 - x).powi(2)).sum();
    covariance / variance
}

/// The largest energy error over many steps, in the first and in the last tenth of them.
pub fn energy_errors<S: Stepper<Field>>(
    stepper: &mut S,
    field: &mut Field,
    x: &[f64],
    h: f64,
    steps: usize,
    energy: fn(&[f64]) -> f64,
) -> (f64, f64) {
    let start = energy(x);
    let (mut x, mut next) = (x.to_vec(), x.to_vec());
    let (mut early, mut late) = (0.0_f64, 0.0_f64);
    for k in 0..steps {
        stepper.step(field, k as f64 * h, &x, h, &mut next).unwrap();
        std::mem::swap(&mut x, &mut next);
        let error = (energy(&x) - start).abs();
        if k < steps / 10 {
            early = early.max(error);
        } else if k >= steps - steps / 10 {
            late = late.max(error);
        }
    }
    (early, late)
}

/// The largest entry of MᵀJM − J for the Jacobian M of one step, by fourth-order differences;
/// q before p in the state.
pub fn symplectic_defect<S: Stepper<Field>>(
    mut fresh: impl FnMut() -> S,
    field: &mut Field,
    x: &[f64],
    h: f64,
) -> f64 {
    let n = x.len();
    let mut flow = |k: usize, shift: f64| {
        let (mut x, mut next) = (x.to_vec(), x.to_vec());
        x[k] += shift;
        fresh().step(field, 0.0, &x, h, &mut next).unwrap();
        next
    };
    let e = 1e-3;
    // columns[k] = ∂next/∂x_k
    let columns: Vec<Vec<f64>> = (0..n)
        .map(|k| {
            let [a, b, c, d] = [2.0, 1.0, -1.0, -2.0].map(|m| flow(k, m * e));
            (0..n)
                .map(|i| (-a[i] + 8.0 * b[i] - 8.0 * c[i] + d[i]) / (12.0 * e))
                .collect()
        })
        .collect();
    let half = n / 2;
    let form = |u: &[f64], v: &[f64]| -> f64 {
        (0..half)
            .map(|i| u[i] * v[half + i] - u[half + i] * v[i])
            .sum()
    };
    let mut defect: f64 = 0.0;
    for i in 0..n {
        for j in 0..n {
            let canonical = match (j == i + half, i == j + half) {
                (true, _) => 1.0,
                (_, true) => -1.0,
                _ => 0.0,
            };
            defect = defect.max((form(&columns[i], &columns[j]) - canonical).abs());
        }
    }
    defect
}
