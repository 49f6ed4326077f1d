//! Motions seen from a frame that moves with symmetries: steady motions are at rest there.

use super::VariationalEquations;
use crate::phase::tangent_lift;
use crate::{NamedSection, System};
use rattleback_symbolic::{Expr, Symbol};

impl VariationalEquations {
    /// The flow X less Σ ω_k ξ_k, each field lifted to the state. What is left vanishes on the steady motions
    /// z(t) = exp(t Σ ω_k ξ_k) z, and its slopes there are the linear system in the frame that moves along. None
    /// where a component of the state is no velocity of the model: higher derivatives are not lifted.
    pub fn moving_with(
        &self,
        system: &System,
        fields: &[NamedSection],
        rates: &[Expr],
    ) -> Option<Self> {
        let velocities = self.frame.fibre();
        let mut moved = self.clone();
        for (field, rate) in fields.iter().zip(rates) {
            let lift = tangent_lift(&self.frame, &field.components);
            let sections = self.frame.rank();
            for (y, z) in moved.flow[..sections].iter_mut().zip(&lift.base) {
                *y -= rate * z;
            }
            for (k, w) in self.components().iter().enumerate() {
                match velocities.iter().position(|y| y == w) {
                    Some(a) => moved.flow[sections + k] -= rate * &lift.fibre[a],
                    None if system.auxiliary().iter().any(|(s, _)| s == w) => {}
                    None => return None,
                }
            }
        }
        Some(moved)
    }
}

impl System {
    /// The coordinates that occur in no function of the system, as symmetries of their own names.
    pub fn cyclic(&self) -> Vec<NamedSection> {
        let constraints = self.constraints();
        let silent = |z: &Symbol| {
            std::iter::once(self.lagrangian())
                .chain(constraints.forms().entries())
                .chain(constraints.offsets())
                .chain(constraints.holonomic())
                .chain(self.force())
                .chain(self.auxiliary().iter().map(|(_, rate)| rate))
                .all(|e| !e.contains(z))
        };
        let plain = self.factors().iter().filter(|f| f.group.is_none());
        plain
            .filter(|f| silent(&self.frame().base()[f.base.start]))
            .map(|f| NamedSection {
                name: f.name.clone(),
                components: self.frame().basis(f.fibre.start),
            })
            .collect()
    }

    /// A field as a person writes it: `(x: -y, y: x)`.
    pub fn written(&self, field: &[Expr]) -> String {
        let components = self.frame().fibre().iter().zip(field);
        let parts: Vec<String> = components
            .filter(|(_, e)| !e.is_zero())
            .map(|(v, e)| format!("{}: {e}", v.to_string().trim_end_matches('\'')))
            .collect();
        format!("({})", parts.join(", "))
    }
}
