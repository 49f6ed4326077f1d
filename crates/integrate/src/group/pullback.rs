//! A vector field seen in the exponential chart around a point.

use crate::field::{Fault, VectorField};
use crate::space::Space;

/// σ' = dexp⁻¹ ξ(t, x₀·exp σ) for a field on a [`Space`], where ξ is its velocity there.
///
/// Near σ = 0 this is a field on a vector space, which any method can follow.
#[derive(Debug)]
pub struct Pullback<'a, F: ?Sized> {
    pub(super) field: &'a mut F,
    pub(super) chart: &'a mut Chart,
}

/// The chart around a point, with the memory to look through it.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    pub space: Space,
    /// x₀.
    pub center: Vec<f64>,
    /// The point looked at last.
    point: Vec<f64>,
    rates: Vec<f64>,
    /// Its time, coordinates and velocity.
    time: Option<f64>,
    sigma: Vec<f64>,
    velocity: Vec<f64>,
    /// A velocity at the center that needs no evaluation, with its time.
    center_velocity: Vec<f64>,
    center_time: Option<f64>,
    origin: Vec<f64>,
    shifted: Vec<f64>,
    shifted_rates: Vec<f64>,
    pub evaluations: u64,
}

impl Chart {
    pub fn new(space: Space) -> Self {
        let (n, d) = (space.dimension(), space.velocities());
        Chart {
            space,
            center: vec![0.0; n],
            point: vec![0.0; n],
            rates: vec![0.0; n],
            time: None,
            sigma: vec![0.0; d],
            velocity: vec![0.0; d],
            center_velocity: vec![0.0; d],
            center_time: None,
            origin: vec![0.0; d],
            shifted: vec![0.0; d],
            shifted_rates: vec![0.0; d],
            evaluations: 0,
        }
    }

    /// Moves the chart to x; the coordinates of x are now the origin.
    pub fn center_at(&mut self, x: &[f64]) {
        self.center.copy_from_slice(x);
        self.space.chart_origin(x, &mut self.origin);
        self.center_time = None;
    }

    /// Takes over the velocity found last, if it was found at the coordinates `end`, for a chart
    /// that has just been moved there.
    pub fn keep_velocity(&mut self, end: &[f64]) {
        if self.sigma == end {
            self.center_velocity.copy_from_slice(&self.velocity);
            self.center_time = self.time;
        }
    }

    pub fn origin(&self) -> &[f64] {
        &self.origin
    }

    pub fn forget(&mut self) {
        self.time = None;
        self.center_time = None;
    }
}

impl<F: VectorField + ?Sized> Pullback<'_, F> {
    fn find_velocity(&mut self, t: f64, sigma: &[f64]) -> Result<(), Fault> {
        let chart = &mut *self.chart;
        chart.time = None;
        chart.sigma.copy_from_slice(sigma);
        let known = chart.center_time.is_some_and(|known| same_time(known, t));
        if known && sigma == chart.origin {
            chart.velocity.copy_from_slice(&chart.center_velocity);
        } else {
            chart
                .space
                .chart_point(&chart.center, sigma, &mut chart.point);
            chart.evaluations += 1;
            self.field.rates(t, &chart.point, &mut chart.rates)?;
            let Chart {
                space,
                point,
                rates,
                velocity,
                ..
            } = chart;
            space.velocity(point, rates, velocity);
        }
        chart.time = Some(t);
        Ok(())
    }
}

/// The change of a component that slopes are taken by: the third root of the rounding of doubles.
const DIFFERENCE: f64 = 6e-6;

/// Times that differ by the rounding of t + h.
fn same_time(a: f64, b: f64) -> bool {
    (a - b).abs() <= 4.0 * f64::EPSILON * a.abs().max(b.abs())
}

impl<F: VectorField + ?Sized> VectorField for Pullback<'_, F> {
    fn dimension(&self) -> usize {
        self.chart.space.velocities()
    }

    fn rates(&mut self, t: f64, sigma: &[f64], rates: &mut [f64]) -> Result<(), Fault> {
        self.find_velocity(t, sigma)?;
        let chart = &self.chart;
        chart.space.chart_rate(sigma, &chart.velocity, rates)
    }

    /// By differences: implicit methods use it to converge, not in what they converge to.
    fn jacobian(&mut self, t: f64, sigma: &[f64], jacobian: &mut [f64]) -> Result<(), Fault> {
        let d = sigma.len();
        let mut shifted = std::mem::take(&mut self.chart.shifted);
        let mut rates = std::mem::take(&mut self.chart.shifted_rates);
        shifted.copy_from_slice(sigma);
        let mut outcome = Ok(());
        for j in 0..d {
            let step = DIFFERENCE * sigma[j].abs().max(1.0);
            for side in [1.0, -1.0] {
                shifted[j] = sigma[j] + side * step;
                outcome = outcome.and(self.rates(t, &shifted, &mut rates));
                for (i, rate) in rates.iter().enumerate() {
                    let entry = &mut jacobian[i * d + j];
                    let before = if side > 0.0 { 0.0 } else { *entry };
                    *entry = before + side * rate / (2.0 * step);
                }
            }
            shifted[j] = sigma[j];
        }
        self.chart.shifted = shifted;
        self.chart.shifted_rates = rates;
        outcome
    }
}
