//! Back to the constraints: what drifts in a motion is moved out after each step.

use crate::compiled::Compiled;
use rattleback_compile::{Motion, RecordKind};
use rattleback_numeric::Lu;
use rattleback_symbolic::MissingInput;

/// Newton steps of least length, δ = −W²Jᵀ(JW²Jᵀ)⁻¹ r, onto r(t, x) = 0. Momenta have the weight of the largest of them, so
/// that the unit of mass does not decide whether they or positions are moved.
#[derive(Clone)]
pub struct Projection {
    residuals: Compiled,
    jacobian: Compiled,
    lu: Lu<f64>,
    r: Vec<f64>,
    j: Vec<f64>,
    gram: Vec<f64>,
    /// W² J, as long as J.
    weighted: Vec<f64>,
    /// Which components are momenta.
    momenta: Vec<bool>,
    dimension: usize,
}

/// Two Newton steps bring what one integration step lets drift down to round-off.
const STEPS: usize = 2;

impl Projection {
    /// The projection of a motion; none where nothing drifts.
    pub fn of(motion: &Motion) -> Result<Option<Self>, MissingInput> {
        let Some(program) = motion.drift()? else {
            return Ok(None);
        };
        let (n, m) = (motion.state.len(), program.outputs.len());
        Ok(Some(Self {
            jacobian: Compiled::new(program.jacobian(1..1 + n)),
            residuals: Compiled::new(program),
            lu: Lu::new(m),
            r: vec![0.0; m],
            j: vec![0.0; m * n],
            gram: vec![0.0; m * m],
            weighted: vec![0.0; m * n],
            momenta: motion
                .kinds
                .iter()
                .map(|k| *k == RecordKind::Momentum)
                .collect(),
            dimension: n,
        }))
    }

    /// Moves the state in `inputs` = (t, x, …) onto the constraints, and says how far. Where that fails, none.
    pub fn apply(&mut self, inputs: &mut [f64]) -> Option<f64> {
        let mut way = 0.0;
        for _ in 0..STEPS {
            way += self.step(inputs)?;
        }
        Some(way)
    }

    /// Moves a state onto the constraints of its time, and says how far; leaves it where it is if that fails. Memory is for
    /// (t, x, what is given).
    pub(crate) fn move_back(&mut self, memory: &mut [f64], t: f64, x: &mut [f64]) -> Option<f64> {
        memory[0] = t;
        memory[1..=x.len()].copy_from_slice(x);
        let way = self.apply(memory)?;
        x.copy_from_slice(&memory[1..=x.len()]);
        Some(way)
    }

    /// The square of the largest momentum; 1 where all vanish.
    fn weight_of_momenta(&self, x: &[f64]) -> f64 {
        let momenta = x.iter().zip(&self.momenta).filter(|(_, is)| **is);
        match momenta.fold(0.0, |m: f64, (p, _)| m.max(p.abs())).powi(2) {
            square if square.is_normal() => square,
            _ => 1.0,
        }
    }

    /// One Newton step, and its length.
    fn step(&mut self, inputs: &mut [f64]) -> Option<f64> {
        let (n, m) = (self.dimension, self.r.len());
        self.residuals.call(inputs, &mut self.r).ok()?;
        self.jacobian.call(inputs, &mut self.j).ok()?;
        let weight = self.weight_of_momenta(&inputs[1..=n]);
        for (k, (weighted, j)) in self.weighted.iter_mut().zip(&self.j).enumerate() {
            *weighted = if self.momenta[k % n] { weight * j } else { *j };
        }
        for a in 0..m {
            for b in 0..m {
                let rows = self.j[a * n..(a + 1) * n]
                    .iter()
                    .zip(&self.weighted[b * n..(b + 1) * n]);
                self.gram[a * m + b] = rows.map(|(x, y)| x * y).sum();
            }
        }
        let gram = &self.gram;
        self.lu.factor(|a, b| gram[a * m + b]).ok()?;
        self.lu.solve(&mut self.r);
        if !self.r.iter().all(|r| r.is_finite()) {
            return None;
        }
        let mut way = 0.0;
        for (i, x) in inputs[1..=n].iter_mut().enumerate() {
            let change = (0..m)
                .map(|a| self.weighted[a * n + i] * self.r[a])
                .sum::<f64>();
            *x -= change;
            way += change * change;
        }
        Some(way.sqrt()).filter(|way| way.is_finite())
    }
}
