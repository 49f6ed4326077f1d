//! Which factor of the configuration space a component of a state belongs to, and its unit.

use super::System;
use crate::{Slot, SlotRole, StateSpace};
use rattleback_language::rate_of_unit;

impl System {
    /// A state with the factor and the unit of each component: x is of the factor x, x'' of its velocity x', p_x the
    /// momentum of that.
    ///
    /// ```
    /// use rattleback_mechanics::{Form, System};
    /// use rattleback_symbolic::{Expr, Symbol};
    /// let q = ["x", "y"].map(Symbol::variable);
    /// let free = Expr::sum(q.iter().map(|s| Expr::from(s.derivative()).powi(2)));
    /// let state = System::on_coordinates("free", &q, free).equations(Form::Hamiltonian)?.state;
    /// let factors: Vec<_> = state.slots().iter().map(|s| s.factor).collect();
    /// assert_eq!(factors, [Some(0), Some(1), Some(0), Some(1)]);
    /// # Ok::<(), rattleback_mechanics::MechanicsError>(())
    /// ```
    pub fn located(&self, state: &StateSpace) -> StateSpace {
        let mut all = StateSpace::default();
        for slot in state.slots() {
            let factor = self.factor_of(slot);
            all.push(Slot {
                unit: factor.and_then(|i| self.unit_of(i, slot)),
                factor,
                ..slot.clone()
            });
        }
        all
    }

    /// The factor whose point, velocity or momentum a component is.
    fn factor_of(&self, slot: &Slot) -> Option<usize> {
        let s = &slot.symbol;
        let (z, y) = (self.frame().base(), self.frame().fibre());
        let velocity = |a: usize| match slot.role {
            SlotRole::Velocity | SlotRole::FrameVelocity => {
                s.order() >= y[a].order() && *s == y[a].jet(s.order())
            }
            SlotRole::Momentum => {
                (0..self.order() as usize).any(|k| *s == self.names().momentum(y[a].name(), k))
            }
            _ => false,
        };
        self.factors().iter().position(|f| match slot.role {
            SlotRole::Position => z[f.base.clone()].contains(s),
            _ => f.fibre.clone().any(velocity),
        })
    }

    /// The unit of a coordinate, or that of its k-th rate.
    fn unit_of(&self, factor: usize, slot: &Slot) -> Option<String> {
        let unit = self.factors()[factor].unit.clone();
        let moves = |role: SlotRole| matches!(role, SlotRole::Velocity | SlotRole::FrameVelocity);
        let rates = match slot.role {
            SlotRole::Position => 0,
            role if moves(role) => slot.symbol.order(),
            _ => return None,
        };
        (0..rates).fold(unit, |unit, _| unit.map(|u| rate_of_unit(&u)))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Form, Problem};
    use rattleback_language::{Source, parse};

    type Seen = (String, Option<usize>, Option<String>);

    /// Symbol, factor and unit of each slot.
    fn slots(text: &str, form: Form) -> Vec<Seen> {
        let model = parse(&Source::new("m.mech", text)).model.unwrap();
        let system = Problem::from_model(&model).unwrap().system;
        let state = system.equations(form).unwrap().state;
        let all = state.slots().iter();
        all.map(|s| (s.symbol.to_string(), s.factor, s.unit.clone()))
            .collect()
    }

    fn slot(name: &str, factor: usize, unit: &str) -> Seen {
        (name.to_owned(), Some(factor), Some(unit.to_owned()))
    }

    #[test]
    fn velocities_have_rates_of_units_and_accelerations_rates_of_those() {
        let beam = "system b\ncoord x # deflection [m]\nlagrangian x''^2/2 - x^2/2\n";
        let jets = [
            slot("x", 0, "m"),
            slot("x'", 0, "m/s"),
            slot("x''", 0, "m/s^2"),
            slot("x'''", 0, "m/s^3"),
        ];
        assert_eq!(slots(beam, Form::HigherOrder), jets);
    }

    #[test]
    fn momenta_are_of_their_factors_whatever_names_are_taken() {
        let text = "system s\ngroup R : SO(3) velocity w\ncoord p_w # [m]\n\
                    kinetic w[1]^2 + w[2]^2 + w[3]^2 + p_w'^2\n";
        let found = slots(text, Form::Hamiltonian);
        let factors: Vec<Option<usize>> = found.iter().map(|s| s.1).collect();
        let expected = [
            vec![Some(0); 9],
            vec![Some(1)],
            vec![Some(0); 3],
            vec![Some(1)],
        ];
        assert_eq!(factors, expected.concat());
        assert_eq!(found[9], slot("p_w", 1, "m"));
    }

    #[test]
    fn velocities_in_a_frame_are_of_no_factor() {
        let text = "system k\ncoord x, y\ncoord phi : angle # heading [rad]\nkinetic x'^2 + y'^2 + phi'^2\n\
                    constraint sin(phi)*x' = cos(phi)*y'\n\
                    frame forward = (x: cos(phi), y: sin(phi))\nframe turn = (phi: 1)\n";
        let found = slots(text, Form::Hamel);
        assert_eq!(found[2], slot("phi", 2, "rad"));
        let in_frame = |s: &Seen| s.1.is_none() && s.2.is_none();
        assert_eq!(found.len(), 5);
        assert!(found[3..].iter().all(in_frame), "{found:?}");
    }
}
