//! The commutator-free method of order 4.

use crate::field::{Fault, Jets, VectorField};
use crate::method::{AnyStepper, Family, Method, Needs, Order, Setting};
use crate::space::Space;
use crate::stepper::{Step, Stepper};

/// `commutator-free4`.
pub const COMMUTATOR_FREE_4: Method = Method {
    name: "commutator-free4",
    aliases: &[],
    about: "commutator-free exponentials, on the group",
    order: Order::Fixed(4),
    adaptive: false,
    lanes: false,
    symplectic: false,
    symmetric: false,
    needs: Needs {
        group: true,
        ..Needs::RATES
    },
    work: "4 evaluations, 5 exponentials",
    dense: "a shorter step",
};

/// The fourth-order method of Celledoni, Marthinsen & Owren: the stages of the classical
/// Runge-Kutta method, joined by exponentials alone.
///
/// ```text
/// X₂ = x·exp(h/2 ξ₁)   X₃ = x·exp(h/2 ξ₂)   X₄ = X₂·exp(h ξ₃ − h/2 ξ₁)
/// next = x·exp(h/12 (3ξ₁ + 2ξ₂ + 2ξ₃ − ξ₄))·exp(h/12 (−ξ₁ + 2ξ₂ + 2ξ₃ + 3ξ₄))
/// ```
///
/// Fixed step; a state inside a step is found by a shorter step.
#[derive(Clone, Debug)]
pub struct CommutatorFree {
    space: Space,
    /// ξ₁ … ξ₄, one after the other.
    velocities: Vec<f64>,
    sigma: Vec<f64>,
    rates: Vec<f64>,
    second: Vec<f64>,
    point: Vec<f64>,
    /// The last step.
    t: f64,
    h: f64,
    start: Vec<f64>,
    end: Vec<f64>,
    evaluations: u64,
}

impl CommutatorFree {
    /// The method on this space.
    pub fn new(space: Space) -> Self {
        let (n, d) = (space.dimension(), space.velocities());
        CommutatorFree {
            velocities: vec![0.0; 4 * d],
            sigma: vec![0.0; d],
            rates: vec![0.0; n],
            second: vec![0.0; n],
            point: vec![0.0; n],
            t: 0.0,
            h: 0.0,
            start: vec![0.0; n],
            end: vec![0.0; n],
            space,
            evaluations: 0,
        }
    }

    /// ξ_i at x.
    fn find<F: VectorField + ?Sized>(
        &mut self,
        field: &mut F,
        i: usize,
        t: f64,
        x: &[f64],
    ) -> Result<(), Fault> {
        self.evaluations += 1;
        field.rates(t, x, &mut self.rates)?;
        let d = self.sigma.len();
        let xi = &mut self.velocities[i * d..(i + 1) * d];
        self.space.velocity(x, &self.rates, xi);
        Ok(())
    }

    /// next = x·exp(Σ weights_i ξ_i).
    fn join(&mut self, x: &[f64], weights: [f64; 4], next: &mut [f64]) {
        self.sigma.fill(0.0);
        let d = self.sigma.len();
        for (xi, weight) in self.velocities.chunks_exact(d.max(1)).zip(weights) {
            for (s, xi) in self.sigma.iter_mut().zip(xi) {
                *s += weight * xi;
            }
        }
        self.space.displace(x, &self.sigma, next);
    }

    fn advance<F: VectorField + ?Sized>(
        &mut self,
        field: &mut F,
        (t, h): (f64, f64),
        x: &[f64],
        next: &mut [f64],
    ) -> Result<(), Fault> {
        let mut second = std::mem::take(&mut self.second);
        let mut point = std::mem::take(&mut self.point);
        let outcome = self.stages(field, (t, h), x, &mut second, &mut point);
        if outcome.is_ok() {
            let weights = [3.0, 2.0, 2.0, -1.0].map(|w| w * h / 12.0);
            self.join(x, weights, &mut point);
            let weights = [-1.0, 2.0, 2.0, 3.0].map(|w| w * h / 12.0);
            self.join(&point, weights, next);
        }
        (self.second, self.point) = (second, point);
        outcome?;
        self.space.project(next)
    }

    fn stages<F: VectorField + ?Sized>(
        &mut self,
        field: &mut F,
        (t, h): (f64, f64),
        x: &[f64],
        second: &mut [f64],
        point: &mut [f64],
    ) -> Result<(), Fault> {
        let half = h / 2.0;
        self.find(field, 0, t, x)?;
        self.join(x, [half, 0.0, 0.0, 0.0], second);
        self.find(field, 1, t + half, second)?;
        self.join(x, [0.0, half, 0.0, 0.0], point);
        self.find(field, 2, t + half, point)?;
        self.join(second, [-half, 0.0, h, 0.0], point);
        self.find(field, 3, t + h, point)
    }
}

impl Family for CommutatorFree {
    const METHODS: &'static [Method] = &[COMMUTATOR_FREE_4];

    fn stepper<F: Jets + 'static, S: Setting>(
        _: &Method,
        setting: &S,
    ) -> Result<AnyStepper<F>, S::Refusal> {
        Ok(Box::new(CommutatorFree::new(setting.space()?)))
    }
}

impl<F: VectorField + ?Sized> Stepper<F> for CommutatorFree {
    fn order(&self) -> u32 {
        4
    }

    fn step(
        &mut self,
        field: &mut F,
        t: f64,
        x: &[f64],
        h: f64,
        next: &mut [f64],
    ) -> Result<Step, Fault> {
        self.advance(field, (t, h), x, next)?;
        (self.t, self.h) = (t, h);
        self.start.copy_from_slice(x);
        self.end.copy_from_slice(next);
        Ok(Step { error: 0.0 })
    }

    fn interpolate(&mut self, field: &mut F, theta: f64, state: &mut [f64]) -> Result<(), Fault> {
        if theta == 1.0 {
            state.copy_from_slice(&self.end);
            return Ok(());
        }
        let start = std::mem::take(&mut self.start);
        let outcome = self.advance(field, (self.t, theta * self.h), &start, state);
        self.start = start;
        outcome
    }

    fn evaluations(&self) -> u64 {
        self.evaluations
    }
}
