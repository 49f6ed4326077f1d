//! The frame of a collocation method: its polynomial from step to step, and when to linearise anew.

use super::stages::Stages;
use super::tableau::{MAX_STAGES, Tableau};
use crate::field::{Fault, VectorField};
use crate::tolerance::SAME_TIME;

/// How an iteration for the stages ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ending {
    /// Corrections are small enough; the slowest contraction on the way.
    Converged(f64),
    /// Corrections do not shrink, or too slowly.
    Stalled,
}

/// What the polynomial of a step is written in: u(t + θh) = x + Σ_j w_j(θ) v_j.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Basis {
    /// v_j = h f_j, w_j(θ) = ∫₀^θ ℓ_j.
    Rates,
    /// v_j = z_j, w_j(θ) the polynomial that is 0 at 0, 1 at node j and 0 at the others.
    Increments,
}

impl Basis {
    fn weights(self, tableau: &Tableau, theta: f64) -> [f64; MAX_STAGES] {
        match self {
            Basis::Rates => tableau.weights_at(theta),
            Basis::Increments => tableau.increment_weights_at(theta),
        }
    }
}

/// A step whose stages were found.
#[derive(Clone, Copy, Debug)]
struct Taken {
    t: f64,
    h: f64,
}

/// The stages of a step, the polynomial of the last one, and the linearization that serves both.
#[derive(Clone, Debug)]
pub(crate) struct Collocation {
    pub stages: Stages,
    basis: Basis,
    last: Option<Taken>,
    /// x and v_j of the last step.
    start: Vec<f64>,
    polynomial: Vec<f64>,
    /// The time at which the Jacobian was taken, if it still serves.
    linearized_at: Option<f64>,
    /// The step size the factors belong to.
    factored_for: Option<f64>,
}

impl Collocation {
    pub fn new(tableau: Tableau, basis: Basis, dimension: usize) -> Self {
        let stages = Stages::new(tableau, dimension);
        Collocation {
            basis,
            last: None,
            start: vec![0.0; dimension],
            polynomial: vec![0.0; stages.increments.len()],
            linearized_at: None,
            factored_for: None,
            stages,
        }
    }

    /// Forgets the last step and its Jacobian.
    pub fn restart(&mut self) {
        self.last = None;
        self.linearized_at = None;
        self.factored_for = None;
    }

    /// Starting values: the last polynomial at the new nodes, inside it when that step was
    /// rejected, continued when it was accepted, else 0. The last step is over with that.
    pub fn predict(&mut self, t: f64, h: f64) {
        let place = self.last.take().and_then(|last| match t {
            _ if same_time(t, last.t, h) => Some((0.0, h / last.h)),
            _ if same_time(t, last.t + last.h, h) => Some((1.0, h / last.h)),
            _ => None,
        });
        let Stages {
            tableau,
            increments,
            ..
        } = &mut self.stages;
        increments.fill(0.0);
        let Some((origin, ratio)) = place else {
            return;
        };
        let n = self.start.len().max(1);
        let base = self.basis.weights(tableau, origin);
        for (&node, z) in tableau.nodes.iter().zip(increments.chunks_exact_mut(n)) {
            let there = self.basis.weights(tableau, origin + node * ratio);
            for (j, old) in self.polynomial.chunks_exact(n).enumerate() {
                for (z, old) in z.iter_mut().zip(old) {
                    *z += (there[j] - base[j]) * old;
                }
            }
        }
    }

    /// Solves for the stages by an iteration of Newton's kind, with the old Jacobian if that does.
    /// It is kept for the next step while the iteration contracts at least as fast as `fast`.
    pub fn solve<F: VectorField + ?Sized>(
        &mut self,
        field: &mut F,
        (t, x, h): (f64, &[f64], f64),
        fast: f64,
        mut iterate: impl FnMut(&mut Stages, &mut F) -> Result<Ending, Fault>,
    ) -> Result<(), Fault> {
        if let Some(place) = self.linearized_at {
            self.factor(h)?;
            match iterate(&mut self.stages, field) {
                Ok(Ending::Converged(contraction)) => {
                    self.keep_while(contraction <= fast);
                    return Ok(());
                }
                Ok(Ending::Stalled) if place == t => return Err(Fault::NotConverged),
                Err(fault) if place == t => return Err(fault),
                // The Jacobian or the extrapolated start may be to blame.
                _ => self.stages.increments.fill(0.0),
            }
        }
        self.linearized_at = None;
        self.stages.linearize(field, t, x)?;
        self.linearized_at = Some(t);
        self.factored_for = None;
        self.factor(h)?;
        match iterate(&mut self.stages, field)? {
            Ending::Converged(contraction) => {
                self.keep_while(contraction <= fast);
                Ok(())
            }
            // The Jacobian is right for the shorter step that is tried next.
            Ending::Stalled => Err(Fault::NotConverged),
        }
    }

    fn keep_while(&mut self, fast: bool) {
        if !fast {
            self.linearized_at = None;
        }
    }

    fn factor(&mut self, h: f64) -> Result<(), Fault> {
        if self.factored_for != Some(h) {
            self.factored_for = None;
            self.stages.factor(h)?;
            self.factored_for = Some(h);
        }
        Ok(())
    }

    /// Keeps the polynomial of a step whose stages have been found.
    pub fn remember(&mut self, t: f64, x: &[f64], h: f64) {
        self.start.copy_from_slice(x);
        match self.basis {
            Basis::Increments => self.polynomial.copy_from_slice(&self.stages.increments),
            Basis::Rates => {
                for (v, f) in self.polynomial.iter_mut().zip(&self.stages.rates) {
                    *v = h * f;
                }
            }
        }
        self.last = Some(Taken { t, h });
    }

    /// The polynomial of the last step at t + θh.
    pub fn interpolate(&self, theta: f64, state: &mut [f64]) {
        let weights = self.basis.weights(&self.stages.tableau, theta);
        state.copy_from_slice(&self.start);
        let columns = self.polynomial.chunks_exact(state.len().max(1));
        for (v, weight) in columns.zip(weights) {
            for (y, v) in state.iter_mut().zip(v) {
                *y += weight * v;
            }
        }
    }
}

/// Whether two times are the same as seen from a step of size h; drivers that count steps and
/// those that add them differ in the last digit.
fn same_time(a: f64, b: f64, h: f64) -> bool {
    (a - b).abs() <= SAME_TIME * h.abs()
}
