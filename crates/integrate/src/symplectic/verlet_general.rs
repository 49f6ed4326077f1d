//! The Stoermer-Verlet method for any H(q, p).

use super::base::SymmetricBase;
use super::implicit_part::ImplicitPart;
use crate::compensated::Compensated;
use crate::field::{Fault, VectorField};
use crate::partition::Partition;

/// The symplectic Euler method over h/2, then its adjoint:
///
/// ```text
/// p½ = p + h/2 f_p(t, q, p½)
/// q₁ = q + h/2 (f_q(t, q, p½) + f_q(t + h, q₁, p½))
/// p₁ = p½ + h/2 f_p(t + h, q₁, p½)
/// ```
///
/// The first two lines are implicit where H does not separate.
#[derive(Clone, Debug)]
pub struct GeneralVerlet {
    partition: Partition,
    momenta: ImplicitPart,
    positions: ImplicitPart,
    base: Vec<f64>,
}

impl GeneralVerlet {
    /// The method for states with these pairs.
    pub fn new(partition: Partition) -> Self {
        let n = partition.dimension();
        GeneralVerlet {
            momenta: ImplicitPart::new(n, partition.momenta().to_vec()),
            positions: ImplicitPart::new(n, partition.positions().to_vec()),
            base: vec![0.0; n],
            partition,
        }
    }
}

impl<F: VectorField + ?Sized> SymmetricBase<F> for GeneralVerlet {
    fn advance(
        &mut self,
        field: &mut F,
        t: f64,
        h: f64,
        state: &mut Compensated,
    ) -> Result<(), Fault> {
        let half = h / 2.0;
        self.momenta.solve(field, t, half, state.state())?;
        for &p in self.partition.momenta() {
            state.add(p, half * self.momenta.rates()[p]);
        }
        state.write(&mut self.base);
        for &q in self.partition.positions() {
            self.base[q] += half * self.momenta.rates()[q];
        }
        self.positions.solve(field, t + h, half, &self.base)?;
        let (first, second) = (self.momenta.rates(), self.positions.rates());
        for &q in self.partition.positions() {
            state.add(q, half * (first[q] + second[q]));
        }
        for &p in self.partition.momenta() {
            state.add(p, half * second[p]);
        }
        Ok(())
    }

    fn forget(&mut self) {
        self.momenta.forget();
        self.positions.forget();
    }

    fn evaluations(&self) -> u64 {
        self.momenta.evaluations + self.positions.evaluations
    }
}
