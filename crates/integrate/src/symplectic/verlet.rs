//! The explicit Stoermer-Verlet method for H = T(p) + V(q).

use super::base::SymmetricBase;
use crate::compensated::Compensated;
use crate::field::{Fault, VectorField};
use crate::partition::Partition;
use crate::tolerance::ROUNDED_TIME;

/// Kick, drift, kick:
///
/// ```text
/// p½ = p + h/2 f_p(t, q),   q₁ = q + h f_q(t + h/2, p½),   p₁ = p½ + h/2 f_p(t + h, q₁)
/// ```
///
/// Symplectic and of order 2 where q' does not depend on q nor p' on p; the caller vouches for that
/// ([`Partition::is_separable`] tests it at a state). [`super::GeneralVerlet`] needs no such
/// structure.
#[derive(Clone, Debug)]
pub struct Verlet {
    partition: Partition,
    rates: Vec<f64>,
    /// The positions at which `rates` has the forces.
    kicked_at: Vec<f64>,
    /// The time of these, if they are known.
    kicked_time: Option<f64>,
    evaluations: u64,
}

impl Verlet {
    /// The method for states with these pairs.
    pub fn new(partition: Partition) -> Self {
        Verlet {
            rates: vec![0.0; partition.dimension()],
            kicked_at: vec![0.0; partition.positions().len()],
            kicked_time: None,
            evaluations: 0,
            partition,
        }
    }

    /// Whether the last kick of the step before is the first one of this step.
    fn forces_are_known(&self, t: f64, h: f64, x: &[f64]) -> bool {
        let positions = self.partition.positions().iter().map(|&q| x[q]);
        let near = |known: f64| (known - t).abs() <= ROUNDED_TIME * h.abs().max(t.abs());
        self.kicked_time.is_some_and(near) && positions.eq(self.kicked_at.iter().copied())
    }

    fn kick(&self, h: f64, state: &mut Compensated) {
        for &p in self.partition.momenta() {
            state.add(p, h * self.rates[p]);
        }
    }

    fn drift(&self, h: f64, state: &mut Compensated) {
        for &q in self.partition.positions() {
            state.add(q, h * self.rates[q]);
        }
    }
}

impl<F: VectorField + ?Sized> SymmetricBase<F> for Verlet {
    fn advance(
        &mut self,
        field: &mut F,
        t: f64,
        h: f64,
        state: &mut Compensated,
    ) -> Result<(), Fault> {
        if !self.forces_are_known(t, h, state.state()) {
            self.evaluations += 1;
            field.rates(t, state.state(), &mut self.rates)?;
        }
        self.kicked_time = None;
        self.kick(h / 2.0, state);
        self.evaluations += 2;
        field.rates(t + h / 2.0, state.state(), &mut self.rates)?;
        self.drift(h, state);
        field.rates(t + h, state.state(), &mut self.rates)?;
        self.kick(h / 2.0, state);
        for (known, &q) in self.kicked_at.iter_mut().zip(self.partition.positions()) {
            *known = state.state()[q];
        }
        self.kicked_time = Some(t + h);
        Ok(())
    }

    fn forget(&mut self) {
        self.kicked_time = None;
    }

    fn evaluations(&self) -> u64 {
        self.evaluations
    }
}
