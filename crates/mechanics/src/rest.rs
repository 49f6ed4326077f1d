//! What an energy is at rest: T + V by the motion and by the place.

use crate::{Equations, SlotRole};
use rattleback_symbolic::{Expr, Symbol, prove_zero};

impl Equations {
    /// Velocities and momenta of the state.
    pub fn moving(&self) -> Vec<Symbol> {
        let moves = |role: SlotRole| {
            matches!(
                role,
                SlotRole::Velocity | SlotRole::FrameVelocity | SlotRole::Momentum
            )
        };
        let slots = self.state.slots().iter().filter(|s| moves(s.role));
        slots.map(|s| s.symbol.clone()).collect()
    }
}

/// V of an energy that is proven to be T + V with T quadratic in what moves: E(2 v) − 4 (E(v) − V) − V = 0.
///
/// ```
/// use rattleback_mechanics::energy_at_rest;
/// use rattleback_symbolic::{Expr, Symbol};
/// let (x, v) = (Symbol::variable("x"), Symbol::variable("v"));
/// let (spring, moving) = (Expr::from(&x).powi(2), Expr::from(&v).powi(2));
/// assert_eq!(energy_at_rest(&(&moving + &spring), &[v.clone()]), Some(spring));
/// assert_eq!(energy_at_rest(&moving.powi(2), &[v]), None);
/// ```
pub fn energy_at_rest(energy: &Expr, moving: &[Symbol]) -> Option<Expr> {
    let moving: Vec<&Symbol> = moving.iter().filter(|s| energy.contains(s)).collect();
    let times = |factor: i64| -> Expr {
        let values = moving
            .iter()
            .map(|s| ((*s).clone(), Expr::from(*s) * factor));
        energy.substitute(&values.collect::<Vec<_>>())
    };
    let rest = times(0);
    if rest.is_undefined() || moving.is_empty() {
        return None;
    }
    let gap = times(2) - 4 * (energy - &rest) - &rest;
    prove_zero(&gap).is_proven().then_some(rest)
}
